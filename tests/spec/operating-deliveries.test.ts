/**
 * The deliveries of a site for its admin and for an operator (contract, section 12): lists, facts,
 * causes and replays.
 */
import type { DeliveryCause, Job, Listener, SentDelivery, SiteDelivery } from '@dragoman/contract'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  announce,
  type ListenerEvent,
} from '../../packages/server/src/domain/listeners/announce.ts'
import {
  factsWritten,
  forgetFacts,
} from '../../packages/server/src/domain/listeners/forget-facts.ts'
import { recordUpdate } from '../../packages/server/src/domain/listeners/updates/record.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import type { JobRow } from '../../packages/server/src/store/tables.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { everything, run } from '../scenario.ts'

const own = '/v2/statusupdates/listeners'
/** A failure that the hub does not retry by itself while a test runs. */
const fails = (status: number) => ({ status, headers: { 'retry-after': '3600' } })
type Page<T> = { deliveries: T[]; pagination: { navNext?: string } }

describe.each(databases)('deliveries of a site on %s', (database) => {
  let hub: TestHub
  let receiver: Receiver
  beforeAll(async () => {
    hub = await startHub({ database })
    receiver = await startReceiver()
    for (const [clientId, scope] of [
      ['other-admin', 'admin'],
      ['other-connector', 'content'],
    ] as const) {
      const { secret } = await enrolClient(hub.inner, {
        siteId: 'other',
        clientId,
        scopes: [scope],
      })
      hub.secrets.set(clientId, secret)
    }
  })
  afterAll(async () => {
    await hub.close()
    await receiver.close()
  })
  beforeEach(() => {
    receiver.behave(204)
    receiver.calls.length = 0
  })
  afterEach(async () => {
    await hub.inner.db.transact(async (tx) => {
      await tx.deleteFrom('listeners').execute()
      await tx.deleteFrom('tasks').where('site_id', 'is not', null).execute()
      await tx.deleteFrom('status_updates').execute()
    })
  })

  const call = async <T = Record<string, unknown>>(
    method: string,
    to: string,
    body?: unknown,
    as = 'demo-admin',
  ) => (await hub.call<T>(method, to, { as, ...(body !== undefined && { body }) })).body
  const listen = async (as = 'demo-connector', more: object = {}) => {
    const body = { uri: `${receiver.url}/hook?key=hush`, type: 'REQUEST_STATUS_UPDATED', ...more }
    return (await call<Listener>('POST', own, body, as)).listenerId
  }
  const makeJob = async (as = 'demo-connector'): Promise<JobRow> => {
    const { jobId } = await call<Job>('POST', '/v2/jobs', { jobName: 'A job' }, as)
    return hub.inner.db.read
      .selectFrom('jobs')
      .selectAll()
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow()
  }
  /** A status update and the deliveries of it, unless nobody is told. */
  const update = (job: JobRow, isTold = true): Promise<number> =>
    hub.inner.db.transact(async (tx) => {
      const change = { hub: hub.inner, tx, causeId: 'a-cause' }
      const sequence = await recordUpdate(change, {
        job,
        requestIds: [],
        status: 'REVIEW_TRANSLATION',
      })
      const event: ListenerEvent = {
        kind: 'requests',
        job,
        requestIds: [],
        status: 'REVIEW_TRANSLATION',
        isError: false,
        sequence,
      }
      if (isTold) await announce(change, [event])
      return sequence
    })
  const settle = () => hub.advance('1s')
  const list = async (query = '', as = 'demo-admin') =>
    (await call<Page<SiteDelivery>>('GET', `/v2/deliveries${query}`, undefined, as)).deliveries
  const causes = async (as = 'demo-admin') =>
    (await call<{ causes: DeliveryCause[] }>('GET', '/v2/deliveries/causes', undefined, as)).causes
  const replay = (body: object, as = 'demo-admin') =>
    hub.call<{ replayed?: number; wouldReplay?: number; code?: string }>(
      'POST',
      '/v2/deliveries/replay',
      { as, body },
    )
  const sequences = () => receiver.calls.map(({ body }) => body.sequence)
  const lastAct = () =>
    hub.inner.db.read.selectFrom('audit').selectAll().orderBy('audit_id', 'desc').executeTakeFirst()

  it('are listed newest first for its admin, and of every site for an operator', async () => {
    const [mine, theirs] = [await listen(), await listen('other-connector')]
    await update(await makeJob())
    await settle()
    receiver.behave(fails(503))
    await update(await makeJob())
    await update(await makeJob('other-connector'))
    await settle()
    const [second, first] = await list()
    expect(first).toMatchObject({
      siteId: 'demo',
      listenerId: mine,
      state: 'DELIVERED',
      tries: 1,
      responseCode: 204,
    })
    expect(second).toMatchObject({
      listenerId: mine,
      state: 'PENDING',
      tries: 1,
      responseCode: 503,
      causeId: 'a-cause',
    })
    expect(second?.nextAttemptTime).toBeDefined()
    expect(await list('', 'other-admin')).toMatchObject([{ siteId: 'other', listenerId: theirs }])
    const all = await list('', 'demo-operator')
    expect(all.map(({ siteId }) => siteId)).toEqual(['other', 'demo', 'demo'])
    expect(await list('?siteId=other', 'demo-operator')).toEqual(all.slice(0, 1))
    // An admin stays in its site, whatever it asks for.
    expect(await list('?siteId=other')).toEqual(all.slice(1))
  })

  it('are filtered by state, listener, job, response and time, and by several at once', async () => {
    const [requests, jobs] = [
      await listen(),
      await listen('demo-connector', { type: 'JOB_STATUS_UPDATED' }),
    ]
    const [one, two] = [await makeJob(), await makeJob()]
    await update(one)
    await settle()
    const between = new Date(hub.inner.clock.now()).toISOString()
    await hub.advance('1s')
    receiver.behave(fails(500))
    await update(two)
    await settle()
    const ids = async (query: string, as?: string) =>
      (await list(query, as)).map(({ jobId }) => jobId)
    for (const as of ['demo-admin', 'demo-operator']) {
      expect(await ids('?state=PENDING', as)).toEqual([two.job_id])
      expect(await ids('?state=DELIVERED', as)).toEqual([one.job_id])
      expect(await ids('?state=DELIVERED&state=PENDING', as)).toEqual([two.job_id, one.job_id])
      expect(await ids('?responseCode=500', as)).toEqual([two.job_id])
      expect(await ids('?responseCode=204', as)).toEqual([one.job_id])
      expect(await ids(`?jobId=${one.job_id}`, as)).toEqual([one.job_id])
      expect(await ids(`?jobId=${one.job_id}&state=PARKED`, as)).toEqual([])
      expect(await ids(`?listenerId=${requests}`, as)).toEqual([two.job_id, one.job_id])
      expect(await ids(`?listenerId=${requests}&responseCode=204&state=DELIVERED`, as)).toEqual([
        one.job_id,
      ])
      expect(await ids(`?listenerId=${jobs}`, as)).toEqual([])
      expect(await ids(`?since=${between}`, as)).toEqual([two.job_id])
      expect(await ids(`?until=${between}`, as)).toEqual([one.job_id])
    }
  })

  it('come in pages that lose and repeat nothing, with a cursor of the site and of the filter', async () => {
    await listen()
    for (let at = 0; at < 5; at += 1) await update(await makeJob())
    await settle()
    const whole = await list()
    const seen: SiteDelivery[] = []
    let next: string | undefined
    do {
      const query = `?state=DELIVERED&pageSize=2${next ? `&navNext=${next}` : ''}`
      const page = await call<Page<SiteDelivery>>('GET', `/v2/deliveries${query}`)
      seen.push(...page.deliveries)
      next = page.pagination.navNext
      // A new one does not disturb the pages.
      await update(await makeJob())
      await settle()
    } while (next)
    expect(seen).toEqual(whole)
    const { pagination } = await call<Page<SiteDelivery>>('GET', '/v2/deliveries?pageSize=2')
    const get = {
      call: `GET /v2/deliveries?navNext=${pagination.navNext}`,
      status: 400,
      code: 'INVALID_CURSOR',
    }
    await run(hub, { ...get, name: 'a cursor of another site', as: 'other-admin' })
    await run(hub, {
      ...get,
      name: 'another filter',
      call: `${get.call}&state=PARKED`,
      as: 'demo-admin',
    })
  })

  it('show what was sent and what was answered, without signatures', async () => {
    const listenerId = await listen()
    receiver.behave({ status: 500, body: `why\0${'x'.repeat(5_000)}` })
    await update(await makeJob())
    await settle()
    receiver.behave(204)
    await hub.advance('6s')
    const [{ deliveryId } = { deliveryId: '' }] = await list()
    const found = await call<SentDelivery>('GET', `/v2/deliveries/${deliveryId}`)
    expect(found).toMatchObject({
      deliveryId,
      listenerId,
      state: 'DELIVERED',
      tries: 2,
      requestIds: [],
    })
    expect(found.url).toBe(`${receiver.url}/hook?key=hush`)
    const seen = await call<SentDelivery>(
      'GET',
      `/v2/deliveries/${deliveryId}`,
      undefined,
      'demo-operator',
    )
    const { body: _body, ...rest } = found
    const attempts = found.attempts.map(({ answer: _answer, ...attempt }) => attempt)
    expect(seen).toEqual({ ...rest, attempts, url: `${receiver.url}/hook` })
    expect([found.body, found.body]).toEqual(receiver.calls.map(({ text }) => text))
    const [first, second] = found.attempts
    expect([first?.number, first?.responseCode, second?.number, second?.responseCode]).toEqual([
      1, 500, 2, 204,
    ])
    expect(first?.answer).toMatch(/^why\ufffdx+$/)
    expect(first?.answer?.length).toBe(4_096)
    const { 'webhook-signature': signed, ...sent } = receiver.calls[0]?.headers ?? {}
    expect(first?.headers).toEqual({
      'webhook-id': sent['webhook-id'],
      'webhook-timestamp': sent['webhook-timestamp'],
      'webhook-signature': 'v1,…',
    })
    const stored = await hub.inner.db.read.selectFrom('attempts').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain(signed)
    // Rows of an earlier version still have theirs.
    await hub.inner.db.transact((tx) =>
      tx
        .updateTable('attempts')
        .set({ call_headers: JSON.stringify({ 'webhook-signature': `${signed} v1,abc` }) })
        .execute(),
    )
    const again = await call<SentDelivery>('GET', `/v2/deliveries/${deliveryId}`)
    expect(again.attempts[0]?.headers).toEqual({ 'webhook-signature': 'v1,… v1,…' })
  })

  it('are found under their own site only', async () => {
    await listen()
    await update(await makeJob())
    await settle()
    const [{ deliveryId } = { deliveryId: '' }] = await list()
    const path = `GET /v2/deliveries/${deliveryId}`
    await run(hub, { name: 'operator', call: path, as: 'demo-operator', status: 200 })
    await run(hub, {
      name: 'other site',
      call: path,
      as: 'other-admin',
      status: 404,
      code: 'DELIVERY_NOT_FOUND',
    })
    await run(hub, {
      name: 'unknown',
      call: 'GET /v2/deliveries/nothing',
      as: 'demo-admin',
      status: 404,
    })
    for (const [method, to] of [
      ['GET', path.slice(4)],
      ['GET', '/v2/deliveries'],
      ['GET', '/v2/deliveries/causes'],
      ['POST', '/v2/deliveries/replay'],
    ] as const)
      for (const as of ['demo-connector', 'demo-provider'])
        await run(hub, {
          name: `${as} ${to}`,
          call: `${method} ${to}`,
          as,
          status: 403,
          code: 'FORBIDDEN',
        })
  })

  it('that fail are grouped by their cause', async () => {
    const [mine, theirs] = [await listen(), await listen('other-connector')]
    receiver.behave(fails(503))
    for (let at = 0; at < 3; at += 1) {
      const job = await makeJob()
      await update(job)
      // Waits behind the first and does not fail itself.
      await update(job)
    }
    await settle()
    receiver.behave('reset')
    await update(await makeJob())
    await update(await makeJob('other-connector'))
    await settle()
    // Without a response there is no Retry-After.
    const later = hub.inner.clock.now() + 3_600_000
    await hub.inner.db.transact(async (tx) => {
      await tx.updateTable('tasks').set({ due_at: later }).where('name', '=', 'deliver').execute()
      await tx
        .updateTable('deliveries')
        .set({ next_attempt_at: later })
        .where('state', '=', 'PENDING')
        .execute()
    })
    receiver.behave(204)
    await update(await makeJob())
    await settle()
    const host = `127.0.0.1:${receiver.port}`
    const found = await causes()
    expect(found).toMatchObject([
      { siteId: 'demo', listenerId: mine, host, responseCode: 503, count: 3 },
      {
        siteId: 'demo',
        listenerId: mine,
        host,
        error: 'The connection was closed. (UND_ERR_SOCKET)',
        count: 1,
      },
    ])
    expect(found[0]?.says).toBe(`3 deliveries do not arrive: ${host} answers 503.`)
    expect(found[1]?.says).toBe(
      '1 delivery does not arrive: The connection was closed. (UND_ERR_SOCKET)',
    )
    expect((found[0]?.firstTime ?? '') < (found[0]?.lastTime ?? '')).toBe(true)
    expect(await call('GET', `/v2/deliveries/${found[0]?.deliveryId}`)).toMatchObject({
      responseCode: 503,
    })
    expect((await causes('other-admin')).map(({ listenerId }) => listenerId)).toEqual([theirs])
    expect(await causes('demo-operator')).toHaveLength(3)
    // Once they arrive, nothing fails.
    await hub.advance('2h')
    expect(await causes('demo-operator')).toEqual([])
  })

  it('that were parked with their listener name it as disabled', async () => {
    await listen()
    receiver.behave(500)
    const job = await makeJob()
    await update(job)
    await update(job)
    await settle()
    receiver.behave(410)
    await hub.advance('6m')
    const says = (await causes()).map((cause) => cause.says)
    const disabled = 'The listener is disabled; enable it to send them.'
    const host = `127.0.0.1:${receiver.port}`
    expect(says.sort()).toEqual([
      `1 delivery does not arrive: ${host} answers 410. ${disabled}`,
      `1 delivery does not arrive: nothing was sent to ${host} yet. ${disabled}`,
    ])
  })

  it.each(['failed', 'all', 'missing'] as const)(
    'are counted by a dry run, which a replay of mode %s equals',
    async (mode) => {
      const listenerId = await listen()
      await update(await makeJob())
      await settle()
      receiver.behave(fails(500))
      await update(await makeJob())
      await update(await makeJob())
      await update(await makeJob(), false)
      await settle()
      receiver.behave(204)
      receiver.calls.length = 0
      const before = await everything(hub)
      const body = { filter: { listenerId }, mode }
      const dry = await replay({ ...body, dryRun: true })
      const expected = { failed: 2, all: 3, missing: 3 }[mode]
      expect([dry.status, dry.body]).toEqual([200, { wouldReplay: expected }])
      expect(await everything(hub)).toBe(before)
      const done = await replay(body)
      expect([done.status, done.body]).toEqual([202, { replayed: expected }])
      await settle()
      expect(receiver.calls).toHaveLength(expected)
      expect(await lastAct()).toMatchObject({
        verb: 'deliveries replayed',
        thing: 'listener',
        thing_id: listenerId,
        client_id: 'demo-admin',
        site_id: 'demo',
        fields: JSON.stringify([mode, 'listenerId']),
      })
      const after = await replay({ ...body, dryRun: true })
      expect(after.body).toEqual({ wouldReplay: mode === 'all' ? 3 : 0 })
    },
  )

  it('are replayed by id: all of them, or those that fail', async () => {
    await listen()
    receiver.behave(({ body }) => (body.sequence === first ? 204 : fails(500)))
    const first =
      (await hub.inner.db.read.selectFrom('update_counters').selectAll().execute()).reduce(
        (last, row) => (row.client_id === 'demo-connector' ? row.last : last),
        0,
      ) + 1
    await update(await makeJob())
    await update(await makeJob())
    await settle()
    const deliveryIds = (await list()).map(({ deliveryId }) => deliveryId)
    expect((await replay({ deliveryIds, mode: 'failed', dryRun: true })).body).toEqual({
      wouldReplay: 1,
    })
    receiver.behave(204)
    receiver.calls.length = 0
    expect((await replay({ deliveryIds: [...deliveryIds, ...deliveryIds] })).body).toEqual({
      replayed: 2,
    })
    await settle()
    expect(sequences().sort()).toEqual([first, first + 1])
    // An id of another site is as unknown as one that does not exist, and nothing is sent.
    const before = await everything(hub)
    const stranger = {
      name: 'ids of another site',
      call: 'POST /v2/deliveries/replay',
      body: { deliveryIds },
    }
    await run(hub, { ...stranger, as: 'other-admin', status: 404, code: 'DELIVERY_NOT_FOUND' })
    await run(hub, {
      ...stranger,
      as: 'demo-admin',
      body: { deliveryIds: [...deliveryIds, 'nothing'] },
      status: 404,
    })
    expect(await everything(hub)).toBe(before)
    expect((await replay({ filter: {}, mode: 'all', dryRun: true }, 'other-admin')).body).toEqual({
      wouldReplay: 0,
    })
  })

  it('of several listeners and sites are replayed by an operator, in the order of each job', async () => {
    const mine = await listen()
    const theirs = await listen('other-connector')
    const [job, other] = [await makeJob(), await makeJob('other-connector')]
    receiver.behave(fails(500))
    for (let at = 0; at < 3; at += 1) {
      await update(job)
      await update(other)
    }
    await settle()
    await hub.inner.db.transact((tx) =>
      tx.updateTable('deliveries').set({ state: 'PARKED', next_attempt_at: null }).execute(),
    )
    receiver.behave(204)
    receiver.calls.length = 0
    const body = { filter: { state: ['PARKED'], responseCode: 500 }, mode: 'failed' }
    expect(
      (
        await replay(
          { ...body, filter: { ...body.filter, siteId: 'demo' }, dryRun: true },
          'demo-operator',
        )
      ).body,
    ).toEqual({ wouldReplay: 1 })
    expect((await replay(body, 'demo-operator')).body).toEqual({ replayed: 2 })
    expect((await replay({ filter: { state: 'PARKED' } }, 'demo-operator')).body).toEqual({
      replayed: 4,
    })
    await settle()
    for (const listenerId of [mine, theirs]) {
      const got = receiver.calls
        .filter(({ body }) => body.listenerId === listenerId)
        .map(({ body }) => Number(body.sequence))
      expect(got).toHaveLength(3)
      expect(got).toEqual([...got].sort((a, b) => a - b))
    }
    const acts = await hub.inner.db.read
      .selectFrom('audit')
      .selectAll()
      .orderBy('audit_id', 'desc')
      .limit(2)
      .execute()
    expect(acts.map(({ thing_id, site_id }) => [thing_id, site_id]).sort()).toEqual(
      [
        [mine, 'demo'],
        [theirs, 'other'],
      ].sort(),
    )
  })

  /** Many jobs with eleven rows each, so that they are sent beside each other. */
  const many = 1_100
  const jobOf = (at: number) => `J${String(at % 100).padStart(9, '0')}`
  /** What the receiver got of each job is in order, and it got everything. */
  const expectAllInOrder = (first: number) => {
    const last = new Map<unknown, number>()
    for (const { body } of receiver.calls) {
      expect(Number(body.sequence)).toBeGreaterThan(last.get(body.jobId) ?? -1)
      last.set(body.jobId, Number(body.sequence))
    }
    const all = sequences().sort((a, b) => Number(a) - Number(b))
    expect(all).toEqual(Array.from({ length: many }, (_, at) => first + at))
  }
  const settleAll = async () => {
    for (let tries = 0; tries < 200 && receiver.calls.length < many; tries += 1) await settle()
  }

  it('that are many are replayed in the background, oldest first', async () => {
    const listenerId = await listen()
    await update(await makeJob())
    await settle()
    const [sample] = await hub.inner.db.read.selectFrom('deliveries').selectAll().execute()
    if (!sample) throw new Error('There is no delivery.')
    await hub.inner.db.transact(async (tx) => {
      const rows = Array.from({ length: many }, (_, at) => ({
        ...sample,
        // Over several slices.
        ...{
          position: sample.position + 4 * (at + 1),
          delivery_id: `d-${at}`,
          job_id: jobOf(at),
          sequence: at,
        },
        ...{
          state: 'PARKED' as const,
          created_at: sample.created_at + 1,
          body: JSON.stringify({ jobId: jobOf(at), sequence: at }),
        },
      }))
      for (let from = 0; from < many; from += 100)
        await tx
          .insertInto('deliveries')
          .values(rows.slice(from, from + 100))
          .execute()
    })
    receiver.calls.length = 0
    const since = new Date(sample.created_at + 1).toISOString()
    const body = { filter: { listenerId, since }, mode: 'all' }
    expect((await replay({ ...body, dryRun: true })).body).toEqual({ wouldReplay: many })
    expect((await replay(body)).body).toEqual({ replayed: many })
    await settleAll()
    expectAllInOrder(0)
  })

  it('that are missing are created in the order of the updates, before later ones that still wait', async () => {
    const listenerId = await listen()
    const job = await makeJob()
    const first = await update(job)
    await settle()
    const lost = [await update(job, false), await update(job, false)]
    receiver.behave(fails(500))
    const late = await update(job)
    await settle()
    const lastLost = await update(job, false)
    const waiting = await list('?state=PENDING')
    receiver.behave(204)
    receiver.calls.length = 0
    expect(
      (await replay({ filter: { listenerId, jobId: job.job_id }, mode: 'missing' })).body,
    ).toEqual({ replayed: 4 })
    await settle()
    expect(sequences()).toEqual([...lost, late, lastLost])
    // The delivery that had failed is the same one, with its attempts.
    const [moved] = await list(`?state=DELIVERED&jobId=${job.job_id}`).then((all) =>
      all.filter(({ sequence }) => sequence === late),
    )
    expect(moved?.deliveryId).toBe(waiting[0]?.deliveryId)
    expect(
      (await call<SentDelivery>('GET', `/v2/deliveries/${moved?.deliveryId}`)).attempts,
    ).toHaveLength(2)
    const created = receiver.calls[0]?.body
    expect(created).toMatchObject({
      eventType: 'REQUEST_UPDATE',
      jobId: job.job_id,
      statusCode: 'REVIEW_TRANSLATION',
    })
    expect((await list()).map(({ sequence }) => sequence)).toContain(first)
    // Nothing is missing for a listener that does not want this status, or that is disabled.
    for (const change of [
      { statusCodes: ['CANCELLED'] },
      { disabled: true, statusCodes: ['REVIEW_TRANSLATION'] },
    ]) {
      await call('PATCH', `${own}/${listenerId}`, change, 'demo-connector')
      await update(job, false)
      expect((await replay({ filter: {}, mode: 'missing', dryRun: true })).body).toEqual({
        wouldReplay: 0,
      })
    }
  })

  it('that are missing by the thousand are created in the background', async () => {
    await listen('other-connector')
    await update(await makeJob('other-connector'), false)
    const [sample] = await hub.inner.db.read.selectFrom('status_updates').selectAll().execute()
    if (!sample) throw new Error('There is no update.')
    await hub.inner.db.transact(async (tx) => {
      const more = (at: number) => ({
        ...{
          ...sample,
          update_id: `u-${at}`,
          sequence: sample.sequence + at + 1,
          job_id: jobOf(at),
        },
      })
      for (let from = 0; from < many; from += 100)
        await tx
          .insertInto('status_updates')
          .values(Array.from({ length: 100 }, (_, at) => more(from + at)))
          .execute()
      await tx.deleteFrom('status_updates').where('update_id', '=', sample.update_id).execute()
    })
    const body = { filter: { siteId: 'other' }, mode: 'missing' }
    expect((await replay({ ...body, dryRun: true }, 'demo-operator')).body).toEqual({
      wouldReplay: many,
    })
    expect((await replay(body, 'demo-operator')).body).toEqual({ replayed: many })
    await settleAll()
    expectAllInOrder(sample.sequence + 1)
  })

  it('are not replayed by what cannot be understood', async () => {
    await listen()
    await update(await makeJob())
    await settle()
    const before = await everything(hub)
    const post = {
      call: 'POST /v2/deliveries/replay',
      as: 'demo-admin',
      status: 400,
      code: 'INVALID_REQUEST',
    }
    for (const [name, body, says] of [
      ['nothing', {}, /send deliveryIds or a filter/],
      ['both', { deliveryIds: ['x'], filter: {} }, /send deliveryIds or a filter/],
      ['an unknown mode', { filter: {}, mode: 'some' }, /mode/],
      ['an unknown state', { filter: { state: 'LOST' } }, /state/],
      ['a response that is none', { filter: { responseCode: 99 } }, /responseCode/],
      ['a time that is none', { filter: { since: 'yesterday' } }, /since/],
      ['ids that are missing', { deliveryIds: ['x'], mode: 'missing' }, /missing needs a filter/],
      [
        'a state that is missing',
        { filter: { state: 'PARKED' }, mode: 'missing' },
        /use only listenerId, jobId/,
      ],
      ['no ids', { deliveryIds: [] }, /deliveryIds/],
      ['a dry run that is none', { filter: {}, dryRun: 'yes' }, /dryRun/],
    ] as const)
      await run(hub, { ...post, name, body, says })
    for (const query of [
      'state=LOST',
      'responseCode=x',
      'since=yesterday',
      'listenerId=!',
      'navNext=x',
      'pageSize=51',
    ])
      await run(hub, {
        name: query,
        call: `GET /v2/deliveries?${query}`,
        as: 'demo-admin',
        status: 400,
      })
    expect(await everything(hub)).toBe(before)
  })

  it('keep headers and responses for 30 days and up to a number of bytes, the oldest go first', async () => {
    await listen()
    receiver.behave({ ...fails(500), body: 'a'.repeat(4_000) })
    const facts = async () => {
      const rows = await hub.inner.db.read
        .selectFrom('attempts')
        .selectAll()
        .orderBy('position')
        .execute()
      return rows.map(
        ({ answer_head, call_headers }) => answer_head !== null && call_headers !== null,
      )
    }
    for (let at = 0; at < 4; at += 1) {
      await update(await makeJob())
      await settle()
    }
    await forgetFacts(hub.inner, { maxBytes: 20_000, sliceSize: 1 })
    expect(await facts()).toEqual([true, true, true, true])
    await forgetFacts(hub.inner, { maxBytes: 10_000, sliceSize: 1 })
    expect(await facts()).toEqual([false, false, true, true])
    const oldest = (await list()).at(-1)
    const shown = await call<SentDelivery>('GET', `/v2/deliveries/${oldest?.deliveryId}`)
    expect(shown.attempts).toEqual([expect.not.objectContaining({ answer: expect.anything() })])
    expect(shown).toMatchObject({ responseCode: 500, body: expect.any(String) })
    // A node that has written much asks for it at once.
    factsWritten(hub.inner).bytes = 1024 ** 3
    await update(await makeJob())
    await settle()
    expect(factsWritten(hub.inner).bytes).toBeLessThan(10_000)
    await hub.inner.db.transact((tx) =>
      tx.updateTable('deliveries').set({ state: 'PARKED', next_attempt_at: null }).execute(),
    )
    await hub.advance('31d')
    await forgetFacts(hub.inner)
    expect(new Set(await facts())).toEqual(new Set([false]))
  })
})
