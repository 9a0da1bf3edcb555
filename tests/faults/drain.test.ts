/**
 * F22: SIGTERM under load. Every call that the hub took in is answered, and every answer is
 * durable; what it did not take in has done nothing. It ends by itself within 30 s, and what it had
 * begun in the background goes on at the next start.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject, it } from 'vitest'
import { databases, startProcess, type TestProcess } from '../hub.ts'
import { until } from '../hub-place.ts'
import { cloneMigrated } from '../migrated.ts'
import { usePostgres } from '../postgres.ts'

/**
 * `cut`: there was no answer. `reused`: on a connection that had rested, and that the hub may have
 * closed just then.
 */
type Outcome = {
  readonly name: string
  readonly status?: number
  readonly jobId?: string
  readonly cut?: string
  readonly reused?: boolean
}

const clients = 12

describe.each(databases)('SIGTERM under load on %s', (database) => {
  it('drops no call that was taken in, and ends within 30 s', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'dragoman-drain-'))
    const postgres = usePostgres(inject('postgresUrl'))
    const databaseUrl = database === 'postgres' ? await cloneMigrated() : undefined
    const env = {
      DRAGOMAN_DATA: join(folder, 'data'),
      ...(databaseUrl && {
        DRAGOMAN_DATABASE_URL: databaseUrl,
        DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex'),
      }),
    }
    let hub: TestProcess | undefined
    try {
      hub = await startProcess(env)
      const { url } = hub
      const token = await tokenOf(url)
      const big = await makeLargeJob(url, token)
      const outcomes: Outcome[] = []
      const loop = async (client: number) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 })
        for (let call = 0; ; call += 1) {
          const outcome = await createJob(url, token, agent, `drain-${client}-${call}`)
          outcomes.push(outcome)
          if (outcome.status === undefined) break
        }
        agent.destroy()
      }
      const loops = Array.from({ length: clients }, (_, client) => loop(client))
      await until('the hub is busy', () => outcomes.length > clients * 4)
      expect((await put(url, token, `/jobs/${big}/submit`)).status).toBe(200)
      hub.signal('SIGTERM')
      await Promise.all(loops)
      expect(await hub.exited).toEqual({ code: 0, signal: null })
      expect(hub.stderr()).not.toMatch(/unhandled|could not close/i)

      hub = await startProcess(env)
      const again = await tokenOf(hub.url)
      const found = await listJobs(hub.url, again)
      for (const { name, status, jobId, cut, reused } of outcomes) {
        if (cut !== undefined && !reused)
          expect([name, cut]).toEqual([name, expect.stringContaining('ECONNREFUSED')])
        if (status !== undefined) expect([name, status]).toEqual([name, 201])
        expect([name, found.get(name) ?? []]).toEqual([name, status === undefined ? [] : [jobId]])
      }
      const node = hub
      await until(
        'the large job has left SENDING and is translated',
        async () => {
          const counts = await get<{ aggregateRequests: { byStatusCode: Record<string, number> } }>(
            node.url,
            again,
            `/jobs/${big}?aggregateRequests=true`,
          )
          return counts.aggregateRequests.byStatusCode.REVIEW_TRANSLATION === 600
        },
        60_000,
      )
    } finally {
      await hub?.close()
      if (databaseUrl) await postgres.dropDatabase(databaseUrl)
      rmSync(folder, { recursive: true, force: true })
    }
  })
})

async function tokenOf(url: string): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: 'demo-connector',
  })
  form.set('client_secret', 'demo-connector-secret')
  const answer = await fetch(`${url}/connect/token`, { method: 'POST', body: form })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** With what node:http tells of the connection: fetch would hide it. */
function createJob(url: string, token: string, agent: Agent, name: string): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const call = request(`${url}/v2/jobs`, { method: 'POST', agent, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      answer.on('end', () =>
        resolve({ name, status: answer.statusCode ?? 0, jobId: JSON.parse(text).jobId }),
      )
      answer.on('error', (error) => resolve({ name, cut: error.message, reused: false }))
    })
    call.on('error', (error) => resolve({ name, cut: error.message, reused: call.reusedSocket }))
    call.end(JSON.stringify({ jobName: name }))
  })
}

const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})

const put = (url: string, token: string, path: string): Promise<Response> =>
  fetch(`${url}/v2${path}`, { method: 'PUT', headers: headersOf(token) })

async function post<T>(url: string, token: string, path: string, body: object): Promise<T> {
  const answer = await fetch(`${url}/v2${path}`, {
    method: 'POST',
    headers: headersOf(token),
    body: JSON.stringify(body),
  })
  return (await answer.json()) as T
}

async function get<T>(url: string, token: string, path: string): Promise<T> {
  const answer = await fetch(`${url}/v2${path}`, { headers: headersOf(token) })
  return (await answer.json()) as T
}

/** 600 requests for Pseudo: more than one stretch of sending. */
async function makeLargeJob(url: string, token: string): Promise<string> {
  const { providers } = await get<{ providers: { id: string; name: string }[] }>(
    url,
    token,
    '/providers',
  )
  const providerId = providers.find(({ name }) => name === 'Pseudo')?.id
  const { jobId } = await post<{ jobId: string }>(url, token, '/jobs', {
    jobName: 'large',
    providerId,
  })
  const one = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCodes: ['de-de'] }
  const requests = Array.from({ length: 600 }, (_, at) => ({
    ...one,
    requestName: `r${at}`,
    sourceNativeId: `${at}`,
    fields: [{ key: 'a', value: `text number ${at}` }],
  }))
  await post(url, token, `/jobs/${jobId}/requests/add`, { requests })
  return jobId
}

async function listJobs(url: string, token: string): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (let next: string | undefined = ''; next !== undefined; ) {
    const page: { jobs: { jobId: string; jobName: string }[]; next?: string } = await get(
      url,
      token,
      `/jobs?navNext=${next}`,
    )
    for (const { jobId, jobName } of page.jobs)
      found.set(jobName, [...(found.get(jobName) ?? []), jobId])
    next = page.next
  }
  return found
}
