/** What the tests of a team at the desk share: jobs with requests at a provider, and their calls. */
import { expect } from 'vitest'
import type { TestHub } from '../hub.ts'

export type JsonObject = Record<string, unknown>
export type Shown = {
  readonly segmentId: string
  readonly target?: readonly unknown[]
  readonly source: readonly unknown[]
  readonly state: string
  readonly version: number
  readonly comments?: readonly string[]
  readonly correction?: readonly unknown[]
  readonly corrected?: { readonly target: readonly unknown[]; readonly by: string }
  readonly previous?: { readonly target?: readonly unknown[]; readonly verdict?: string }
  readonly replaced?: JsonObject
}
export const [connector, provider, admin] = ['demo-connector', 'demo-provider', 'demo-admin']

export type Sent = {
  readonly jobId: string
  readonly ids: readonly string[]
  /** Of the first request. */
  readonly own: string
  readonly task: string
  readonly provided: string
}

export async function openTeam(hub: TestHub) {
  const call = <T = JsonObject>(who: string, method: string, path: string, body?: unknown) =>
    hub.call<T>(method, `/v2${path}`, { as: who, ...(body !== undefined && { body }) })
  const { body } = await call<{ providers: { id: string; name: string }[] }>(
    admin ?? '',
    'GET',
    '/providers',
  )
  const manual = body.providers.find(({ name }) => name === 'Manual')?.id ?? ''

  const upload = async (jobId: unknown, name: string, content: string) => {
    const path = `/jobs/${jobId}/sourcefiles?fileName=${name}`
    const { body } = await call('demo-connector', 'POST', path)
    const form = new FormData()
    form.append('file', new Blob([content]), name)
    const { status } = await fetch(String(body.fmsPostMultipartUrl), { method: 'POST', body: form })
    expect(status).toBe(201)
    return body.fmsFileId
  }
  /** A job with this content in each language; at its provider unless `submit` is false. */
  const sent = async (
    content: { readonly file: string } | { readonly fields: Record<string, string> },
    {
      languages = ['de-de'],
      submit = true,
      ...job
    }: {
      readonly languages?: readonly string[]
      readonly submit?: boolean
      [more: string]: unknown
    } = {},
  ): Promise<Sent> => {
    const { jobId } = (await call('demo-connector', 'POST', '/jobs', { jobName: 'Team', ...job }))
      .body
    const source =
      'file' in content
        ? { fmsFileId: await upload(jobId, 'page.html', content.file) }
        : { fields: Object.entries(content.fields).map(([key, value]) => ({ key, value })) }
    const added = await call<{ requests: { requestId: string }[] }>(
      'demo-connector',
      'POST',
      `/jobs/${jobId}/requests/add`,
      {
        ...{ requestName: 'r', sourceNativeId: '1', sourceNativeLanguageCode: 'en-us' },
        ...{ targetNativeLanguageCodes: languages, ...source },
      },
    )
    expect(added.status).toBe(201)
    const ids = added.body.requests.map(({ requestId }) => requestId)
    if (submit) {
      const body = { providerId: manual }
      expect((await call('demo-connector', 'PUT', `/jobs/${jobId}/submit`, body)).status).toBe(200)
      await hub.advance('1s')
    }
    const provided = `/providers/${manual}/jobs/${jobId}`
    return {
      ...{ jobId: String(jobId), ids, provided },
      own: `/jobs/${jobId}/requests/${ids[0]}`,
      task: `${provided}/assetTasks/${ids[0]}`,
    }
  }
  const segmentsAt = async (who: string, path: string): Promise<Shown[]> => {
    const { status, body } = await call<{ segments: Shown[] }>(who, 'GET', `${path}/segments`)
    expect(status).toBe(200)
    return body.segments
  }
  /** Writes these targets and delivers them. */
  const deliver = async (task: string, targets: readonly string[]) => {
    const segments = (await segmentsAt('demo-provider', task)).map(
      ({ segmentId, version }, at) => ({
        ...{ segmentId, version, state: 'TRANSLATED', target: [targets[at] ?? 'leer'] },
      }),
    )
    const written = await call('demo-provider', 'PUT', `${task}/segments`, { segments })
    expect(written.status).toBe(200)
    expect((await call('demo-provider', 'POST', `${task}/segments/deliver`)).status).toBe(200)
  }
  const updatesOf = async (jobId: string) => {
    const { body } = await call<{ statusupdates: { jobId: string; statusCode: string }[] }>(
      'demo-connector',
      'GET',
      '/statusupdates?since=0&acknowledged=all&pageSize=50',
    )
    return body.statusupdates.filter((one) => one.jobId === jobId)
  }
  return { call, manual, sent, segmentsAt, deliver, updatesOf, upload }
}
