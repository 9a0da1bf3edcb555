/**
 * What is kept of the calls to an upstream is bounded: the entries of a timeline, and the bytes of
 * a recording.
 */
import { type Cassette, limits } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  releaseBodies,
  type Watch,
  watchCalls,
  watchedFetch,
} from '../../packages/server/src/domain/engines/drivers/watched-fetch.ts'
import { keepCalls } from '../../packages/server/src/domain/upstream/cassette.ts'
import { logCalls } from '../../packages/server/src/domain/upstream/log-calls.ts'
import { databases, startHub } from '../hub.ts'
import { admin, connector, type Side, sideOf } from './pair.ts'

describe.each(databases)('calls of a job, on %s', (database) => {
  let side: Side
  let jobId: string
  beforeAll(async () => {
    side = sideOf(await startHub({ database }))
    jobId = (await side.call<{ jobId: string }>(connector, 'POST', '/jobs', { jobName: 'Long' }))
      .body.jobId
  })
  afterAll(() => side.hub.close())

  it('are in the timeline up to a number, the newest', async () => {
    const url = 'https://jobs.example'
    const of = { siteId: 'demo', jobId, causeId: 'task:1', url, hasNews: false, wasFailing: false }
    const made = (at: number) => ({
      ...{ calledAt: at, method: 'PUT', url: `${url}/v2/jobs/a/${at}`, durationUs: 1, status: 200 },
      ...{ headers: new Headers(), sent: new Headers() },
    })
    const numbers = [...Array(limits.upstreamCalls + 20).keys()]
    await logCalls(side.hub.inner, of, numbers.map(made))
    const { read } = side.hub.inner.db
    const rows = await read
      .selectFrom('upstream_calls')
      .select('path')
      .where('job_id', '=', jobId)
      .execute()
    expect(rows).toHaveLength(limits.upstreamCalls)
    expect(rows.map(({ path }) => path)).not.toContain('/v2/jobs/a/19')
    expect(rows.map(({ path }) => path)).toContain('/v2/jobs/a/20')
  })

  it('are recorded up to a size, and the cassette says so', async () => {
    const text = 'x'.repeat(limits.cassetteBodyBytes - 500)
    const call = { method: 'PUT', path: '/v2/jobs/a', durationMs: 1, request: { body: { text } } }
    const many = [...Array(20).keys()].map(
      (calledAt) => ({ calledAt, side: 'UPSTREAM', call }) as const,
    )
    for (const one of many) await keepCalls(side.hub.inner, { siteId: 'demo', jobId }, [one])
    const { body } = await side.call<Cassette>(admin, 'GET', `/jobs/${jobId}/cassette`)
    expect([body.complete, body.calls.length]).toEqual([
      false,
      limits.cassetteBytes / limits.cassetteBodyBytes,
    ])
  })

  it('hold bodies of all jobs of a node up to four recordings, until they are stored', async () => {
    const { inner } = side.hub
    const call = watchedFetch(
      inner,
      async () => new Response(Buffer.alloc(limits.cassetteBodyBytes)),
    )
    const watchOne = async () => {
      const watch: Watch = { calls: [], bodyBytes: limits.cassetteBytes }
      await watchCalls(watch, async () => {
        for (let at = 0; at < limits.cassetteBytes / limits.cassetteBodyBytes; at += 1) {
          await (await call('https://jobs.example/v2/jobs')).arrayBuffer()
          await watch.calls.at(-1)?.bodies
        }
      })
      const bodies = await Promise.all(watch.calls.map((one) => one.bodies))
      return { watch, whole: bodies.every((one) => one?.answered?.isCut === false) }
    }
    const watches = []
    for (let at = 0; at < 5; at += 1) watches.push(await watchOne())
    expect(watches.map(({ whole }) => whole)).toEqual([true, true, true, true, false])
    for (const { watch } of watches) releaseBodies(inner, watch)
    const last = await watchOne()
    expect(last.whole).toBe(true)
    releaseBodies(inner, last.watch)
  })

  it('hold bodies in memory up to the size of a recording, and mark what was left out', async () => {
    const watch: Watch = { calls: [], bodyBytes: limits.cassetteBytes }
    const call = watchedFetch(
      side.hub.inner,
      async () => new Response(Buffer.alloc(limits.cassetteBodyBytes)),
    )
    await watchCalls(watch, async () => {
      for (let at = 0; at < 20; at += 1) {
        await (await call('https://jobs.example/v2/jobs')).arrayBuffer()
        await watch.calls.at(-1)?.bodies
      }
    })
    const bodies = await Promise.all(watch.calls.map((one) => one.bodies))
    const whole = bodies.filter((one) => one?.answered?.isCut === false).length
    expect([whole, bodies.at(-1)?.answered?.isCut]).toEqual([
      limits.cassetteBytes / limits.cassetteBodyBytes,
      true,
    ])
  })
})
