import type { Job } from '@dragoman/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { taskKinds } from '../packages/server/src/doors/work/tasks.ts'
import { addTasks } from '../packages/server/src/store/tasks/add-tasks.ts'
import { databases, startHub, type TestHub } from './hub.ts'
import { until } from './hub-place.ts'

const day = 86_400_000
type Clock = { now: string; offsetMs: number; ran: number }

describe.each(databases)('the sandbox on %s', (database) => {
  let hub: TestHub
  beforeEach(async () => {
    hub = await startHub({ database })
  })
  afterEach(() => hub.close())

  const advance = (by: unknown) =>
    hub.call<Clock>('POST', '/sandbox/clock/advance', { body: { by } })
  const readClock = () => hub.call<Clock>('GET', '/sandbox/clock')
  // Each with a token of its own: those from before the clock was moved have expired.
  const withToken = async () => ({
    headers: { authorization: `Bearer ${await hub.token('demo-connector')}` },
  })
  const createJob = async (jobName: string): Promise<Job> =>
    (await hub.call<Job>('POST', '/v2/jobs', { body: { jobName }, ...(await withToken()) })).body
  const readJob = async (jobId: string): Promise<Job> =>
    (await hub.call<Job>('GET', `/v2/jobs/${jobId}`, await withToken())).body

  it('says what time it is without a token', async () => {
    const { status, body } = await readClock()
    expect(status).toBe(200)
    expect(Math.abs(Date.parse(body.now) - Date.now())).toBeLessThan(60_000)
    expect(body.offsetMs).toBe(0)
  })

  it('archives a job by itself when six months have passed, at its own time', async () => {
    const job = await createJob('idle')
    const early = await advance('5mo')
    expect(early.status).toBe(200)
    expect(await readJob(job.jobId)).toMatchObject({ archived: false })
    await advance('1mo')
    await advance('1h')
    expect(await readJob(job.jobId)).toMatchObject({ archived: true, archiveStatus: 'ARCHIVED' })
    const moves = await hub.inner.db.read
      .selectFrom('moves')
      .selectAll()
      .orderBy('moved_at')
      .execute()
    expect(moves.map(({ move }) => move)).toEqual(['archive', 'archived'])
    const due = Date.parse(job.estimatedArchivalDate ?? '')
    for (const { moved_at } of moves) {
      expect(moved_at).toBeGreaterThanOrEqual(due)
      expect(moved_at).toBeLessThan(due + 60_000)
    }
  })

  it('puts its clock back to an earlier offset, and what is due stays as long after now as it was', async () => {
    const { body: before } = await hub.call<Clock>('GET', '/sandbox/clock')
    const dueIn = async (): Promise<number[]> => {
      const now = hub.inner.clock.now()
      const tasks = await hub.inner.db.read
        .selectFrom('tasks')
        .select('due_at')
        .orderBy('due_at')
        .execute()
      return tasks.map(({ due_at }) => Math.round((due_at - now) / 60_000))
    }
    await advance('3h')
    const ahead = await dueIn()
    const restore = (offsetMs: unknown) =>
      hub.call('POST', '/sandbox/clock/restore', { body: { offsetMs } })
    expect(await restore(before.offsetMs)).toMatchObject({
      status: 200,
      body: { offsetMs: before.offsetMs },
    })
    for (const [at, minutes] of (await dueIn()).entries())
      expect(Math.abs(minutes - (ahead[at] ?? 0))).toBeLessThan(2)
    for (const wrong of [before.offsetMs + 3_600_000, -1, 'x', undefined])
      expect(await restore(wrong)).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } })
  })

  it('lets six months pass in an idle hub by running what is due, and not every hour of them', async () => {
    const { status, body } = await advance('6mo')
    expect(status).toBe(200)
    expect(Number(body.ran)).toBeGreaterThan(180)
    expect(Number(body.ran)).toBeLessThan(1_000)
  })

  it('runs everything on the way in order, each at its time, also when two move the clock at once', async () => {
    const { db: store, clock } = hub.inner
    const now = clock.now()
    const jobs = await Promise.all(['a', 'b', 'c'].map(createJob))
    await store.transact(async (tx) => {
      for (const [index, job] of jobs.entries()) {
        await tx
          .updateTable('jobs')
          .set({ archive_status: 'ARCHIVING', archived: 1 })
          .where('job_id', '=', job.jobId)
          .execute()
        const payload = { siteId: 'demo', jobId: job.jobId }
        await addTasks(store, tx, now, [
          {
            name: 'archive-job',
            payload,
            key: `archive:${job.jobId}`,
            dueAt: now + (3 - index) * 10 * day,
            causeId: 'test',
          },
        ])
      }
    })
    const both = await Promise.all([advance('15d'), advance('20d')])
    expect(both.map(({ status }) => status)).toEqual([200, 200])
    const moves = await store.read
      .selectFrom('moves')
      .selectAll()
      .where('move', '=', 'archived')
      .orderBy('moved_at')
      .execute()
    expect(moves.map(({ job_id }) => job_id)).toEqual(jobs.map((job) => job.jobId).reverse())
    for (const [index, { moved_at }] of moves.entries()) {
      expect(moved_at).toBeGreaterThanOrEqual(now + (index + 1) * 10 * day)
      expect(moved_at).toBeLessThan(now + (index + 1) * 10 * day + 60_000)
    }
    const offset = hub.inner.clock.offset()
    expect(offset).toBeGreaterThan(34 * day)
    expect(offset).toBeLessThan(36 * day)
  })

  it('keeps its time over a restart', async () => {
    await advance('3d')
    await hub.restart()
    const { body } = await readClock()
    expect(Date.parse(body.now) - Date.now()).toBeGreaterThan(3 * day - 60_000)
  })

  it('goes on with its background work after the clock was moved', async () => {
    await advance('1d')
    const job = await createJob('later')
    await hub.call('PUT', `/v2/jobs/${job.jobId}/archive`, await withToken())
    await until(
      'it is archived',
      async () => (await readJob(job.jobId)).archiveStatus === 'ARCHIVED',
    )
  })

  it('begins anew on request: no jobs, the time of the machine, the demo clients, its periodic tasks', async () => {
    const job = await createJob('gone')
    await advance('6mo')
    const reset = await hub.call<Clock>('POST', '/sandbox/reset')
    expect(reset).toMatchObject({ status: 200, body: { offsetMs: 0 } })
    expect(await readJob(job.jobId)).toMatchObject({ code: 'JOB_NOT_FOUND' })
    const tasks = await hub.inner.db.read
      .selectFrom('tasks')
      .select('name')
      .orderBy('name')
      .execute()
    // Mail is off: its task has no time.
    const periodic = Object.keys(taskKinds).filter(
      (name) => taskKinds[name]?.periodic?.first(hub.inner) !== undefined,
    )
    expect(tasks.map(({ name }) => name)).toEqual(periodic.sort())
  })

  const bad: [string, unknown][] = [
    ['no body', undefined],
    ['broken JSON', '{"by":'],
    ['a negative duration', { by: '-1d' }],
    ['no unit', { by: '10' }],
    ['a number', { by: 10 }],
    ['null', { by: null }],
    ['an unknown unit', { by: '3w' }],
    ['a list', [1]],
    ['the end of time', { by: '1000y' }],
  ]
  it.each(bad)('refuses %s and moves nothing', async (_, body) => {
    expect(await hub.call('POST', '/sandbox/clock/advance', { body })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST' },
    })
    expect(hub.inner.clock.offset()).toBe(0)
  })

  it('refuses a large body unread and moves nothing', async () => {
    const body = JSON.stringify({ by: '1d' }).padEnd(20_000)
    expect(await hub.call('POST', '/sandbox/clock/advance', { body })).toMatchObject({
      status: 413,
      body: { code: 'CONTENT_TOO_LARGE' },
    })
    expect(hub.inner.clock.offset()).toBe(0)
  })
})

it('has no controls outside the sandbox profile', async () => {
  const hub = await startHub({ profile: 'staging' })
  try {
    for (const path of ['/sandbox/clock', '/metrics'])
      expect((await hub.call('GET', path)).status).toBe(404)
    for (const path of ['/sandbox/clock/advance', '/sandbox/reset'])
      expect((await hub.call('POST', path)).status).toBe(404)
  } finally {
    await hub.close()
  }
})
