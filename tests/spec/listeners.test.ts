/**
 * Listeners of connectors and of providers (contract, sections 7, 8 and 11), told by a real
 * receiver.
 */
import type { Delivery, Job, Listener, ProviderListener } from '@dragoman/contract'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { acknowledgesFor } from '../../packages/server/src/domain/listeners/acknowledges.ts'
import {
  announce,
  type ListenerEvent,
} from '../../packages/server/src/domain/listeners/announce.ts'
import {
  pruneDeliveries,
  reviveDeliveries,
} from '../../packages/server/src/domain/listeners/resume.ts'
import { dismissClient, enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import type { JobRow } from '../../packages/server/src/store/tables.ts'
import { claimTasks } from '../../packages/server/src/store/tasks/claim-tasks.ts'
import { releaseTasks } from '../../packages/server/src/store/tasks/hold-tasks.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { type Received, type Receiver, startReceiver } from '../receiver.ts'
import { everything, run } from '../scenario.ts'

const path = '/v2/statusupdates/listeners'
const hour = 3_600_000
type Page<K extends string, T> = { [N in K]: T[] } & { pagination: { navNext?: string } }

describe.each(databases)('listeners on %s', (database) => {
  let hub: TestHub
  let receiver: Receiver
  beforeAll(async () => {
    hub = await startHub({ database })
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await hub.close()
    await receiver.close()
  })
  beforeEach(() => {
    receiver.behave(204)
    receiver.calls.length = 0
  })
  /** One listener per type: each test begins without. */
  afterEach(async () => {
    await hub.inner.db.transact((tx) => tx.deleteFrom('listeners').execute())
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('tasks').where('name', '=', 'deliver').execute(),
    )
  })

  const call = async <T = Record<string, unknown>>(
    method: string,
    to: string,
    body?: unknown,
    as = 'demo-connector',
  ) => (await hub.call<T>(method, to, { as, ...(body !== undefined && { body }) })).body
  const listen = (fields: Record<string, unknown> = {}) =>
    call<Listener & { secret: string }>('POST', path, {
      uri: `${receiver.url}/hook`,
      type: 'REQUEST_STATUS_UPDATED',
      ...fields,
    })
  const makeJob = async (as = 'demo-connector'): Promise<JobRow> => {
    const { jobId } = await call<Job>('POST', '/v2/jobs', { jobName: 'A job' }, as)
    return hub.inner.db.read
      .selectFrom('jobs')
      .selectAll()
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow()
  }
  const tell = (...events: ListenerEvent[]): Promise<void> =>
    hub.inner.db.transact((tx) => announce({ hub: hub.inner, tx, causeId: 'a-cause' }, events))
  const inReview = (job: JobRow, ...requestIds: string[]): ListenerEvent => ({
    kind: 'requests',
    job,
    requestIds,
    status: 'REVIEW_TRANSLATION',
    isError: false,
    sequence: 1,
  })
  const moved = (job: JobRow, status: JobRow['status'] = 'IN_TRANSLATION'): ListenerEvent => ({
    kind: 'job',
    job,
    status,
    archived: false,
    deleted: false,
  })
  const settle = () => hub.advance('1s')
  const deliveries = async (listenerId: string, query = ''): Promise<Delivery[]> =>
    (await call<Page<'deliveries', Delivery>>('GET', `${path}/${listenerId}/deliveries${query}`))
      .deliveries
  const arrived = async (many = 1): Promise<Received[]> => {
    await until(`${many} calls`, () => receiver.calls.length >= many)
    return receiver.calls
  }
  /** By the library of the standard, which throws. */
  const verify = (secret: string, { text, headers }: Received): unknown =>
    new Webhook(secret).verify(text, headers as Record<string, string>)

  describe('of a connector', () => {
    it('are created with a secret that is shown once, read, listed, changed and deleted', async () => {
      const made = await listen()
      expect(made).toEqual({
        listenerId: expect.stringMatching(/^[\w-]{22}$/),
        uri: `${receiver.url}/hook`,
        type: 'REQUEST_STATUS_UPDATED',
        statusCodes: ['IN_TRANSLATION', 'REVIEW_TRANSLATION', 'CANCELLED'],
        acknowledgeStatusUpdate: true,
        authType: 'SIGNATURE',
        onSupportAssetCreate: false,
        onTmUpdateCreate: false,
        onComment: false,
        disabled: false,
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      })
      const { secret: _, ...shown } = made
      expect(await call('GET', `${path}/${made.listenerId}`)).toEqual(shown)
      expect((await call<Page<'listeners', Listener>>('GET', path)).listeners).toEqual([shown])
      const changed = await call('PATCH', `${path}/${made.listenerId}`, {
        statusCodes: ['CANCELLED', 'CANCELLED'],
        acknowledgeStatusUpdate: false,
        onTmUpdateCreate: true,
        authType: 'NONE',
        unknown: 1,
      })
      const after = {
        statusCodes: ['CANCELLED'],
        acknowledgeStatusUpdate: false,
        onTmUpdateCreate: true,
      }
      expect(changed).toEqual({ ...shown, ...after, authType: 'NONE' })
      const row = await hub.inner.db.read
        .selectFrom('listeners')
        .selectAll()
        .executeTakeFirstOrThrow()
      expect(JSON.stringify(row)).not.toContain(made.secret.slice(6, -1))
      expect(await call('DELETE', `${path}/${made.listenerId}`)).toEqual(changed)
      expect(await call('GET', `${path}/${made.listenerId}`)).toMatchObject({
        code: 'LISTENER_NOT_FOUND',
      })
    })

    it('are seen by an admin of the site with their deliveries, and changed by their client alone', async () => {
      const { listenerId } = await listen()
      const admin = (method: string, below = '') =>
        hub.call(method, `${path}/${listenerId}${below}`, {
          as: 'demo-admin',
          ...(method === 'PATCH' && { body: {} }),
        })
      expect(await admin('GET')).toMatchObject({
        status: 200,
        body: { listenerId, clientId: 'demo-connector' },
      })
      expect((await admin('GET', '/deliveries')).status).toBe(200)
      const { body } = await hub.call<Page<'listeners', Listener>>('GET', path, {
        as: 'demo-admin',
      })
      expect(body.listeners.map((one) => one.listenerId)).toContain(listenerId)
      expect((await admin('PATCH')).status).toBe(404)
      expect((await admin('DELETE')).status).toBe(404)
    })

    it('turn into the other type with their address, and hear of all its states', async () => {
      const { listenerId } = await listen({ statusCodes: ['REVIEW_TRANSLATION'] })
      const turned = await call('PATCH', `${path}/${listenerId}`, { type: 'JOB_STATUS_UPDATED' })
      const statusCodes = ['SENT_TO_PROVIDER', 'IN_TRANSLATION', 'CANCELLED']
      expect(turned).toMatchObject({
        type: 'JOB_STATUS_UPDATED',
        uri: `${receiver.url}/hook`,
        statusCodes,
      })
      expect(turned).not.toHaveProperty('acknowledgeStatusUpdate')
    })

    it.each([
      ['no uri', { uri: undefined }, 'INVALID_REQUEST'],
      ['no type', { type: undefined }, 'INVALID_REQUEST'],
      ['an unknown type', { type: 'JOB' }, 'INVALID_REQUEST'],
      ['a code of the other type', { statusCodes: ['SENT_TO_PROVIDER'] }, 'INVALID_REQUEST'],
      ['a code of none', { statusCodes: ['TRANSLATION_APPROVED'] }, 'INVALID_REQUEST'],
      ['a secret that is no base64', { secret: 'whsec_!' }, 'INVALID_REQUEST'],
      ['a secret that is no text', { secret: 5 }, 'INVALID_REQUEST'],
      ['an authType of none', { authType: 'BASIC' }, 'INVALID_REQUEST'],
      ['another scheme', { uri: 'ftp://example.com/' }, 'LISTENER_URI_FORBIDDEN'],
      ['credentials', { uri: 'https://a:b@example.com/' }, 'LISTENER_URI_FORBIDDEN'],
      ['no whole address', { uri: '/hook' }, 'LISTENER_URI_FORBIDDEN'],
      ['a private address', { uri: 'http://10.0.0.1/' }, 'LISTENER_URI_FORBIDDEN'],
    ])('are refused with %s, and nothing is made', async (_, fields, code) => {
      const before = await everything(hub)
      expect(await listen(fields)).toMatchObject({ code })
      expect(await everything(hub)).toBe(before)
      expect((await call<Page<'listeners', Listener>>('GET', path)).listeners).toEqual([])
    })

    it('of a job that is not there are refused', async () => {
      expect(await listen({ jobId: 'AAAAAAAAAA' })).toMatchObject({ code: 'JOB_NOT_FOUND' })
      const { job_id: jobId } = await makeJob()
      expect(await listen({ jobId })).toMatchObject({ jobId })
    })

    it('are one of each type, also when two are made at once', async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => listen()))
      expect(answers.filter(({ listenerId }) => listenerId)).toHaveLength(1)
      for (const answer of answers.filter((one) => !one.listenerId))
        expect(answer).toMatchObject({ code: 'LISTENER_EXISTS' })
      const job = await listen({ type: 'JOB_STATUS_UPDATED' })
      expect(job.listenerId).toBeTruthy()
      const turned = await call('PATCH', `${path}/${job.listenerId}`, {
        type: 'REQUEST_STATUS_UPDATED',
      })
      expect(turned).toMatchObject({ code: 'LISTENER_EXISTS' })
    })

    it('belong to the client that made them', async () => {
      const { listenerId } = await listen()
      const { secret } = await enrolClient(hub.inner, {
        siteId: 'demo',
        clientId: 'stranger',
        scopes: ['content'],
      })
      hub.secrets.set('stranger', secret)
      const rows = [
        `GET ${path}/${listenerId}`,
        `PATCH ${path}/${listenerId}`,
        `DELETE ${path}/${listenerId}`,
        `GET ${path}/${listenerId}/deliveries`,
        `POST ${path}/${listenerId}/replay`,
        `POST ${path}/${listenerId}/test`,
      ]
      for (const name of rows)
        await run(hub, {
          name,
          call: name,
          as: 'stranger',
          status: 404,
          code: 'LISTENER_NOT_FOUND',
          ...(name.startsWith('GET') ? {} : { body: {} }),
        })
      expect(
        (await call<Page<'listeners', Listener>>('GET', path, undefined, 'stranger')).listeners,
      ).toEqual([])
      await run(hub, {
        name: 'a provider',
        call: `GET ${path}`,
        as: 'demo-provider',
        status: 403,
        code: 'FORBIDDEN',
      })
      expect(await call('GET', `${path}/${listenerId}`)).toMatchObject({ listenerId })
    })

    it('made under a key are made once, and the answer with its secret comes again', async () => {
      const headers = { 'idempotency-key': `once-${database}` }
      const body = { uri: `${receiver.url}/hook`, type: 'JOB_STATUS_UPDATED' }
      const ask = () => hub.call<Listener>('POST', path, { as: 'demo-connector', headers, body })
      const [first, second] = [await ask(), await ask()]
      expect(first.status).toBe(201)
      expect(second.body).toEqual(first.body)
    })
  })

  describe('hear', () => {
    it('of requests what the contract says, signed', async () => {
      const { listenerId, secret } = await listen()
      const job = await makeJob()
      await tell(inReview(job, 'request-1', 'request-2'))
      const [heard] = await arrived()
      expect(heard?.body).toEqual({
        eventType: 'REQUEST_UPDATE',
        listenerId,
        payloadUuid: expect.stringMatching(
          /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
        ),
        jobId: job.job_id,
        requestIds: ['request-1', 'request-2'],
        statusCode: 'REVIEW_TRANSLATION',
        isError: false,
        updateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        sequence: 1,
      })
      expect(heard?.path).toBe('/hook')
      expect(heard?.headers['content-type']).toBe('application/json')
      if (heard) verify(secret, heard)
      const [sent] = await until('it is noted', async () => {
        const all = await deliveries(listenerId)
        return all[0]?.state === 'DELIVERED' && all
      })
      expect(sent).toEqual({
        deliveryId: heard?.headers['webhook-id'],
        listenerId,
        eventType: 'REQUEST_UPDATE',
        jobId: job.job_id,
        requestIds: ['request-1', 'request-2'],
        sequence: 1,
        state: 'DELIVERED',
        createdTime: expect.any(String),
        attempts: [
          { attemptTime: expect.any(String), durationMs: expect.any(Number), responseCode: 204 },
        ],
      })
      expect(
        await hub.inner.db.read
          .selectFrom('tasks')
          .selectAll()
          .where('name', '=', 'deliver')
          .execute(),
      ).toEqual([])
    })

    it('of a job what the contract says, with sequence and message only where an update stands behind it', async () => {
      const { listenerId } = await listen({ type: 'JOB_STATUS_UPDATED' })
      const job = await makeJob()
      const failed = {
        ...moved(job),
        isError: true,
        message: 'It broke.',
        sequence: 7,
      } as ListenerEvent
      const gone = {
        kind: 'job',
        job,
        status: 'COMPLETED',
        archived: true,
        deleted: false,
      } as const
      await tell(
        moved(job),
        failed,
        gone,
        { ...gone, archived: false, deleted: true },
        moved(job, 'COMPLETED'),
      )
      const calls = await arrived(4)
      const head = {
        eventType: 'JOB_UPDATE',
        listenerId,
        payloadUuid: expect.any(String),
        jobId: job.job_id,
      }
      const tail = {
        archived: false,
        deleted: false,
        isError: false,
        updateTime: expect.any(String),
      }
      expect(calls.map(({ body }) => body)).toEqual([
        { ...head, statusCode: 'IN_TRANSLATION', ...tail },
        {
          ...head,
          statusCode: 'IN_TRANSLATION',
          ...tail,
          isError: true,
          message: 'It broke.',
          sequence: 7,
        },
        { ...head, statusCode: 'COMPLETED', ...tail, archived: true },
        { ...head, statusCode: 'COMPLETED', ...tail, deleted: true },
      ])
    })

    it('of an error of a whole job as REQUEST listeners, too, with no request in it', async () => {
      await listen({ statusCodes: ['CANCELLED'] })
      const job = await makeJob()
      await tell(
        { ...moved(job), isError: true, message: 'It broke.', sequence: 3 } as ListenerEvent,
        moved(job),
      )
      await settle()
      expect(receiver.calls.map(({ body }) => body)).toMatchObject([
        {
          eventType: 'REQUEST_UPDATE',
          requestIds: [],
          statusCode: 'IN_TRANSLATION',
          isError: true,
          sequence: 3,
        },
      ])
    })

    it('only what they asked for: states, job, type; errors always', async () => {
      const [mine, other] = [await makeJob(), await makeJob()]
      await listen({ statusCodes: ['CANCELLED'], jobId: mine.job_id })
      const event = (job: JobRow, more: object): ListenerEvent =>
        ({ ...inReview(job, 'r'), ...more }) as ListenerEvent
      const events = [
        event(mine, {}),
        event(mine, { status: 'CANCELLED', requestIds: ['yes'] }),
        event(other, { status: 'CANCELLED' }),
        event(mine, { isError: true, message: 'no', requestIds: ['error'] }),
        event(other, { isError: true }),
        moved(mine, 'CANCELLED'),
      ]
      await tell(...events)
      await settle()
      expect(receiver.calls.map(({ body }) => body.requestIds)).toEqual([['yes'], ['error']])
      const acknowledged: boolean[] = []
      for (const one of events.slice(0, 5)) {
        if (one.kind !== 'requests') continue
        const { status, isError, job } = one
        const fits = {
          siteId: job.site_id,
          clientId: job.creator_id,
          jobId: job.job_id,
          status,
          isError,
        }
        acknowledged.push(await hub.inner.db.transact((tx) => acknowledgesFor(tx, fits)))
      }
      expect(acknowledged).toEqual([false, true, false, true, false])
    })

    it('no longer when their client is removed: they go with it', async () => {
      const secret = 'a-secret-of-one-that-leaves'
      const clientId = `leaving-${database}`
      await enrolClient(hub.inner, {
        siteId: 'demo',
        clientId,
        secret,
        scopes: ['content'],
        providerIds: [],
      })
      const form = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: secret,
      })
      const answer = await fetch(`${hub.url}/connect/token`, { method: 'POST', body: form })
      const { access_token: token } = (await answer.json()) as { access_token: string }
      const body = JSON.stringify({ uri: receiver.url, type: 'REQUEST_STATUS_UPDATED' })
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      expect((await fetch(hub.url + path, { method: 'POST', headers, body })).status).toBe(201)
      await dismissClient(hub.inner, clientId)
      const left = await hub.inner.db.read.selectFrom('listeners').select('client_id').execute()
      expect(left).toEqual([])
    })

    it('of their own client’s jobs only', async () => {
      await listen()
      await tell(inReview(await makeJob('demo-admin'), 'r'))
      await settle()
      expect(receiver.calls).toEqual([])
    })

    it('of support assets and TM updates where they asked for it', async () => {
      await listen({ onSupportAssetCreate: true })
      await listen({ type: 'JOB_STATUS_UPDATED', onTmUpdateCreate: true })
      const job = await makeJob()
      await tell(
        { kind: 'support-asset', job, supportassetId: 'asset-1' },
        { kind: 'tm-update', job, tmupdateId: 'tm-1' },
      )
      await settle()
      const bodies = receiver.calls
        .map(({ body }) => body)
        .sort((a, b) => (`${a.eventType}` < `${b.eventType}` ? -1 : 1))
      expect(bodies).toMatchObject([
        { eventType: 'SUPPORT_ASSET_CREATE', jobId: job.job_id, supportassetId: 'asset-1' },
        { eventType: 'TM_UPDATE_CREATE', jobId: job.job_id, tmupdateId: 'tm-1' },
      ])
    })

    it('without a signature where they want none', async () => {
      await listen({ authType: 'NONE' })
      await tell(inReview(await makeJob(), 'r'))
      const [heard] = await arrived()
      expect(heard?.headers).not.toHaveProperty('webhook-signature')
      expect(heard?.headers['webhook-id']).toMatch(/^[\w-]{22}$/)
    })

    it.each([
      ['of the standard', `whsec_${Buffer.alloc(32, 7).toString('base64')}`, {}],
      ['in bare base64', Buffer.alloc(24, 9).toString('base64'), {}],
      ['of plain text', 'top secret: ünï', { format: 'raw' }],
    ] as const)('under a given secret %s', async (_, secret, options) => {
      const made = await listen({ secret })
      expect(made.secret).toBe(secret)
      await tell(inReview(await makeJob(), 'r'))
      const [heard] = await arrived()
      const key = 'format' in options ? new Uint8Array(Buffer.from(secret)) : secret
      const webhook = new Webhook(key as string, 'format' in options ? { format: 'raw' } : {})
      if (heard) webhook.verify(heard.text, heard.headers as Record<string, string>)
      expect(() =>
        verify(`whsec_${Buffer.alloc(32, 8).toString('base64')}`, heard as Received),
      ).toThrow()
    })

    it('under the old and the new secret for a day after a change', async () => {
      const { listenerId, secret: first } = await listen()
      const [second, third] = [1, 2].map(
        (byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`,
      ) as [string, string]
      const job = await makeJob()
      const heard = async (): Promise<Received> => {
        receiver.calls.length = 0
        await tell(inReview(job, 'r'))
        await settle()
        return receiver.calls[0] as Received
      }
      const changed = await call('PATCH', `${path}/${listenerId}`, { secret: second })
      expect(changed).not.toHaveProperty('secret')
      for (const secret of [first, second]) verify(secret, await heard())
      await hub.advance('12h')
      await call('PATCH', `${path}/${listenerId}`, { secret: third })
      const all = await heard()
      for (const secret of [first, second, third]) verify(secret, all)
      await hub.advance('13h')
      const later = await heard()
      for (const secret of [second, third]) verify(secret, later)
      expect(() => verify(first, later)).toThrow()
      await hub.advance('12h')
      expect((await heard()).headers['webhook-signature']?.split(' ')).toHaveLength(1)
    })

    it('nothing, and nothing is queued, while they are disabled by hand', async () => {
      const { listenerId } = await listen({ disabled: true })
      const job = await makeJob()
      await tell(inReview(job, 'r'))
      await settle()
      expect([receiver.calls, await deliveries(listenerId)]).toEqual([[], []])
      const fits = {
        siteId: job.site_id,
        clientId: job.creator_id,
        jobId: job.job_id,
        status: 'REVIEW_TRANSLATION',
        isError: false,
      }
      expect(await hub.inner.db.transact((tx) => acknowledgesFor(tx, fits))).toBe(false)
    })
  })

  describe('that fail', () => {
    it('are tried by the schedule, each time with the same webhook-id, then set aside and disabled', async () => {
      receiver.behave(500)
      const { listenerId, secret } = await listen()
      const job = await makeJob()
      const begun = hub.inner.clock.now()
      await tell(inReview(job, 'first'), inReview(job, 'second'))
      await hub.advance('1h')
      const [second, first] = await deliveries(listenerId)
      expect(first).toMatchObject({ state: 'PENDING', requestIds: ['first'] })
      expect(Date.parse(first?.nextAttemptTime ?? '') - begun).toBeGreaterThan(2.5 * hour)
      expect(second).toMatchObject({ state: 'PENDING', attempts: [] })
      await hub.advance('3d')
      const [late, early] = await deliveries(listenerId)
      const times = early?.attempts.map(({ attemptTime }) => Date.parse(attemptTime)) ?? []
      const start = times[0] ?? 0
      // At once, not when the clock was advanced.
      expect(start - begun).toBeLessThan(hour / 6)
      const wanted = [
        0,
        5 / 3600,
        305 / 3600,
        2105 / 3600,
        2.5847,
        7.5847,
        17.5847,
        31.5847,
        55.5847,
        72,
      ]
      expect(times).toHaveLength(wanted.length)
      // A second or two for the tries themselves.
      for (const [index, time] of times.entries())
        expect(Math.abs((time - start) / hour - (wanted[index] ?? 0)), `try ${index}`).toBeLessThan(
          0.02,
        )
      expect(early).toMatchObject({
        state: 'PARKED',
        attempts: times.map(() => ({ responseCode: 500 })),
      })
      expect(late).toMatchObject({ state: 'PARKED', attempts: [] })
      expect(await call('GET', `${path}/${listenerId}`)).toMatchObject({
        disabled: true,
        disabledReason: expect.stringMatching(
          /It has failed since \d{4}-.*The last response was 500\./,
        ),
      })
      const act = await hub.inner.db.read
        .selectFrom('audit')
        .selectAll()
        .orderBy('audit_id', 'desc')
        .limit(1)
        .execute()
      expect(act).toMatchObject([
        {
          actor: 'hub',
          site_id: 'demo',
          thing: 'listener',
          thing_id: listenerId,
          verb: 'disabled',
        },
      ])
      expect(new Set(receiver.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
      for (const heard of receiver.calls) verify(secret, heard)

      receiver.calls.length = 0
      receiver.behave(200)
      await hub.advance('1d')
      expect(receiver.calls).toEqual([])
      const enabled = await call('PATCH', `${path}/${listenerId}`, { disabled: false })
      expect(enabled).toMatchObject({ disabled: false })
      expect(enabled).not.toHaveProperty('disabledReason')
      await settle()
      expect(receiver.calls.map(({ body }) => body.requestIds)).toEqual([['first'], ['second']])
      expect(receiver.calls[0]?.headers['webhook-id']).toBe(early?.deliveryId)
      expect((await deliveries(listenerId)).map(({ state }) => state)).toEqual([
        'DELIVERED',
        'DELIVERED',
      ])
      expect((await deliveries(listenerId))[1]?.attempts).toHaveLength(wanted.length + 1)
    })

    it('for 48 hours get everything afterwards, in order for each job, with the same webhook-id', async () => {
      const gone = await startReceiver()
      const { listenerId, secret } = await listen({ uri: gone.url })
      await gone.close()
      const jobs = await Promise.all(Array.from({ length: 3 }, () => makeJob()))
      for (let at = 0; at < 12; at += 1) {
        const job = jobs[at % 3]
        if (job) await tell(inReview(job, `r${at}`))
        await hub.advance('4h')
      }
      const before = await deliveries(listenerId)
      expect(before.map(({ state }) => state)).toEqual(before.map(() => 'PENDING'))
      expect(
        before
          .flatMap(({ attempts }) => attempts)
          .every(({ error }) => /refused/.test(error ?? '')),
      ).toBe(true)
      // It is back under another address.
      await call('PATCH', `${path}/${listenerId}`, { uri: `${receiver.url}/back` })
      await hub.advance('1d')
      expect(receiver.calls).toHaveLength(12)
      for (const job of jobs) {
        const heard = receiver.calls.filter(({ body }) => body.jobId === job.job_id)
        const order = heard.map(({ body }) => Number((body.requestIds as string[])[0]?.slice(1)))
        expect(order).toEqual([...order].sort((a, b) => a - b))
        expect(order).toHaveLength(4)
      }
      for (const heard of receiver.calls) verify(secret, heard)
      const ids = (all: { deliveryId: string }[]) => all.map(({ deliveryId }) => deliveryId).sort()
      expect(receiver.calls.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids(before))
      expect((await deliveries(listenerId)).every(({ state }) => state === 'DELIVERED')).toBe(true)
    })

    it('with 410 are disabled at once', async () => {
      receiver.behave(410)
      const { listenerId } = await listen()
      await tell(inReview(await makeJob(), 'r'))
      await settle()
      await hub.advance('1d')
      expect(receiver.calls).toHaveLength(1)
      const listener = await call('GET', `${path}/${listenerId}`)
      expect(listener).toMatchObject({
        disabled: true,
        disabledReason: expect.stringContaining('410'),
      })
      expect(await deliveries(listenerId)).toMatchObject([
        { state: 'PARKED', attempts: [{ responseCode: 410 }] },
      ])
      expect(await deliveries(listenerId, '?state=PENDING')).toEqual([])
    })

    it('with 429 are given the time they ask for', async () => {
      receiver.behave({ status: 429, headers: { 'retry-after': '600' } })
      const { listenerId } = await listen()
      await tell(inReview(await makeJob(), 'r'))
      await settle()
      const [delivery] = await deliveries(listenerId)
      const wait =
        Date.parse(delivery?.nextAttemptTime ?? '') -
        Date.parse(delivery?.attempts[0]?.attemptTime ?? '')
      expect(wait).toBe(600_000)
      await hub.advance('9m')
      expect(receiver.calls).toHaveLength(1)
      receiver.behave(200)
      await hub.advance('2m')
      expect(await deliveries(listenerId)).toMatchObject([{ state: 'DELIVERED' }])
    })

    it('for one job alone hold up only that job, and are not disabled for it', async () => {
      const [bad, good] = [await makeJob(), await makeJob()]
      receiver.behave((heard) => (heard.body.jobId === bad.job_id ? 500 : 200))
      const { listenerId } = await listen()
      await tell(inReview(bad, 'bad'), inReview(good, 'good'))
      for (let day = 0; day < 4; day += 1) {
        await hub.advance('1d')
        await tell(inReview(good, `good ${day}`))
      }
      await settle()
      expect(await call('GET', `${path}/${listenerId}`)).toMatchObject({ disabled: false })
      const states = (await deliveries(listenerId)).map(({ jobId, state }) => [
        jobId === bad.job_id,
        state,
      ])
      expect(states).toEqual([
        ...Array.from({ length: 5 }, () => [false, 'DELIVERED']),
        [true, 'PARKED'],
      ])
    })

    it('keep the start of each answer, whatever bytes it is made of', async () => {
      receiver.behave({
        status: 500,
        body: Buffer.concat([Buffer.from('why\0\xff'), Buffer.alloc(10_000, 'x')]),
      })
      await listen()
      await tell(inReview(await makeJob(), 'r'))
      await settle()
      const [attempt] = await hub.inner.db.read.selectFrom('attempts').selectAll().execute()
      expect(attempt?.answer_head).toMatch(/^why\ufffd/)
      expect(attempt?.answer_head?.length).toBeLessThanOrEqual(4096)
      expect(JSON.parse(attempt?.call_headers ?? '')).toHaveProperty('webhook-signature')
    })

    it('disabled by hand keep what was pending, and resume it in order', async () => {
      receiver.behave(500)
      const { listenerId } = await listen()
      const job = await makeJob()
      await tell(inReview(job, 'a'), inReview(job, 'b'))
      await settle()
      await call('PATCH', `${path}/${listenerId}`, { disabled: true })
      receiver.behave(200)
      receiver.calls.length = 0
      await hub.advance('5d')
      expect(receiver.calls).toEqual([])
      const waiting = await deliveries(listenerId)
      expect(waiting.map(({ state, nextAttemptTime }) => [state, nextAttemptTime])).toEqual([
        ['PENDING', undefined],
        ['PENDING', undefined],
      ])
      await call('PATCH', `${path}/${listenerId}`, { disabled: false })
      await settle()
      expect(receiver.calls.map(({ body }) => body.requestIds)).toEqual([['a'], ['b']])
    })
  })

  describe('and their log', () => {
    it('is paged from the newest, and a cursor keeps its states', async () => {
      const { listenerId } = await listen()
      const job = await makeJob()
      await tell(...Array.from({ length: 7 }, (_, at) => inReview(job, `r${at}`)))
      await settle()
      receiver.behave(500)
      await tell(inReview(job, 'late'))
      await settle()
      const to = `${path}/${listenerId}/deliveries`
      const found: string[] = []
      let navNext: string | undefined
      do {
        const query = navNext ? `?navNext=${navNext}` : '?state=DELIVERED&pageSize=3'
        const page = await call<Page<'deliveries', Delivery>>(
          'GET',
          `${to}${query}${navNext ? '&pageSize=3' : ''}`,
        )
        found.push(...page.deliveries.flatMap(({ requestIds }) => requestIds ?? []))
        navNext = page.pagination.navNext
      } while (navNext)
      expect(found).toEqual(['r6', 'r5', 'r4', 'r3', 'r2', 'r1', 'r0'])
      await run(hub, {
        name: 'state',
        call: `GET ${to}?state=LOST`,
        status: 400,
        code: 'INVALID_PARAMETER',
      })
      await run(hub, {
        name: 'cursor',
        call: `GET ${to}?navNext=x.y`,
        status: 400,
        code: 'INVALID_CURSOR',
      })
    })

    it('is replayed by id or by time, with the same webhook-id', async () => {
      const { listenerId } = await listen()
      const job = await makeJob()
      const times: string[] = []
      for (const id of ['a', 'b', 'c']) {
        // A second before, so that it falls between two of them.
        times.push(new Date(hub.inner.clock.now() - 1_000).toISOString())
        await tell(inReview(job, id))
        await hub.advance('1h')
      }
      const heard = () =>
        receiver.calls
          .splice(0)
          .map(({ body, headers }) => [body.requestIds, headers['webhook-id']])
      const before = heard() as [string[], string][]
      expect(before.map(([ids]) => ids)).toEqual([['a'], ['b'], ['c']])
      const replay = async (body: unknown) => {
        const to = `${path}/${listenerId}/replay`
        const answer = await hub.call<{ replayed: number }>('POST', to, {
          as: 'demo-connector',
          body,
        })
        expect(answer.status).toBe(202)
        await settle()
        return answer.body.replayed
      }
      expect(await replay({ since: times[1] })).toBe(2)
      expect(heard()).toEqual(before.slice(1))
      expect(await replay({ since: times[0], until: times[1] })).toBe(1)
      expect(heard()).toEqual(before.slice(0, 1))
      expect(await replay({ deliveryIds: [before[2]?.[1], before[2]?.[1]] })).toBe(1)
      expect(heard()).toEqual(before.slice(2))
      expect(await replay({})).toBe(3)
      expect(heard()).toEqual(before)
      const to = `POST ${path}/${listenerId}/replay`
      const body = { deliveryIds: [before[0]?.[1], 'nothing'] }
      await run(hub, { name: 'unknown', call: to, body, status: 404, code: 'DELIVERY_NOT_FOUND' })
      await run(hub, {
        name: 'bad time',
        call: to,
        body: { since: 'soon' },
        status: 400,
        code: 'INVALID_REQUEST',
      })
      await settle()
      expect(heard()).toEqual([])
    })

    it('is replayed oldest first, also between jobs', async () => {
      const { listenerId } = await listen()
      const jobs = await Promise.all(Array.from({ length: 12 }, () => makeJob()))
      await tell(...jobs.map((job, at) => inReview(job, `r${at}`)))
      await settle()
      // Tasks of what fails stay where they are.
      receiver.behave(500)
      await call('POST', `${path}/${listenerId}/replay`, {})
      const tasks = hub.inner.db.read
        .selectFrom('tasks')
        .select('payload')
        .where('name', '=', 'deliver')
      const order = (await tasks.orderBy('task_id').execute()).map(
        ({ payload }) => JSON.parse(payload).jobId,
      )
      expect(order).toEqual(jobs.map(({ job_id }) => job_id))
      receiver.behave(204)
      receiver.calls.length = 0
      await hub.advance('1h')
      expect(receiver.calls.length).toBe(jobs.length)
    })

    it('shows a sample, which goes the way of every delivery, and once to a disabled listener', async () => {
      const { listenerId, secret } = await listen()
      const test = () =>
        hub.call<Delivery>('POST', `${path}/${listenerId}/test`, { as: 'demo-connector' })
      const { status, body } = await test()
      expect(status).toBe(202)
      expect(body).toMatchObject({
        listenerId,
        eventType: 'REQUEST_UPDATE',
        state: 'PENDING',
        attempts: [],
      })
      const [heard] = await arrived()
      expect(heard?.body).toMatchObject({
        eventType: 'REQUEST_UPDATE',
        test: true,
        statusCode: 'REVIEW_TRANSLATION',
      })
      expect(heard?.body).not.toHaveProperty('sequence')
      if (heard) verify(secret, heard)
      expect(heard?.headers['webhook-id']).toBe(body.deliveryId)
      await call('PATCH', `${path}/${listenerId}`, { disabled: true })
      receiver.behave(503)
      await test()
      await settle()
      await hub.advance('1d')
      expect(receiver.calls).toHaveLength(2)
      expect((await deliveries(listenerId))[0]).toMatchObject({
        state: 'PARKED',
        attempts: [{ responseCode: 503 }],
      })
    })

    it('loses what arrived after 30 days, and never what is pending or set aside', async () => {
      const { listenerId } = await listen()
      await tell(inReview(await makeJob(), 'arrives'))
      await settle()
      receiver.behave(500)
      await tell(inReview(await makeJob(), 'fails'))
      await settle()
      await hub.inner.db.transact((tx) =>
        tx
          .updateTable('deliveries')
          .set({ created_at: hub.inner.clock.now() - 31 * 24 * hour })
          .execute(),
      )
      await pruneDeliveries(hub.inner)
      expect(await deliveries(listenerId)).toMatchObject([
        { state: 'PENDING', requestIds: ['fails'] },
      ])
      expect(await hub.inner.db.read.selectFrom('attempts').selectAll().execute()).toHaveLength(1)
    })

    it('stays when its listener is deleted while a call is under way', async () => {
      const { listenerId } = await listen()
      let answer = (): void => {}
      const answered = new Promise<void>((resolve) => {
        answer = resolve
      })
      receiver.behave(() => answered.then(() => 204))
      const before = hub.logged().length
      await tell(inReview(await makeJob(), 'r'))
      await arrived()
      await call('DELETE', `${path}/${listenerId}`)
      answer()
      await settle()
      const said = hub.logged().slice(before).split('\n')
      expect(said.filter((line) => /"level":"(warn|error)"/.test(line))).toEqual([])
      const kept = await hub.inner.db.read
        .selectFrom('deliveries')
        .select(['listener_id', 'state'])
        .execute()
      expect(kept.filter((row) => row.listener_id === listenerId)).toEqual([
        { listener_id: listenerId, state: 'DELIVERED' },
      ])
    })
  })

  it('a task that was lost or parked is found again by the sweep', async () => {
    const { listenerId } = await listen()
    const [parked, lost] = [await makeJob(), await makeJob()]
    receiver.behave(500)
    await tell(inReview(parked, 'parked'), inReview(lost, 'lost'))
    await settle()
    const key = (job: JobRow) => `deliver:${listenerId}:${job.job_id}`
    await hub.inner.db.transact(async (tx) => {
      await tx.deleteFrom('tasks').where('key', '=', key(lost)).execute()
      await tx.updateTable('tasks').set({ parked: 1 }).where('key', '=', key(parked)).execute()
    })
    receiver.behave(200)
    await reviveDeliveries(hub.inner)
    await hub.advance('10m')
    expect((await deliveries(listenerId)).map(({ state }) => state)).toEqual([
      'DELIVERED',
      'DELIVERED',
    ])
  })

  it('a node that lost its lease while the receiver thought writes nothing, and the next one sends it again', async () => {
    const { listenerId } = await listen()
    let answer = (): void => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    receiver.behave(() => answered.then(() => 200))
    await tell(inReview(await makeJob(), 'r'))
    await arrived()
    const { db: store, clock } = hub.inner
    const later = clock.now() + 60_000
    const stolen = await claimTasks(store, {
      nodeId: 'another',
      now: later,
      leaseUntil: later + 60_000,
      many: 10,
      lane: 'outside',
    })
    expect(stolen).toHaveLength(1)
    answer()
    await until('the first one noticed', () => hub.logged().includes('The lease of task'))
    expect(await deliveries(listenerId)).toMatchObject([{ state: 'PENDING', attempts: [] }])
    await releaseTasks(store, stolen)
    const twice = await arrived(2)
    expect(new Set(twice.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    await settle()
    expect(await deliveries(listenerId)).toMatchObject([
      { state: 'DELIVERED', attempts: { length: 1 } },
    ])
  })

  it('nothing is lost or overtakes while the receiver fails at random and the listener is switched', async () => {
    const { listenerId } = await listen()
    let calls = 0
    receiver.behave(() => {
      calls += 1
      return calls % 3 === 0 ? 500 : 200
    })
    const taken = (): Received[] => receiver.calls.filter((_, at) => (at + 1) % 3 !== 0)
    const jobs = await Promise.all(Array.from({ length: 6 }, () => makeJob()))
    const telling = jobs.map(async (job) => {
      for (let at = 0; at < 15; at += 1) await tell(inReview(job, `r${at}`))
    })
    let over = false
    const switching = (async () => {
      while (!over) await call('PATCH', `${path}/${listenerId}`, { disabled: false })
    })()
    await Promise.all(telling)
    over = true
    await switching
    for (
      let hours = 0;
      hours < 12 && (await deliveries(listenerId, '?state=PENDING')).length > 0;
      hours += 1
    )
      await hub.advance('6h')
    expect(
      (await hub.inner.db.read
        .selectFrom('deliveries')
        .select('state')
        .distinct()
        .execute()) as unknown,
    ).toEqual([{ state: 'DELIVERED' }])
    for (const job of jobs) {
      const order = taken()
        .filter(({ body }) => body.jobId === job.job_id)
        .map(({ body }) => Number((body.requestIds as string[])[0]?.slice(1)))
      expect(order).toEqual(Array.from({ length: 15 }, (_, at) => at))
    }
  })

  describe('of a provider', () => {
    const providers = '/v2/listeners'
    const listenAs = (fields: Record<string, unknown> = {}, as = 'demo-provider') =>
      call<ProviderListener & { secret: string }>('POST', providers, fields, as)
    const both = () => ({ jobUri: `${receiver.url}/job`, assetTaskUri: `${receiver.url}/task` })
    const sentJob = async (): Promise<{ job: JobRow; providerId: string }> => {
      const { body } = await hub.call<{ providers: { id: string }[] }>('GET', '/v2/providers', {
        as: 'demo-provider',
      })
      const providerId = body.providers[1]?.id ?? ''
      return {
        job: { ...(await makeJob()), provider_id: providerId, status: 'SENT_TO_PROVIDER' },
        providerId,
      }
    }

    it('have an address', async () => {
      const refused = await hub.call('POST', providers, { as: 'demo-provider', body: {} })
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'INVALID_REQUEST', field: 'jobUri' },
      })
    })

    it('are created, read, listed, changed and deleted, as many as the client likes', async () => {
      const { providerId } = await sentJob()
      const made = await listenAs({ ...both(), providerId, jobStatusCodes: ['COMPLETED'] })
      expect(made).toEqual({
        listenerId: expect.any(String),
        providerId,
        ...both(),
        jobStatusCodes: ['COMPLETED'],
        assetTaskStatusCodes: ['TRANSLATION_APPROVED', 'TRANSLATION_REJECTED', 'CANCELLED'],
        onSupportAssetCreate: false,
        onTmUpdateCreate: false,
        onComment: false,
        authType: 'SIGNATURE',
        disabled: false,
        secret: expect.stringMatching(/^whsec_/),
      })
      const second = await listenAs({ assetTaskUri: `${receiver.url}/second` })
      const { secret: _, ...shown } = made
      const to = `${providers}/${made.listenerId}`
      expect(await call('GET', to, undefined, 'demo-provider')).toEqual(shown)
      const listed = await call<Page<'listeners', Listener>>(
        'GET',
        providers,
        undefined,
        'demo-provider',
      )
      expect(listed.listeners.map(({ listenerId }) => listenerId)).toEqual([
        made.listenerId,
        second.listenerId,
      ])
      const changed = await call(
        'PATCH',
        to,
        { jobStatusCodes: [], onTmUpdateCreate: true },
        'demo-provider',
      )
      expect(changed).toMatchObject({ onTmUpdateCreate: true, jobStatusCodes: { length: 4 } })
      await call('DELETE', to, undefined, 'demo-provider')
      const none = {
        name: 'gone',
        call: `GET ${to}`,
        as: 'demo-provider',
        status: 404,
        code: 'LISTENER_NOT_FOUND',
      }
      await run(hub, none)
    })

    it.each([
      ['a provider that is not theirs', { providerId: 'nobody' }, 'PROVIDER_NOT_FOUND'],
      ['a private address', { jobUri: 'http://192.168.0.1/' }, 'LISTENER_URI_FORBIDDEN'],
      [
        'a private address for tasks',
        { assetTaskUri: 'http://[fe80::1]/' },
        'LISTENER_URI_FORBIDDEN',
      ],
      ['a state of none', { assetTaskStatusCodes: ['IN_TRANSLATION'] }, 'INVALID_REQUEST'],
    ])('are refused with %s', async (_, fields, code) => {
      expect(await listenAs(fields)).toMatchObject({ code })
    })

    it('hear the provider’s own names, and only of its own providers', async () => {
      const { job, providerId } = await sentJob()
      const made = await listenAs({ ...both(), onTmUpdateCreate: true })
      await listenAs({
        providerId,
        jobUri: `${receiver.url}/narrow`,
        jobStatusCodes: ['COMPLETED'],
      })
      await listenAs(
        { jobUri: `${receiver.url}/admin`, jobStatusCodes: ['CANCELLED'] },
        'demo-admin',
      )
      await enrolClient(hub.inner, {
        siteId: 'demo',
        clientId: `poor-${database}`,
        secret: 'a-secret-of-somebody-else',
        scopes: ['provider'],
        providerIds: [],
      })
      hub.secrets.set(`poor-${database}`, 'a-secret-of-somebody-else')
      await listenAs({ ...both(), jobUri: `${receiver.url}/poor` }, `poor-${database}`)
      const requests = (status: string, more: object = {}): ListenerEvent =>
        ({
          kind: 'requests',
          job,
          requestIds: ['t'],
          status,
          isError: false,
          sequence: 9,
          ...more,
        }) as ListenerEvent
      await tell(
        moved(job, 'SENT_TO_PROVIDER'),
        requests('REVIEW_TRANSLATION'),
        requests('TRANSLATION_REJECTED', { rejectNote: 'Too stiff.' }),
        requests('IN_TRANSLATION', { isError: true, message: 'no' }),
        { ...moved(job), isError: true } as ListenerEvent,
        { kind: 'tm-update', job, tmupdateId: 'tm' },
        { kind: 'tm-update', job: { ...job, status: 'CREATED' }, tmupdateId: 'early' },
        moved(job, 'COMPLETED'),
        { kind: 'job', job, status: 'COMPLETED', archived: true, deleted: false },
        moved({ ...job, provider_id: 'another' }, 'COMPLETED'),
        moved(job, 'CANCELLED'),
      )
      await settle()
      const at = (where: string) =>
        receiver.calls.filter((one) => one.path === where).map(({ body }) => body)
      const head = {
        listenerId: made.listenerId,
        payloadUuid: expect.any(String),
        providerId,
        jobId: job.job_id,
      }
      const time = { updateTime: expect.any(String) }
      const update = {
        eventType: 'JOB_UPDATE',
        ...head,
        archived: false,
        deleted: false,
        isError: false,
        ...time,
      }
      expect(at('/job')).toEqual([
        { ...update, statusCode: 'SENDING_READY_FOR_RETRIEVE' },
        { eventType: 'TM_UPDATE_CREATE', ...head, tmupdateId: 'tm', ...time },
        { ...update, statusCode: 'COMPLETED' },
        { ...update, statusCode: 'CANCELLED' },
      ])
      const rejected = {
        assetTaskIds: ['t'],
        statusCode: 'TRANSLATION_REJECTED',
        rejectNote: 'Too stiff.',
      }
      expect(at('/task')).toEqual([
        { eventType: 'ASSET_TASK_UPDATE', ...head, ...rejected, ...time },
      ])
      expect(at('/narrow')).toMatchObject([{ statusCode: 'COMPLETED', providerId }])
      expect(at('/admin')).toMatchObject([{ statusCode: 'CANCELLED' }])
      expect(at('/poor')).toEqual([])
    })

    it('have a log, a replay and a sample of their own', async () => {
      const { listenerId } = await listenAs(both())
      const to = `${providers}/${listenerId}`
      const as = 'demo-provider'
      expect((await hub.call('POST', `${to}/test`, { as })).status).toBe(202)
      await arrived()
      await settle()
      const page = await call<Page<'deliveries', Delivery>>(
        'GET',
        `${to}/deliveries`,
        undefined,
        as,
      )
      expect(page.deliveries).toMatchObject([{ eventType: 'JOB_UPDATE', state: 'DELIVERED' }])
      expect(await call('POST', `${to}/replay`, {}, as)).toEqual({ replayed: 1 })
      await run(hub, {
        name: 'theirs',
        call: `GET ${path}/${listenerId}`,
        status: 404,
        code: 'LISTENER_NOT_FOUND',
      })
      // Earlier versions took one without an address.
      const { listenerId: empty } = await listenAs({ jobUri: `${receiver.url}/former` })
      await hub.inner.db.transact((tx) =>
        tx
          .updateTable('listeners')
          .set({ job_uri: null })
          .where('listener_id', '=', empty)
          .execute(),
      )
      const nowhere = {
        name: 'no address',
        call: `POST ${providers}/${empty}/test`,
        as,
        status: 400,
      }
      await run(hub, { ...nowhere, code: 'INVALID_REQUEST' })
    })
  })
})
