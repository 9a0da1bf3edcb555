/**
 * `GET /console/stream`: what changed anywhere in the hub reaches everybody who may see it, on
 * every node.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { type Job, type Listener, limits, type Role, type StreamEvent } from '@dragoman/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { recordActs } from '../../packages/server/src/domain/access/audit/record-acts.ts'
import type { Caller } from '../../packages/server/src/domain/access/caller.ts'
import { demoPersonId } from '../../packages/server/src/domain/people/sessions.ts'
import {
  currentPositions,
  readChanges,
  readPositions,
} from '../../packages/server/src/domain/views/changes/read-changes.ts'
import { eventsText, heardBy, openFeed } from '../../packages/server/src/doors/console/feed.ts'
import { sendTo, topicsOf } from '../../packages/server/src/doors/console/stream.ts'
import { type OpenedStream, openStream as open } from '../event-stream.ts'
import { holdTimers } from '../held-timers.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { parkTask } from '../parked-task.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { type Nodes, startNodes } from '../two-nodes.ts'

const callerOf = (siteId: string, ...roles: Role[]): Caller => ({
  siteId,
  clientId: 'console',
  person: {
    personId: 'p',
    name: 'P',
    roles,
    sites: [{ siteId, roles }],
    sessionId: 'none',
    confirmed: true,
  },
  scopes: ['admin'],
  providerIds: [],
  pageFormat: 'full',
  since: undefined,
  quotas: {},
})

/** How many the hub counts as open. */
const streamsOf = async (hub: TestHub): Promise<number> =>
  Number(
    /^dragoman_console_streams (\d+)$/m.exec((await hub.call<string>('GET', '/metrics')).body)?.[1],
  )

describe.each(databases)('the event stream of the console on %s', (database) => {
  let nodes: Nodes
  let receiver: Receiver
  let hub: TestHub
  const opened: OpenedStream[] = []
  const openStream: typeof open = async (...given) => {
    const stream = await open(...given)
    opened.push(stream)
    return stream
  }
  beforeAll(async () => {
    nodes = await startNodes(database)
    ;({ hub } = nodes)
    receiver = await startReceiver()
  })
  afterEach(async () => {
    for (const stream of opened.splice(0)) stream.close()
  })
  afterAll(async () => {
    await nodes.close()
    await receiver.close()
  })
  const makeJob = async (jobName = 'A job', url = hub.url) =>
    (await hub.call<Job>('POST', `${url}/v2/jobs`, { as: 'demo-connector', body: { jobName } }))
      .body.jobId
  /** The node that did not make the change, if there are two. */
  const far = () => nodes.urls.at(-1) ?? ''

  it('tells on every node of a job that was made, changed and deleted, with ids and versions alone', async () => {
    const stream = await openStream(far())
    expect([stream.status, stream.headers.get('content-type')]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ])
    expect(stream.headers.get('cache-control')).toBe('no-store')
    expect(stream.headers.get('x-accel-buffering')).toBe('no')
    const jobId = await makeJob('Its name is told to nobody')
    expect(await stream.until('job', jobId)).toEqual({
      topic: 'job',
      id: jobId,
      version: expect.any(Number),
    })
    const seen = stream.events.length
    await hub.call('PATCH', `/v2/jobs/${jobId}`, {
      as: 'demo-connector',
      body: { description: 'x' },
    })
    await expect
      .poll(() =>
        stream.events.slice(seen).filter((event) => event.id === jobId && event.topic === 'job'),
      )
      .not.toEqual([])
    await stream.until('timeline', jobId)
    const then = stream.events.length
    await hub.call('DELETE', `/v2/jobs/${jobId}`, { as: 'demo-connector' })
    await expect
      .poll(() =>
        stream.events.slice(then).some(({ topic, id }) => topic === 'job' && id === jobId),
      )
      .toBe(true)
    expect(JSON.stringify(stream.events)).not.toContain('Its name')
    const names = new Set(stream.events.flatMap((event) => Object.keys(event)))
    expect([...names].sort()).toEqual(['id', 'topic', 'version'])
  })

  it('tells of deliveries and their attempts, of listeners, calls and acts', async () => {
    const stream = await openStream(far())
    const body = { uri: `${receiver.url}/hook`, type: 'JOB_STATUS_UPDATED' }
    const made = await hub.call<Listener>('POST', '/v2/statusupdates/listeners', {
      as: 'demo-connector',
      body,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    await stream.until('listener', made.body.listenerId)
    await stream.until('audit')
    const tested = await hub.call<{ deliveryId?: string }>(
      'POST',
      `/v2/statusupdates/listeners/${made.body.listenerId}/test`,
      { as: 'demo-connector' },
    )
    expect(tested.status).toBe(202)
    const jobId = await makeJob()
    const job = await hub.inner.db.read
      .selectFrom('jobs')
      .selectAll()
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow()
    expect(job.job_id).toBe(jobId)
    const traced = await hub.call('GET', `/v2/jobs/${jobId}`, { as: 'demo-connector' })
    await stream.until('call', traced.headers.get('x-request-id') ?? '')
    await hub.call('PATCH', `/v2/statusupdates/listeners/${made.body.listenerId}`, {
      as: 'demo-connector',
      body: { disabled: true },
    })
    await stream.until('delivery')
  })

  it('resumes after a cut where it was, on another node too', async () => {
    const first = await openStream(hub.url)
    await first.until('job', await makeJob())
    first.close()
    const missed = await makeJob()
    const second = await openStream(far(), { after: first.position() })
    await second.until('job', missed)
    const byHeader = await openStream(hub.url, { headers: { 'last-event-id': first.position() } })
    await byHeader.until('job', missed)
  })

  it('tells that a task is parked or revived without an act, also one in place of another', async () => {
    const first = await parkTask(hub)
    const stream = await openStream(far())
    const { inner } = hub
    const told = async (act: () => Promise<unknown>) => {
      const seen = stream.events.length
      await act()
      await expect
        .poll(() => stream.events.slice(seen).some(({ topic }) => topic === 'task'))
        .toBe(true)
    }
    await told(() =>
      inner.db.transact(async (tx) => {
        const row = await tx
          .selectFrom('tasks')
          .selectAll()
          .where('task_id', '=', Number(first))
          .executeTakeFirstOrThrow()
        const another = { ...row, task_id: row.task_id + 1_000_000 }
        await tx.insertInto('tasks').values(another).execute()
        await tx.deleteFrom('tasks').where('task_id', '=', row.task_id).execute()
      }),
    )
    await told(() =>
      inner.db.transact((tx) =>
        tx.deleteFrom('tasks').where('parked', '=', 1).where('key', 'is', null).execute(),
      ),
    )
  })

  it('tells who resumes that tasks and findings may have changed meanwhile, and keeps the position till then', async () => {
    const first = await openStream(hub.url)
    await first.until('job', await makeJob())
    first.close()
    await parkTask(hub)
    const second = await openStream(far(), { after: first.position() })
    for (const topic of ['task', 'finding', 'clock'] as const) await second.until(topic)
    expect(second.position()).not.toBe('')
    const unknown = await openStream(far(), { after: 'nonsense' })
    await unknown.until('all')
    expect(unknown.position()).not.toBe('')
    await hub.inner.db.transact((tx) => tx.deleteFrom('tasks').where('parked', '=', 1).execute())
  })

  it.each(['nonsense', 'zz.zz.zz.zz.zzzzzzzzzz', '1.1.1.1.1.1', '%00'])(
    'says that anything may have changed for a position that it does not know: %s',
    async (after) => {
      const stream = await openStream(hub.url, { after })
      expect(await stream.until('all')).toEqual({ topic: 'all' })
    },
  )

  it('says what the console reads to nobody: it would read it again for ever', async () => {
    const stream = await openStream(hub.url)
    const { headers } = await hub.call('GET', '/console/api/jobs')
    const traced = await hub.call('GET', '/v2/jobs', { as: 'demo-connector' })
    await stream.until('call', traced.headers.get('x-request-id') ?? '')
    expect(stream.events.map(({ id }) => id)).not.toContain(headers.get('x-request-id'))
  })

  it('leaves no place taken if its browser goes while it is opened', async () => {
    const { hostname, port } = new URL(hub.url)
    const text = `GET /console/stream HTTP/1.1\r\nhost: ${hostname}:${port}\r\ncookie: holder=gone\r\n\r\n`
    await Promise.all(
      Array.from({ length: 200 }, async (_, at) => {
        const socket = connect(Number(port), hostname)
        socket.on('error', () => {})
        await once(socket, 'connect')
        socket.write(text)
        // At different moments: before the call is read, while the session is looked up, and after
        // that.
        for (let turn = 0; turn < at % 20; turn += 1) await setImmediate()
        socket.resetAndDestroy()
      }),
    )
    await expect.poll(() => streamsOf(hub)).toBe(0)
    expect((await openStream(hub.url, { headers: { cookie: 'holder=gone' } })).status).toBe(200)
  })

  it('tells one site nothing of another, and an operator nothing of any site', async () => {
    const from = await currentPositions(hub.inner)
    const jobId = await makeJob()
    const { changes } = (await readChanges(hub.inner, from)) ?? { changes: [] }
    const told = (caller: Caller) =>
      heardBy({ siteId: caller.siteId, topics: topicsOf(caller) }, changes).map(({ id }) => id)
    expect(told(callerOf('demo', 'viewer'))).toContain(jobId)
    expect(told(callerOf('other', 'admin'))).not.toContain(jobId)
    expect(told(callerOf('', 'operator'))).not.toContain(jobId)
    expect([...topicsOf(callerOf('', 'operator'))]).not.toContain('job')
    expect([...topicsOf(callerOf('demo', 'viewer'))]).not.toContain('call')
    expect([...topicsOf(callerOf('demo', 'viewer'))]).not.toContain('audit')
    expect([...topicsOf(callerOf('demo', 'developer'))]).toContain('call')
  })

  it('says once that many changed, in place of each', async () => {
    const from = await currentPositions(hub.inner)
    await hub.inner.db.transact(async (tx) => {
      const row = await tx.selectFrom('jobs').selectAll().limit(1).executeTakeFirstOrThrow()
      const rows = Array.from({ length: 300 }, (_, at) => ({
        ...row,
        job_id: `many${String(at).padStart(6, '0')}`,
        modified_at: hub.inner.clock.now(),
      }))
      for (let at = 0; at < rows.length; at += 50)
        await tx
          .insertInto('jobs')
          .values(rows.slice(at, at + 50))
          .execute()
    })
    const read = await readChanges(hub.inner, from)
    const text = eventsText(read?.changes ?? [], 'x')
    expect(text).toContain('data: {"topic":"job"}')
    expect(text).not.toContain('many000299')
    expect(text.length).toBeLessThan(2_000)
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('jobs').where('job_id', 'like', 'many%').execute(),
    )
  })
})

describe('an event stream', () => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub()
  })
  afterAll(() => hub.close())
  const streamsNow = () => streamsOf(hub)

  it('is refused without a session', async () => {
    const stream = await open(hub.url, { headers: { 'sec-fetch-site': 'same-site' } })
    expect(stream.status).toBe(401)
  })

  it('is refused to a page of another site', async () => {
    const stream = await open(hub.url, { headers: { 'sec-fetch-site': 'cross-site' } })
    expect(stream.status).toBe(403)
  })

  it('is counted while it is open, and is no call in the metrics or the log', async () => {
    const before = await streamsNow()
    const stream = await open(hub.url)
    expect(await streamsNow()).toBe(before + 1)
    stream.close()
    await expect.poll(streamsNow).toBe(before)
    expect((await hub.call<string>('GET', '/metrics')).body).not.toMatch(
      /dragoman_call_seconds_count\{[^}]*console\/stream[^}]*status="200"/,
    )
    const lines = hub.logged().split('\n')
    expect(
      lines.filter((line) => line.includes('/console/stream') && line.includes('"status":200')),
    ).toEqual([])
  })

  it('is refused beyond the limit of a session, and closes with its browser', async () => {
    const headers = { cookie: 'holder=one' }
    const streams = await Promise.all(
      Array.from({ length: limits.streamsPerSession }, () => open(hub.url, { headers })),
    )
    expect((await open(hub.url, { headers })).status).toBe(429)
    const other = await open(hub.url, { headers: { cookie: 'holder=two' } })
    expect(other.status).toBe(200)
    for (const stream of [...streams, other]) stream.close()
    await expect.poll(streamsNow).toBe(0)
  })

  it('is dropped if it is not read', () => {
    const unread = new PassThrough()
    const text = 'x'.repeat(8_192)
    for (let at = 0; at < 5; at++) sendTo(unread, text)
    expect(unread.destroyed).toBe(false)
    for (let at = 0; at < 10; at++) sendTo(unread, text)
    expect(unread.destroyed).toBe(true)
  })

  it('is closed when the hub stops, which does not wait for it', async () => {
    const own = await startHub()
    const stream = await open(own.url)
    // The limit after which a stopping hub ends connections never comes.
    holdTimers(10_000)
    const closing = own.close()
    await stream.ended
    await closing
  })

  it('sends a comment now and then', async () => {
    const sent: string[] = []
    const feed = openFeed(hub.inner, { beatMs: 5, everyMs: 1_000 })
    const follower = {
      siteId: 'demo',
      topics: new Set<never>(),
      send: (text: string) => void sent.push(text),
      end: () => {},
    }
    await feed.join(follower)
    await expect.poll(() => sent.length).toBeGreaterThan(2)
    feed.close()
    expect(sent.every((text) => text === ':\n\n')).toBe(true)
  })

  it('reads nothing while nobody follows', async () => {
    let reads = 0
    const read = hub.inner.db.read.withPlugin({
      transformQuery: ({ node }) => {
        reads += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const feed = openFeed({ ...hub.inner, db: { ...hub.inner.db, read } }, { everyMs: 1 })
    const follower = { siteId: 'demo', topics: new Set<never>(), send: () => {}, end: () => {} }
    expect(reads).toBe(0)
    await feed.join(follower)
    await expect.poll(() => reads).toBeGreaterThan(20)
    feed.leave(follower)
    /** Far longer than the feed waits between two reads. */
    const readsMeanwhile = async () => {
      const before = reads
      for (let time = 0; time < 50; time += 1) {
        await hub.inner.db.read.selectFrom('jobs').select('job_id').limit(1).execute()
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
      return reads - before
    }
    // A read that was under way may still end.
    await until('the last read is over', async () => (await readsMeanwhile()) === 0)
    expect(await readsMeanwhile()).toBe(0)
  })

  it('begins anew when the sandbox is reset', async () => {
    const stream = await open(hub.url)
    await hub.call('POST', '/v2/jobs', { as: 'demo-connector', body: { jobName: 'A job' } })
    await stream.until('call')
    await hub.call('POST', '/sandbox/reset', { body: {} })
    await stream.until('all')
    stream.close()
  })

  it('ends when the roles of its person change', async () => {
    const stream = await open(hub.url)
    expect(stream.status).toBe(200)
    await hub.inner.db.transact(async (tx) => {
      await tx
        .deleteFrom('person_roles')
        .where('person_id', '=', demoPersonId)
        .where('role', '=', 'operator')
        .execute()
      await recordActs(hub.inner, tx, { actor: 'hub', traceId: 'x' }, [
        { thing: 'person', verb: 'changed', id: demoPersonId },
      ])
    })
    await stream.ended
  })

  it('tells of a clock that was moved', async () => {
    const stream = await open(hub.url)
    await hub.advance('2h')
    await stream.until('clock')
    stream.close()
  })

  it('writes and reads positions', () => {
    expect(readPositions('1.2.3.4.z')).toEqual({
      jobs: 1,
      attempts: 2,
      deliveries: 3,
      calls: 4,
      audit: 35,
    })
    for (const wrong of [
      '',
      '1',
      '1.2.3.4',
      '1.2.3.4.5.6',
      '1.2.3.4.-5',
      '1.2.3.4.5_',
      'A.2.3.4.5',
      '1.2.3.4.zzzzzzzzzzzz',
    ])
      expect(readPositions(wrong), wrong).toBeUndefined()
  })

  it('tells each thing once, at its newest version, with the position behind the last', () => {
    const of = (...changes: StreamEvent[]) =>
      eventsText(
        changes.map((change) => ({ ...change, siteId: 'x' })),
        'at',
      )
    expect(
      of(
        { topic: 'job', id: 'a', version: 2 },
        { topic: 'job', id: 'a', version: 1 },
        { topic: 'call' },
      ),
    ).toBe('data: {"topic":"job","id":"a","version":2}\n\nid: at\ndata: {"topic":"call"}\n\n')
    expect(of({ topic: 'job', id: 'a' }, { topic: 'job' })).toBe(
      'id: at\ndata: {"topic":"job"}\n\n',
    )
    expect(of()).toBe('')
  })
})
