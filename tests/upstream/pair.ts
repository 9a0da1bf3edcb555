/**
 * Two hubs, the front one with a provider that sends its jobs on to the other; and what a connector
 * at the front sees.
 */
import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { type DatabaseKind, type Env, startHub, type TestHub } from '../hub.ts'

export type JsonObject = Record<string, unknown>
export type SeenRequest = {
  readonly requestId: string
  readonly requestName: string
  readonly statusCode: string
  readonly hasError: boolean
  readonly latestErrorMessage?: string
  readonly lastTry?: { readonly message: string }
  readonly rejectNote?: string
  readonly targetNativeLanguageCode: string
  readonly modifiedDate: string
}
type Update = {
  readonly statusCode: string
  readonly errorMessage?: string
  readonly requestIds: string[]
}
type Call = <T = JsonObject>(
  as: string,
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ status: number; body: T }>

export const connector = 'demo-connector'
export const admin = 'demo-admin'
export const translator = 'demo-provider'

/** A hub with the usual calls of its three parties. */
export type Side = {
  readonly hub: TestHub
  readonly call: Call
  provider(name: string): Promise<string>
  job(
    jobId: string,
  ): Promise<
    JsonObject & { statusCode: string; upstream?: { url: string; jobId?: string }; hops?: string[] }
  >
  requests(jobId: string): Promise<SeenRequest[]>
  statuses(jobId: string): Promise<string[]>
  /**
   * The updates of a job so far, in order, one for each request: the status, with the error's
   * sentence if it has one.
   */
  updates(jobId: string): Promise<string[]>
  upload(jobId: string, name: string, bytes: string | Uint8Array): Promise<string>
  download(jobId: string, requestId: string): Promise<string>
  /** As the provider: a translation of each field or file, made of its source. */
  deliver(
    providerId: string,
    jobId: string,
    requestId: string,
    made: string | Record<string, string>,
  ): Promise<void>
}

export function sideOf(hub: TestHub): Side {
  const call: Call = (as, method, path, body) =>
    hub.call(method, `/v2${path}`, { as, ...(body !== undefined && { body }) })
  const requests: Side['requests'] = async (jobId) =>
    (await call<{ requests: SeenRequest[] }>(connector, 'GET', `/jobs/${jobId}/requests`)).body
      .requests
  return {
    hub,
    call,
    requests,
    provider: async (name) => {
      const { body } = await call<{ providers: { id: string; name: string }[] }>(
        admin,
        'GET',
        '/providers',
      )
      return body.providers.find((one) => one.name === name)?.id ?? ''
    },
    job: async (jobId) => (await call(connector, 'GET', `/jobs/${jobId}`)).body as never,
    statuses: async (jobId) => (await requests(jobId)).map(({ statusCode }) => statusCode),
    updates: async (jobId) => {
      const path = `/statusupdates?jobId=${jobId}&since=0&acknowledged=all`
      const { body } = await call<{ statusupdates: Update[] }>(connector, 'GET', path)
      return body.statusupdates.flatMap(({ statusCode, errorMessage, requestIds }) => {
        const says = errorMessage === undefined ? statusCode : `${statusCode}: ${errorMessage}`
        return requestIds.length === 0 ? [says] : requestIds.map(() => says)
      })
    },
    upload: async (jobId, name, bytes) => {
      const path = `/jobs/${jobId}/sourcefiles?fileName=${encodeURIComponent(name)}`
      const { body } = await call<{ fmsFileId: string; fmsPostMultipartUrl: string }>(
        connector,
        'POST',
        path,
      )
      const form = new FormData()
      form.append('file', new Blob([bytes as never]), name)
      const sent = await fetch(body.fmsPostMultipartUrl, { method: 'POST', body: form })
      expect(sent.status).toBe(201)
      return body.fmsFileId
    },
    download: async (jobId, requestId) => {
      const path = `/v2/jobs/${jobId}/requests/${requestId}/retrievefile`
      const { headers } = await hub.call('GET', path, { as: connector })
      return (await fetch(headers.get('location') ?? '')).text()
    },
    deliver: async (providerId, jobId, requestId, made) => {
      const path = `/providers/${providerId}/jobs/${jobId}/assetTasks/${requestId}`
      if (typeof made === 'string') {
        const { body } = await call<{ fmsPostMultipartUrl: string }>(
          translator,
          'POST',
          `${path}/translatedFile`,
        )
        const form = new FormData()
        form.append('file', new Blob([made]), 'x')
        expect((await fetch(body.fmsPostMultipartUrl, { method: 'POST', body: form })).status).toBe(
          201,
        )
      } else {
        const fields = Object.entries(made).map(([key, value]) => ({ key, value }))
        expect(
          (await call(translator, 'PUT', `${path}/translatedContent`, { fields })).status,
        ).toBe(200)
      }
      const done = await call(translator, 'PATCH', path, {
        statusCode: 'TRANSLATION_SUBMITTED',
        force: true,
      })
      expect(done.status, JSON.stringify(done.body)).toBe(200)
    },
  }
}

export type HubPair = {
  readonly front: Side
  readonly beyond: Side
  /** A provider at the front that leads to one of the providers there. */
  lead(to: string, config?: JsonObject): Promise<string>
  /** Both hubs do what is due until nothing moves any more. */
  settle(by?: string): Promise<void>
  close(): Promise<void>
}

export async function startPair(
  database: DatabaseKind,
  env: { front?: Env; beyond?: Env } = {},
): Promise<HubPair> {
  const [one, other] = await Promise.all([
    startHub({ database, ...(env.front && { env: env.front }) }),
    startHub({ database, ...(env.beyond && { env: env.beyond }) }),
  ])
  const [front, beyond] = [sideOf(one), sideOf(other)]
  return {
    front,
    beyond,
    lead: (to, config) => leadTo(front, beyond, to, config),
    settle: async (by = '20s') => {
      for (let turn = 0; turn < 2; turn += 1) {
        await front.hub.advance(turn === 0 ? by : '1s')
        await beyond.hub.advance('1s')
      }
      await front.hub.advance('20s')
    },
    close: async () => {
      await Promise.all([one.close(), other.close()])
    },
  }
}

/** With a client of its own there, because a client has one listener of each type. */
export async function leadTo(
  front: Side,
  beyond: Side,
  to: string,
  config: JsonObject = {},
): Promise<string> {
  const clientId = `front-${randomBytes(4).toString('hex')}`
  const made = await beyond.call<{ clientSecret: string }>(admin, 'POST', '/clients', {
    clientId,
    scopes: ['content'],
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { clientSecret } = made.body
  const there = {
    url: beyond.hub.url,
    clientId,
    clientSecret,
    providerId: await beyond.provider(to),
  }
  const body = { name: `To ${clientId}`, typeId: 'upstream', config: { ...there, ...config } }
  const { status, body: provider } = await front.call<{ id: string }>(
    admin,
    'POST',
    '/providers',
    body,
  )
  expect(status, JSON.stringify(provider)).toBe(201)
  return provider.id
}
