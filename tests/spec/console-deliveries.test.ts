/**
 * What the console asks about deliveries and listeners: counts, why a signature differs, figures,
 * and acting for a client.
 */
import { createHmac } from 'node:crypto'
import {
  type Delivery,
  type DeliveryCounts,
  type Job,
  type Listener,
  type ListenerStatistics,
  limits,
  type SignatureCheck,
} from '@dragoman/contract'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../../packages/server/src/domain/access/caller.ts'
import { announce } from '../../packages/server/src/domain/listeners/announce.ts'
import { sendEdited } from '../../packages/server/src/domain/listeners/send-edited.ts'
import { keyOf } from '../../packages/server/src/domain/listeners/sign.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import type { JobRow } from '../../packages/server/src/store/tables.ts'
import { atConsole } from '../console/at-console.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { everything } from '../scenario.ts'

const own = '/v2/statusupdates/listeners'
const fails = (status: number) => ({ status, headers: { 'retry-after': '3600' } })

describe.each(databases)('deliveries at the console on %s', (database) => {
  let hub: TestHub
  let receiver: Receiver
  beforeAll(async () => {
    hub = await startHub({ database })
    receiver = await startReceiver()
    const { secret } = await enrolClient(hub.inner, {
      siteId: 'other',
      clientId: 'other-connector',
      scopes: ['content'],
    })
    hub.secrets.set('other-connector', secret)
  })
  afterAll(async () => {
    await hub.close()
    await receiver.close()
  })
  afterEach(async () => {
    receiver.behave(204)
    receiver.calls.length = 0
    await hub.inner.db.transact(async (tx) => {
      await tx.deleteFrom('listeners').execute()
      await tx.deleteFrom('tasks').where('site_id', 'is not', null).execute()
    })
  })
  const call = <T = Record<string, unknown>>(method: string, path: string, body?: unknown) =>
    atConsole<T>(hub, method, path, body)
  const listen = async (as = 'demo-connector', more: object = {}) => {
    const body = { uri: `${receiver.url}/hook`, type: 'REQUEST_STATUS_UPDATED', ...more }
    return (await hub.call<Listener>('POST', own, { as, body })).body
  }
  const makeJob = async (as = 'demo-connector'): Promise<JobRow> => {
    const { body } = await hub.call<Job>('POST', '/v2/jobs', { as, body: { jobName: 'A job' } })
    return hub.inner.db.read
      .selectFrom('jobs')
      .selectAll()
      .where('job_id', '=', body.jobId)
      .executeTakeFirstOrThrow()
  }
  const update = (job: JobRow) =>
    hub.inner.db.transact((tx) =>
      announce({ hub: hub.inner, tx, causeId: 'a-cause' }, [
        { kind: 'requests', job, requestIds: [], status: 'REVIEW_TRANSLATION', isError: false },
      ]),
    )
  const settle = () => hub.advance('1s')
  const onlyId = async () =>
    (
      await hub.inner.db.read
        .selectFrom('deliveries')
        .select('delivery_id')
        .executeTakeFirstOrThrow()
    ).delivery_id

  it('are counted by how they stand, for any filter, in their site only', async () => {
    const { listenerId } = await listen()
    await listen('other-connector')
    await update(await makeJob())
    await settle()
    receiver.behave(fails(503))
    const job = await makeJob()
    for (let at = 0; at < 3; at += 1) await update(job)
    await update(await makeJob('other-connector'))
    await settle()
    const count = async (query: string) =>
      (await call<DeliveryCounts>('GET', `/deliveries/counts${query}`)).body
    expect(await count('')).toEqual({
      delivered: 1,
      waiting: 2,
      retrying: 1,
      parked: 0,
      more: false,
    })
    expect(await count('?state=PENDING')).toMatchObject({ delivered: 0, waiting: 2, retrying: 1 })
    expect(await count('?responseCode=503')).toMatchObject({ waiting: 0, retrying: 1 })
    expect(await count(`?jobId=${job.job_id}&listenerId=${listenerId}`)).toMatchObject({
      delivered: 0,
      retrying: 1,
    })
    await hub.inner.db.transact((tx) =>
      tx.updateTable('deliveries').set({ state: 'PARKED' }).execute(),
    )
    expect(await count('')).toMatchObject({ delivered: 0, parked: 4 })
  })

  it('are replayed by their error, and a dry run says what waits behind them', async () => {
    await listen()
    receiver.behave('reset')
    const job = await makeJob()
    for (let at = 0; at < 3; at += 1) await update(job)
    await settle()
    receiver.behave(fails(503))
    await update(await makeJob())
    await settle()
    const { error } = await hub.inner.db.read
      .selectFrom('attempts')
      .select('error')
      .where('error', 'is not', null)
      .executeTakeFirstOrThrow()
    const body = { filter: { error }, mode: 'failed' }
    const dry = await call('POST', '/deliveries/replay', { ...body, dryRun: true })
    expect([dry.status, dry.body]).toEqual([200, { wouldReplay: 1, wouldFollow: 2 }])
    const listed = await call<{ deliveries: object[] }>(
      'GET',
      `/deliveries?error=${encodeURIComponent(error ?? '')}`,
    )
    expect(listed.body.deliveries).toMatchObject([{ error, jobId: job.job_id }])
    receiver.behave(204)
    receiver.calls.length = 0
    expect((await call('POST', '/deliveries/replay', body)).body).toEqual({ replayed: 1 })
    await settle()
    expect(receiver.calls.map(({ body }) => body.jobId)).toEqual([
      job.job_id,
      job.job_id,
      job.job_id,
    ])
    const refused = await call('POST', '/deliveries/replay', {
      filter: { error: 'x' },
      mode: 'missing',
    })
    expect([refused.status, refused.body.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  it('are sent edited in the sandbox, as new ones with a valid signature, past the original that fails', async () => {
    const { secret = '', listenerId } = await listen()
    receiver.behave(fails(503))
    await update(await makeJob())
    await settle()
    const deliveryId = await onlyId()
    const original = (await call<{ body: string }>('GET', `/deliveries/${deliveryId}`)).body
    receiver.behave(204)
    receiver.calls.length = 0
    const path = `/deliveries/${deliveryId}/edited`
    const sent = await call<Delivery>('POST', path, { body: '{"edited":  true}' })
    expect([sent.status, sent.body.state, sent.body.sequence]).toEqual([202, 'PENDING', undefined])
    await settle()
    const [got] = receiver.calls
    const headers = got?.headers ?? {}
    expect([receiver.calls.length, got?.text]).toEqual([1, '{"edited":  true}'])
    expect(headers['webhook-id']).toBe(sent.body.deliveryId)
    const signed = `${sent.body.deliveryId}.${headers['webhook-timestamp']}.{"edited":  true}`
    const hash = createHmac('sha256', keyOf(secret)).update(signed).digest('base64')
    expect(headers['webhook-signature']).toBe(`v1,${hash}`)
    expect((await call('GET', `/deliveries/${sent.body.deliveryId}`)).body).toMatchObject({
      state: 'DELIVERED',
    })
    expect((await call('GET', `/deliveries/${deliveryId}`)).body).toEqual(original)
    const act = await hub.inner.db.read
      .selectFrom('audit')
      .selectAll()
      .where('thing_id', '=', listenerId)
      .orderBy('audit_id', 'desc')
      .executeTakeFirstOrThrow()
    expect([act.verb, act.fields]).toEqual(['deliveries replayed', '["body"]'])
    expect(JSON.stringify(act)).not.toContain('edited')
  })

  it('are not sent edited without a body, for another site, or outside of the sandbox', async () => {
    await listen('other-connector')
    receiver.behave(fails(503))
    await update(await makeJob('other-connector'))
    await settle()
    const before = await everything(hub)
    const theirs = `/deliveries/${await onlyId()}/edited`
    const refused = async (path: string, body: object) => {
      const { status, body: said } = await call<{ code: string }>('POST', path, body)
      return [status, said.code]
    }
    expect(await refused(theirs, { body: '{}' })).toEqual([404, 'DELIVERY_NOT_FOUND'])
    expect(await refused(theirs, { body: '' })).toEqual([400, 'INVALID_REQUEST'])
    const large = 'x'.repeat(limits.editedDeliveryBytes + 1)
    expect(await refused(theirs, { body: large })).toEqual([400, 'INVALID_REQUEST'])
    const staging = { ...hub.inner, config: { ...hub.inner.config, profile: 'staging' as const } }
    expect(() => sendEdited(staging, {} as Call, 'any', { body: '{}' })).toThrow(
      /only a hub in the profile sandbox/,
    )
    expect(await everything(hub)).toEqual(before)
  })

  it('explain their signature, and name the mistake behind another value, without a secret', async () => {
    const { secret = '', listenerId } = await listen()
    receiver.behave({ status: 500, headers: { 'retry-after': '1' } })
    await update(await makeJob())
    await settle()
    receiver.behave(204)
    await hub.advance('10s')
    const [first, second] = receiver.calls
    const path = `/deliveries/${await onlyId()}/verify`
    const verify = async (body: object) => (await call<SignatureCheck>('POST', path, body)).body
    const before = await everything(hub)
    const plain = await verify({})
    expect(plain).toMatchObject({
      attempt: 2,
      signed: true,
      id: second?.headers['webhook-id'],
      timestamp: second?.headers['webhook-timestamp'],
      secrets: [{}],
      verdict: 'NOTHING_PASTED',
      mistakes: [],
    })
    const text = `${plain.id}.${plain.timestamp}.${second?.text}`
    expect(plain.bytes).toBe(Buffer.byteLength(text))
    expect(await verify({ signature: second?.headers['webhook-signature'] })).toMatchObject({
      verdict: 'VALID',
      secret: 1,
    })
    expect(
      await verify({ attempt: 1, signature: first?.headers['webhook-signature'] }),
    ).toMatchObject({
      verdict: 'VALID',
    })
    const wrong = `v1,${createHmac('sha256', secret).update(text).digest('base64')}`
    expect(await verify({ signature: wrong })).toMatchObject({
      verdict: 'MISTAKE',
      mistakes: ['SECRET_WITH_PREFIX'],
    })
    const other = `v1,${createHmac('sha256', 'x').update(text).digest('base64')}`
    expect(await verify({ signature: other })).toMatchObject({ verdict: 'UNKNOWN', mistakes: [] })
    expect(await verify({ signature: 'hello' })).toMatchObject({ verdict: 'NOT_A_SIGNATURE' })
    // Reading leaves no trace, and no answer holds a secret or a signature.
    expect(await everything(hub)).toBe(before)
    const right = createHmac('sha256', keyOf(secret)).update(text).digest('base64')
    for (const body of [{}, { signature: wrong }, { signature: other }])
      expect(JSON.stringify(await verify(body))).not.toMatch(
        new RegExp(`whsec|${right.slice(0, 12).replace(/\W/g, '.')}`),
      )
    // Both secrets sign for a day; after it the old one is named.
    await hub.call('PATCH', `${own}/${listenerId}`, {
      as: 'demo-connector',
      body: { secret: 'another-secret' },
    })
    const both = await verify({ signature: second?.headers['webhook-signature'] })
    expect(both).toMatchObject({
      verdict: 'VALID',
      secret: 2,
      secrets: [{}, { until: expect.any(String) }],
    })
    await hub.advance('25h')
    expect(await verify({ signature: second?.headers['webhook-signature'] })).toMatchObject({
      verdict: 'MISTAKE',
      mistakes: ['OLD_SECRET'],
      secrets: [{}],
    })
  })

  it('of another site, and of an unknown id, are not explained; a long value is refused', async () => {
    await listen('other-connector')
    await update(await makeJob('other-connector'))
    await settle()
    const there = await call('POST', `/deliveries/${await onlyId()}/verify`, {})
    expect([there.status, there.body.code]).toEqual([404, 'DELIVERY_NOT_FOUND'])
    expect((await call('POST', '/deliveries/nothing/verify', {})).status).toBe(404)
    const long = await call('POST', '/deliveries/nothing/verify', { signature: 'x'.repeat(2_001) })
    expect([long.status, long.body.code]).toEqual([400, 'INVALID_REQUEST'])
    // Clients with a token have no such call.
    expect(
      (await hub.call('POST', '/v2/deliveries/x/verify', { as: 'demo-admin', body: {} })).status,
    ).toBe(404)
  })

  it('give the figures of each listener for 24 hours', async () => {
    const { listenerId } = await listen()
    const { listenerId: quiet } = await listen('demo-connector', { type: 'JOB_STATUS_UPDATED' })
    const { listenerId: theirs } = await listen('other-connector')
    await update(await makeJob())
    await settle()
    await hub.advance('3h')
    await update(await makeJob())
    await settle()
    receiver.behave(fails(503))
    await update(await makeJob())
    await settle()
    const query = [listenerId, quiet, theirs, 'nothing'].map((id) => `listenerId=${id}`).join('&')
    const { body } = await call<{ statistics: ListenerStatistics[] }>(
      'GET',
      `/listeners/statistics?${query}`,
    )
    const of = (id: string) => body.statistics.find((one) => one.listenerId === id)
    expect(body.statistics).toHaveLength(2)
    const sum = (hours: readonly number[] = []) => hours.reduce((total, count) => total + count, 0)
    const busy = of(listenerId)
    expect([
      busy?.delivered.length,
      sum(busy?.delivered),
      sum(busy?.failed),
      busy?.failing,
    ]).toEqual([24, 2, 1, 1])
    expect(busy?.delivered.slice(19).filter((count) => count > 0)).toEqual([1, 1])
    expect(busy).toMatchObject({
      retried: 0,
      newest: false,
      p95Ms: expect.any(Number),
      lastError: { responseCode: 503 },
      oldSecrets: [],
    })
    expect(busy?.failingSince).toBeDefined()
    expect(of(quiet)).toEqual({
      listenerId: quiet,
      delivered: new Array(24).fill(0),
      failed: new Array(24).fill(0),
      retried: 0,
      newest: false,
      failing: 0,
      oldSecrets: [],
    })
    receiver.behave(204)
    await hub.advance('2h')
    const again = await call<{ statistics: ListenerStatistics[] }>(
      'GET',
      `/listeners/statistics?${query}`,
    )
    const arrived = again.body.statistics.find((one) => one.listenerId === listenerId)
    expect([
      sum(arrived?.delivered),
      arrived?.retried,
      sum(arrived?.failed),
      arrived?.failing,
    ]).toEqual([3, 1, 0, 0])
    // A day later the day is empty; what fails still does.
    await hub.inner.db.transact((tx) =>
      tx
        .updateTable('deliveries')
        .set({ next_attempt_at: null })
        .where('state', '=', 'PENDING')
        .execute(),
    )
    await call('PATCH', `/statusupdates/listeners/${listenerId}`, { secret: 'another' })
    const later = await call<{ statistics: ListenerStatistics[] }>(
      'GET',
      `/listeners/statistics?${query}`,
    )
    expect(
      later.body.statistics.find((one) => one.listenerId === listenerId)?.oldSecrets,
    ).toHaveLength(1)
  })

  it('go to a listener that a person creates for a client, changes, tests and deletes', async () => {
    const body = { uri: `${receiver.url}/made`, type: 'REQUEST_STATUS_UPDATED' }
    const made = await call<Listener>('POST', '/clients/demo-connector/listeners', body)
    expect([made.status, made.body.secret?.startsWith('whsec_')]).toEqual([201, true])
    const { listenerId } = made.body
    const twice = await call('POST', '/clients/demo-connector/listeners', body)
    expect([twice.status, twice.body.code]).toEqual([409, 'LISTENER_EXISTS'])
    for (const clientId of ['nobody', 'other-connector'])
      expect((await call('POST', `/clients/${clientId}/listeners`, body)).body.code).toBe(
        'CLIENT_NOT_FOUND',
      )
    await update(await makeJob())
    await settle()
    expect(receiver.calls.map(({ path }) => path)).toEqual(['/made'])
    const one = `/statusupdates/listeners/${listenerId}`
    expect((await call('GET', one)).body).toMatchObject({ clientId: 'demo-connector' })
    expect((await call('PATCH', one, { disabled: true })).body).toMatchObject({ disabled: true })
    expect((await call('POST', `${one}/test`, {})).status).toBe(202)
    await settle()
    expect(receiver.calls.at(-1)?.body).toMatchObject({ test: true })
    // An admin client still acts on its own listeners only.
    expect((await hub.call('DELETE', `/v2${one}`, { as: 'demo-admin' })).status).toBe(404)
    expect((await call('DELETE', one)).status).toBe(200)
    const provider = await call<Listener>('POST', '/clients/demo-provider/provider-listeners', {
      jobUri: `${receiver.url}/p`,
    })
    expect(provider.status).toBe(201)
    const theirs = await hub.call<{ listeners: Listener[] }>('GET', '/v2/listeners', {
      as: 'demo-provider',
    })
    expect(theirs.body.listeners.map((one) => one.listenerId)).toEqual([provider.body.listenerId])
    expect(
      (await call('PATCH', `/listeners/${provider.body.listenerId}`, { disabled: true })).status,
    ).toBe(200)
    expect((await call('DELETE', `/listeners/${provider.body.listenerId}`)).status).toBe(200)
  })
})
