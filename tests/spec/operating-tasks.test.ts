/**
 * Background tasks for an admin and for an operator (contract, section 12): the list, and making
 * them due.
 */
import type { Listener, Task } from '@dragoman/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { parkTask } from '../parked-task.ts'
import { startReceiver } from '../receiver.ts'
import { everything, run } from '../scenario.ts'

type Page = { tasks: Task[]; pagination: { navNext?: string } }
const hour = 3_600_000

describe.each(databases)('tasks on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
    const { secret } = await enrolClient(hub.inner, {
      siteId: 'other',
      clientId: 'other-admin',
      scopes: ['admin'],
    })
    hub.secrets.set('other-admin', secret)
  })
  afterAll(() => hub.close())
  afterEach(() =>
    hub.inner.db.transact(async (tx) => {
      await tx.deleteFrom('tasks').where('site_id', 'is not', null).execute()
      await tx.deleteFrom('tasks').where('parked', '=', 1).execute()
    }),
  )

  const get = async (query = '', as = 'demo-admin') =>
    (await hub.call<Page>('GET', `/v2/tasks${query}`, { as })).body
  const list = async (query?: string, as?: string) => (await get(query, as)).tasks
  const ids = async (query?: string, as?: string) =>
    (await list(query, as)).map(({ taskId }) => taskId)
  const retry = (to: string, as = 'demo-admin', body?: object) =>
    hub.call<Task & { retried?: number; code?: string; message?: string }>(
      'POST',
      `/v2/tasks${to}`,
      {
        as,
        ...(body && { body }),
      },
    )
  const acts = () =>
    hub.inner.db.read.selectFrom('audit').selectAll().orderBy('audit_id', 'desc').execute()
  const now = () => hub.inner.clock.now()
  const later = (more: object = {}) =>
    parkTask(hub, { site_id: 'demo', parked: 0, due_at: now() + hour, ...more })
  /** As a node of another process holds it. */
  const running = (more: object = {}) =>
    parkTask(hub, {
      site_id: 'demo',
      parked: 0,
      leased_by: 'a-node',
      lease_until: now() + hour,
      ...more,
    })

  it('are listed for the admin of their site, and all of them for an operator', async () => {
    const mine = await parkTask(hub, { site_id: 'demo', job_id: '0123456789' })
    const theirs = await parkTask(hub, { site_id: 'other' })
    const [task] = await list()
    expect(task).toEqual({
      taskId: mine,
      name: 'deliver',
      state: 'parked',
      tries: 8,
      lastError: 'It did not work.',
      dueTime: expect.stringMatching(/Z$/),
      createdTime: expect.stringMatching(/Z$/),
      jobId: '0123456789',
      causeId: 'a-cause',
      siteId: 'demo',
    })
    expect(await ids('', 'other-admin')).toEqual([theirs])
    expect(await ids('?siteId=other')).toEqual([mine])
    const all = await list('', 'demo-operator')
    expect(all.map(({ taskId }) => taskId)).toEqual(expect.arrayContaining([mine, theirs]))
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['sweep', 'auto-archive', 'expire-transfers']),
    )
    expect(all.find(({ name }) => name === 'sweep')).not.toHaveProperty('siteId')
    expect(await ids('?siteId=other', 'demo-operator')).toEqual([theirs])
    for (const as of ['demo-connector', 'demo-provider'])
      await run(hub, { name: as, call: 'GET /v2/tasks', as, status: 403, code: 'FORBIDDEN' })
  })

  it('are filtered by name, state, job and due time', async () => {
    const parked = await parkTask(hub, { site_id: 'demo', name: 'deliver', due_at: now() - hour })
    const waits = await later({ name: 'quote', job_id: '0123456789' })
    const runs = await running({ name: 'translate', due_at: now() - 1 })
    // Its node vanished: any other may take it.
    const lost = await running({
      name: 'translate',
      due_at: now() - 2_000,
      lease_until: now() - 1,
      lane: 7,
    })
    for (const as of ['demo-admin', 'demo-operator']) {
      const mine = async (query: string) => {
        const found = await ids(query, as)
        return found.filter((id) => [parked, waits, runs, lost].includes(id))
      }
      expect(await mine('?state=parked')).toEqual([parked])
      expect(await mine('?state=later')).toEqual([waits])
      expect(await mine('?name=quote')).toEqual([waits])
      expect(await mine('?name=quote&state=parked')).toEqual([])
      expect(await mine('?jobId=0123456789')).toEqual([waits])
      expect(await mine('?jobId=0123456789&name=deliver')).toEqual([])
      expect(await mine(`?since=${new Date(now()).toISOString()}`)).toEqual([waits])
      expect(await mine('?state=running')).toContain(runs)
      expect(await mine('?name=translate')).toEqual([runs, lost])
      // The latest due time first.
      expect(await mine('')).toEqual(
        as === 'demo-admin' ? [waits, runs, lost, parked] : expect.arrayContaining([parked]),
      )
    }
    expect((await list('?state=running')).find(({ taskId }) => taskId === runs)).toMatchObject({
      nodeId: 'a-node',
    })
  })

  it('come in pages', async () => {
    for (let at = 0; at < 5; at += 1) await later({ due_at: now() + hour + Math.floor(at / 2) })
    const whole = await ids()
    const seen: string[] = []
    let next: string | undefined
    do {
      const page = await get(`?pageSize=2${next ? `&navNext=${next}` : ''}`)
      seen.push(...page.tasks.map(({ taskId }) => taskId))
      next = page.pagination.navNext
    } while (next)
    expect(seen).toEqual(whole)
    const { pagination } = await get('?pageSize=2')
    const cursor = {
      call: `GET /v2/tasks?navNext=${pagination.navNext}`,
      status: 400,
      code: 'INVALID_CURSOR',
    }
    await run(hub, { ...cursor, name: 'another site', as: 'other-admin' })
    await run(hub, {
      ...cursor,
      name: 'another filter',
      call: `${cursor.call}&state=due`,
      as: 'demo-admin',
    })
  })

  it('are retried one by one: parked and later ones become due at once and run', async () => {
    const parked = await parkTask(hub, { site_id: 'demo' })
    const { status, body } = await retry(`/${parked}/retry`)
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({ taskId: parked, state: 'due', tries: 0 }),
    ])
    expect((await acts())[0]).toMatchObject({
      verb: 'retried',
      thing: 'task',
      thing_id: parked,
      client_id: 'demo-admin',
    })
    const waits = await later()
    expect((await retry(`/${waits}/retry`, 'demo-operator')).body).toMatchObject({
      taskId: waits,
      state: 'due',
    })
    expect((await acts())[0]).toMatchObject({
      thing_id: waits,
      client_id: 'demo-operator',
      site_id: 'demo',
    })
    await hub.advance('1s')
    // Both had nothing to do and are gone.
    expect(await ids()).toEqual([])
    const gone = {
      call: `POST /v2/tasks/${parked}/retry`,
      as: 'demo-admin',
      status: 404,
      code: 'TASK_NOT_FOUND',
    }
    await run(hub, { ...gone, name: 'a task that is done', says: /no longer exists/ })
  })

  it('of a delivery that waits for its next attempt send it at once', async () => {
    const receiver = await startReceiver()
    try {
      const as = 'demo-connector'
      const listener = { uri: receiver.url, type: 'JOB_STATUS_UPDATED' }
      const { body } = await hub.call<Listener>('POST', '/v2/statusupdates/listeners', {
        as,
        body: listener,
      })
      receiver.behave(500)
      await hub.call('POST', `/v2/statusupdates/listeners/${body.listenerId}/test`, { as })
      await hub.advance('1s')
      await hub.advance('6s')
      expect(receiver.calls).toHaveLength(2)
      const [task] = await list('?state=later')
      expect(task).toMatchObject({ name: 'deliver', jobId: expect.stringMatching(/^\w{10}$/) })
      expect(await ids(`?jobId=${task?.jobId}`)).toEqual([task?.taskId])
      receiver.behave(204)
      expect((await retry(`/${task?.taskId}/retry`)).status).toBe(200)
      await hub.advance('1s')
      expect(receiver.calls).toHaveLength(3)
      await hub.call('DELETE', `/v2/statusupdates/listeners/${body.listenerId}`, { as })
    } finally {
      await receiver.close()
    }
  })

  it('that run are refused, and nothing changes', async () => {
    const runs = await running()
    const before = await everything(hub)
    const refused = { as: 'demo-admin', status: 409, code: 'TASK_RUNNING' }
    const says = new RegExp(
      `^Task ${runs} cannot be retried while it runs; wait until the run ends.$`,
    )
    await run(hub, { ...refused, name: 'one', call: `POST /v2/tasks/${runs}/retry`, says })
    await run(hub, {
      ...refused,
      name: 'all',
      call: 'POST /v2/tasks/retry',
      body: { state: 'running' },
    })
    expect(await everything(hub)).toBe(before)
  })

  it('of another site and of the hub are not there for an admin', async () => {
    const theirs = await parkTask(hub, { site_id: 'other' })
    const hubs = await parkTask(hub, { name: 'remove-blobs', payload: '{"blobIds":[]}', lane: 0 })
    const before = await everything(hub)
    for (const [name, id] of Object.entries({ theirs, hubs, words: 'qqq', long: '9'.repeat(30) }))
      await run(hub, {
        ...{
          name,
          call: `POST /v2/tasks/${id}/retry`,
          as: 'demo-admin',
          status: 404,
          code: 'TASK_NOT_FOUND',
        },
      })
    expect(await everything(hub)).toBe(before)
    expect((await retry('/retry', 'demo-admin', {})).body).toEqual({ retried: 0 })
    expect((await retry(`/${hubs}/retry`, 'demo-operator')).body).toMatchObject({
      state: 'due',
      name: 'remove-blobs',
    })
    expect((await acts())[0]).toMatchObject({ thing_id: hubs, site_id: null })
  })

  it('are retried by name and state, also many in the background', async () => {
    await parkTask(hub, {
      site_id: 'demo',
      name: 'quote-job',
      payload: '{"siteId":"demo","jobId":"none"}',
      lane: 0,
    })
    await parkTask(hub, { site_id: 'demo' })
    await parkTask(hub, { site_id: 'other' })
    await later({ name: 'deliver' })
    const done = await retry('/retry', 'demo-admin', { name: 'deliver' })
    expect([done.status, done.body]).toEqual([202, { retried: 1 }])
    const [act] = await acts()
    expect(act).toMatchObject({
      verb: 'retried',
      thing: 'task',
      thing_id: 'deliver',
      fields: '["name"]',
    })
    expect((await retry('/retry', 'demo-admin', { state: 'due' })).body).toEqual({ retried: 0 })
    expect((await retry('/retry', 'demo-admin', { state: 'later' })).body).toEqual({ retried: 1 })
    expect((await retry('/retry', 'demo-operator', { siteId: 'other' })).body).toEqual({
      retried: 1,
    })
    expect((await retry('/retry', 'demo-admin', {})).body).toEqual({ retried: 1 })
    await hub.advance('1s')
    expect([...(await ids()), ...(await ids('', 'other-admin'))]).toEqual([])
    const payload = JSON.stringify({ listenerId: 'none', jobId: 'none' })
    const row = {
      name: 'deliver',
      payload,
      site_id: 'demo',
      key: null,
      due_at: now(),
      attempts: 8,
      parked: 1,
      lane: 1,
    }
    const rows = Array.from({ length: 1_500 }, () => ({
      ...row,
      fence: 1,
      cause_id: 'x',
      created_at: now(),
    }))
    await hub.inner.db.transact(async (tx) => {
      for (let from = 0; from < rows.length; from += 500)
        await tx
          .insertInto('tasks')
          .values(rows.slice(from, from + 500))
          .execute()
    })
    expect((await retry('/retry', 'demo-admin', {})).body).toEqual({ retried: 1_500 })
    for (let tries = 0; tries < 50 && (await ids()).length > 0; tries += 1) await hub.advance('1s')
    expect(await ids()).toEqual([])
  })

  it('are not found or retried by what cannot be understood', async () => {
    for (const query of ['state=lost', 'name=', 'since=soon', 'jobId=!', 'pageSize=0'])
      await run(hub, { name: query, call: `GET /v2/tasks?${query}`, as: 'demo-admin', status: 400 })
    for (const body of [{ state: 'lost' }, { name: 5 }, []])
      await run(hub, {
        name: JSON.stringify(body),
        call: 'POST /v2/tasks/retry',
        as: 'demo-admin',
        body,
        status: 400,
      })
    const long = `POST /v2/tasks/${'x'.repeat(65)}/retry`
    await run(hub, {
      name: 'a long id',
      call: long,
      as: 'demo-admin',
      status: 400,
      code: 'INVALID_PARAMETER',
    })
  })
})
