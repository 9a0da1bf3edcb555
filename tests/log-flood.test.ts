/**
 * What somebody without a token can make the hub write: a handful of rows and lines, however often
 * he calls.
 */
import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bootstrapId, databases, startHub, type TestHub } from './hub.ts'

const upload = (hub: TestHub, url: string, file: string): Promise<Response> => {
  const form = new FormData()
  form.append('file', new Blob([file]), 'a.txt')
  return fetch(new URL(url, hub.url), { method: 'POST', body: form })
}

/**
 * The clock stands still: what is let in, and which minute it is, does not hang on how busy the
 * machine is.
 */
function stopClock({ inner: { clock } }: TestHub): { wait(ms: number): void } {
  let time = clock.now()
  Object.assign(clock, { now: () => time })
  return {
    wait: (ms) => {
      time += ms
    },
  }
}

let hub: TestHub
afterEach(() => hub.close())

const rows = async () => {
  // A hub that stops writes what it has gathered.
  await hub.restart()
  return hub.inner.db.read.selectFrom('calls').selectAll().orderBy('call_id').execute()
}
const callLines = () =>
  hub
    .logged()
    .split('\n')
    .filter((line) => /"msg":"calls?"/.test(line))

describe.each(databases)('a flood of refused calls on %s', (database) => {
  beforeEach(async () => {
    hub = await startHub({ database, profile: 'production' })
  })

  it('is counted together: one row by address, route, status, code and minute', async () => {
    const floods: readonly [string, string][] = [
      ['GET', '/v2/jobs/'],
      ['GET', '/nowhere/'],
      ['GET', '/healthz-'],
      ['GET', '/fms/files/'],
      ['PATCH', '/fms/tus/'],
      ['POST', '/fms/tus/'],
      ['POST', '/fms/multipart/'],
      ['OPTIONS', '/fms/tus/'],
    ]
    stopClock(hub)
    const each = 30
    const statuses = new Map<number, number>()
    for (const [method, path] of floods)
      await Promise.all(
        Array.from({ length: each }, async (_, at) => {
          const { status } = await hub.call(method, `${path}${'x'.repeat(100)}${at}`, {
            headers: { authorization: `Bearer no-token-${at}`, sastoken: `no-token-${at}` },
          })
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }),
      )
    const refused = floods.length * each
    expect(Object.fromEntries(statuses)).toEqual({ 401: 20, 429: refused - 20 })
    const found = (await rows()).filter(({ status }) => status >= 400)
    // One for those refused by their token, and one for each route that was asked too often; two
    // have none.
    expect(found).toHaveLength(1 + floods.length - 1)
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(refused)
    expect(
      found.every(({ ids, call_body, answer_body }) => !ids && !call_body && !answer_body),
    ).toBe(true)
    const lines = callLines()
    // Each row has a line with its first call and one with the number of the others; the rest is of
    // the restart.
    expect(lines.length).toBeLessThanOrEqual(2 * found.length)
    const told = lines.map((line) => JSON.parse(line) as { count?: number; status: number })
    const all = told
      .filter(({ status }) => status >= 400)
      .reduce((sum, { count = 1 }) => sum + count, 0)
    expect(all).toBe(refused)
  })
})

describe('whoever has no token', () => {
  beforeEach(async () => {
    hub = await startHub({ profile: 'production' })
  })

  it('is throttled under /fms, while a good transfer from the same address goes on', async () => {
    const created = await hub.call<{ jobId: string }>('POST', '/v2/jobs', {
      as: bootstrapId,
      body: { jobName: 'a' },
    })
    const transfer = await hub.call<{ fmsPostMultipartUrl: string; fmsFileId: string }>(
      'POST',
      `/v2/jobs/${created.body.jobId}/sourcefiles?fileName=a.txt`,
      { as: bootstrapId },
    )
    expect(transfer.status).toBe(201)
    const { wait } = stopClock(hub)
    wait(10_000)
    const refused = await Promise.all(
      Array.from({ length: 60 }, () =>
        hub.call<{ code: string }>('GET', '/fms/files/x?as=bytes&until=1&sig=x'),
      ),
    )
    const last = refused.find(({ status }) => status === 429)
    expect(last?.body.code).toBe('RATE_LIMITED')
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(last?.headers.get('ratelimit-policy')).toBe('"address";q=20;w=1')
    expect(refused.filter(({ status }) => status === 403)).toHaveLength(20)
    // The bucket is the one of all calls; bytes that are signed pass by it.
    expect((await hub.call('GET', '/v2/quota', { as: bootstrapId })).status).toBe(429)
    expect((await upload(hub, transfer.body.fmsPostMultipartUrl, 'hello')).status).toBe(201)
  })

  it('sees what the log keeps of his path cut', async () => {
    await hub.call('GET', `/v2/jobs/${'j'.repeat(190)}`, { as: bootstrapId })
    const [row] = (await rows()).filter(({ route }) => route === '/v2/jobs/:jobId')
    expect(row).toMatchObject({ status: 400, client_id: bootstrapId, count: 1 })
    expect(JSON.parse(row?.ids ?? '')).toEqual({ jobId: `${'j'.repeat(64)}…` })
  })

  it('cannot have the rows of others thrown away with one that no database takes', async () => {
    await hub.call('GET', '/v2/quota', { as: bootstrapId })
    // More bytes announced than a whole number can count.
    await new Promise((resolve) => {
      const call = request(new URL('/v2/jobs', hub.url), {
        method: 'POST',
        headers: { authorization: 'Bearer x', 'content-length': '18446744073709551615' },
      })
      call.on('response', (answer) => {
        answer.resume()
        resolve(call.destroy())
      })
      call.on('error', resolve)
      call.flushHeaders()
    })
    const found = await rows()
    expect(found.map(({ route }) => route)).toEqual(
      expect.arrayContaining(['/v2/quota', '/v2/jobs']),
    )
    expect(hub.logged()).not.toContain('could not be written')
  })
})

it('calls that share a row leave no bodies in the sandbox either', async () => {
  hub = await startHub()
  stopClock(hub)
  for (const number of [1, 2, 3])
    await hub.call('POST', '/v2/jobs', { body: { jobName: `a${number}` } })
  const found = (await rows()).filter(({ route }) => route === '/v2/jobs')
  expect(found).toMatchObject([
    {
      status: 401,
      error_code: 'UNAUTHORIZED',
      count: 3,
      ids: null,
      call_body: null,
      answer_body: null,
    },
  ])
  expect(callLines().filter((line) => line.includes('"status":401'))).toHaveLength(2)
})
