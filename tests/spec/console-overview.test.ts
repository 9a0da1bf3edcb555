/**
 * What the console shows before a person has chosen a thing: GET /find, /jobs/counts and /counts
 * below /console/api.
 */
import type { FoundThing, Job, JobCounts, Listener, OpenCounts, Role } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '../../packages/server/src/domain/access/caller.ts'
import { countOpen } from '../../packages/server/src/domain/operations/findings/count-open.ts'
import { newPerson } from '../../packages/server/src/domain/people/new-person.ts'
import { insertPerson } from '../../packages/server/src/domain/people/person-rows.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { findThings } from '../../packages/server/src/domain/views/search/find-things.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { type Receiver, startReceiver } from '../receiver.ts'

const api = '/console/api'

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

describe.each(databases)('the overview of the console on %s', (database) => {
  let hub: TestHub
  let receiver: Receiver
  beforeAll(async () => {
    hub = await startHub({ database })
    receiver = await startReceiver()
    const { secret } = await enrolClient(hub.inner, {
      siteId: 'other',
      clientId: 'other-admin',
      scopes: ['admin'],
    })
    hub.secrets.set('other-admin', secret)
  })
  afterAll(async () => {
    await hub.close()
    await receiver.close()
  })

  const call = async <T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    as = 'demo-connector',
  ) => (await hub.call<T>(method, path, { as, ...(body !== undefined && { body }) })).body
  const makeJob = (jobName: string, more: object = {}, as?: string) =>
    call<Job>('POST', '/v2/jobs', { jobName, ...more }, as)
  const find = async (q: string) => {
    const { status, body } = await hub.call<{ things: FoundThing[] }>('GET', `${api}/find`, {
      query: { q },
    })
    expect([status, body]).toEqual([200, expect.anything()])
    return body.things
  }
  const findAs = async (q: string, caller: Caller) =>
    (await findThings(hub.inner, { caller, traceId: 't' }, { q })).items
  const ids = (things: readonly FoundThing[]) => things.map(({ kind, id }) => `${kind} ${id}`)

  it('finds a job, a request, a file, a listener, a delivery, an update, a provider, a call and a client by their ids', async () => {
    const uri = `${receiver.url}/hook`
    const { listenerId } = await call<Listener>('POST', '/v2/statusupdates/listeners', {
      uri,
      type: 'REQUEST_STATUS_UPDATED',
    })
    const { jobId } = await makeJob('Everything has an id', {
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
    })
    const added = await call<{ requests: { requestId: string }[] }>(
      'POST',
      `/v2/jobs/${jobId}/requests/add`,
      {
        requestName: 'A page',
        sourceNativeId: 'page',
        sourceNativeLanguageCode: 'en-us',
        targetNativeLanguageCodes: ['de-de'],
        fields: [{ key: 'a', value: 'Hello' }],
      },
    )
    const requestId = added.requests[0]?.requestId ?? JSON.stringify(added)
    const { providers } = await call<{ providers: { providerId: string; providerName: string }[] }>(
      'GET',
      '/v2/providers',
    )
    const pseudo = providers.find((one) => /pseudo/i.test(JSON.stringify(one)))
    await call('PUT', `/v2/jobs/${jobId}/submit`, { providerId: pseudo?.providerId })
    await hub.advance('1h')
    const { read } = hub.inner.db
    const delivery = await read
      .selectFrom('deliveries')
      .select('delivery_id')
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow()
    const update = await read
      .selectFrom('status_updates')
      .select('update_id')
      .where('job_id', '=', jobId)
      .executeTakeFirstOrThrow()
    const traced = await hub.call('GET', `/v2/jobs/${jobId}`, {
      as: 'demo-connector',
      headers: { 'x-request-id': 'a-trace.of-mine' },
    })
    expect(traced.status).toBe(200)
    await expect
      .poll(async () => ids(await find('a-trace.of-mine')))
      .toEqual(['call a-trace.of-mine'])

    expect(await find(jobId)).toContainEqual(
      expect.objectContaining({ kind: 'job', id: jobId, jobId, title: 'Everything has an id' }),
    )
    expect(await find(requestId)).toEqual([
      expect.objectContaining({ kind: 'request', id: requestId, jobId, title: 'A page de-de' }),
    ])
    expect(ids(await find(` ${listenerId} `))).toEqual([`listener ${listenerId}`])
    expect(ids(await find(delivery.delivery_id))).toEqual([`delivery ${delivery.delivery_id}`])
    expect(ids(await find(update.update_id))).toEqual([`update ${update.update_id}`])
    expect(ids(await find(pseudo?.providerId ?? ''))).toEqual([`provider ${pseudo?.providerId}`])
    expect(ids(await find('demo-conn'))).toContain('client demo-connector')
    expect(ids(await find('pseudo'))).toContain(`provider ${pseudo?.providerId}`)
    for (const q of [
      jobId,
      requestId,
      listenerId,
      delivery.delivery_id,
      update.update_id,
      pseudo?.providerId ?? '',
      'a-trace.of-mine',
    ])
      expect(await findAs(q, callerOf('other', 'admin')), `another site asks for ${q}`).toEqual([])
  })

  it('finds people by a part of their name, an address or an id, for those who may list them', async () => {
    const add = (personId: string, name: string, siteId: string) =>
      hub.inner.db.transact(async (tx) => {
        const person = newPerson(hub.inner, {
          name,
          email: `${personId}@people.example`,
          password_hash: null,
        })
        await insertPerson(tx, { ...person, person_id: personId })
        await tx
          .insertInto('person_roles')
          .values({ person_id: personId, site_id: siteId, role: 'viewer' })
          .execute()
      })
    await add('PersonOfOurs0000000001', 'Grace Hopper', 'demo')
    await add('PersonOfTheirs00000001', 'Grace Elsewhere', 'other')
    for (const q of ['hopp', 'GRACE', 'personofours', 'PersonOfOurs0000000001']) {
      const found = ids(await find(q))
      expect(found, q).toContain('person PersonOfOurs0000000001')
      expect(found, q).not.toContain('person PersonOfTheirs00000001')
    }
    expect(ids(await findAs('grace', callerOf('other', 'admin')))).toEqual([
      'person PersonOfTheirs00000001',
    ])
    expect(ids(await findAs('grace', callerOf('', 'operator')))).toHaveLength(2)
    for (const role of [
      'viewer',
      'developer',
      'manager',
      'translator',
      'reviewer',
      'provider-manager',
    ] as const)
      expect(await findAs('grace', callerOf('demo', role)), role).toEqual([])
  })

  it('finds jobs by words of their name, labels and references however they are written, and says which', async () => {
    const job = await makeJob('Quarterly report', {
      poReference: 'PO-77',
      labels: { team: 'blue' },
    })
    const theirs = await makeJob(
      'Quarterly theirs',
      { poReference: 'PO-77', labels: { team: 'blue' } },
      'other-admin',
    )
    const globalTrackingId = 'DRG-2F7K-AAAA-BBBB-CCCC'
    await hub.inner.db.transact((tx) =>
      tx
        .updateTable('jobs')
        .set({ global_tracking_id: globalTrackingId, version: 9 })
        .where('job_name', 'in', ['Quarterly report', 'Quarterly theirs'])
        .execute(),
    )
    const label = { by: 'label', matched: 'team: blue' } as const
    const asked: [string, Partial<FoundThing>][] = [
      ['quarterly re', { by: 'name' }],
      ['ARTERLY', { by: 'name' }],
      ['REPORT quart', { by: 'name' }],
      ['"ly rep"', { by: 'name' }],
      ['Blu', label],
      ['eam report', label],
      ['team=bl', { by: 'label', matched: 'team=bl' }],
      ['o-77', { by: 'reference', matched: 'PO-77' }],
      ['drg-2f7k', { by: 'reference', matched: globalTrackingId }],
      [job.jobId, { by: 'id' }],
    ]
    for (const [q, why] of asked) {
      const found = await find(q)
      expect(found, q).toContainEqual(expect.objectContaining({ id: job.jobId, ...why }))
      expect(ids(found), q).not.toContain(`job ${theirs.jobId}`)
    }
    expect(await find('"report quarterly"')).toEqual([])
    expect(await find('nothing at all begins so')).toEqual([])
  })

  it('returns at most 20 things and refuses what is too long', async () => {
    for (let at = 0; at < 25; at++) await makeJob(`Twenty ${at}`)
    const found = await find('wenty')
    expect(found).toHaveLength(20)
    expect(found[0]?.title, 'the newest comes first').toBe('Twenty 24')
    const { status, body } = await hub.call('GET', `${api}/find`, { query: { q: 'x'.repeat(201) } })
    expect([status, body.code]).toEqual([400, 'INVALID_PARAMETER'])
    expect((await hub.call('GET', `${api}/find`)).status).toBe(400)
  })

  it.each([
    "' or 1=1 --",
    '%',
    '_'.repeat(22),
    '\u202eevil',
    'a'.repeat(22),
    '-1',
    'task:99999999999',
    '💥',
  ])('finds nothing for %s, and says no more', async (q) => {
    expect(await find(q)).toEqual([])
  })

  it('shows each person only what their roles may read', async () => {
    const { jobId } = await makeJob('For roles')
    await hub.call('GET', `/v2/jobs/${jobId}`, {
      as: 'demo-connector',
      headers: { 'x-request-id': 'trace-for-roles' },
    })
    await expect
      .poll(() => findAs('trace-for-roles', callerOf('demo', 'developer')))
      .toHaveLength(1)
    expect(await findAs('trace-for-roles', callerOf('demo', 'viewer'))).toEqual([])
    expect(await findAs('demo-connector', callerOf('demo', 'viewer'))).toEqual([])
    expect(await findAs(jobId, callerOf('demo', 'viewer'))).toHaveLength(1)
    expect(await findAs(jobId, callerOf('', 'operator'))).toEqual([])
    expect(await findAs('trace-for-roles', callerOf('', 'operator'))).toHaveLength(1)
  })

  const counts = async (filter = '') =>
    (await hub.call<JobCounts>('GET', `${api}/jobs/counts`, { query: filter ? { filter } : {} }))
      .body

  it('counts jobs by state, late, due soon, with errors and in review, all or filtered', async () => {
    const before = await counts()
    const now = hub.inner.clock.now()
    const day = 86_400_000
    const due = (days: number) => ({
      dueDate: new Date(now + days * day).toISOString(),
      labels: ['counted'],
    })
    for (const days of [1, 2, 5]) await makeJob('Due', due(days))
    const done = await makeJob('Done', due(1))
    await hub.inner.db.transact((tx) =>
      tx
        .updateTable('jobs')
        .set({ status: 'COMPLETED', version: 9 })
        .where('job_id', '=', done.jobId)
        .execute(),
    )
    await makeJob('Never due', { labels: ['counted'] })
    const after = await counts("labels eq 'counted'")
    expect(after).toMatchObject({ late: 0, dueSoon: 2, withErrors: 0, inReview: 0, atLeast: [] })
    const all = await counts()
    expect(all.dueSoon - before.dueSoon).toBe(2)
    expect(Object.values(all.states).reduce((sum, n) => sum + n, 0)).toBe(
      Object.values(before.states).reduce((sum, n) => sum + n, 0) + 5,
    )
    await hub.inner.db.transact((tx) =>
      tx
        .updateTable('jobs')
        .set({ due_at: now - day, has_error: 1, version: 99 })
        .where('job_name', '=', 'Due')
        .execute(),
    )
    expect(await counts("labels eq 'counted'")).toMatchObject({
      late: 3,
      dueSoon: 0,
      withErrors: 3,
    })
    expect(await counts("labels eq 'counted' and statusCode ne 'CREATED'")).toMatchObject({
      late: 0,
      withErrors: 0,
      states: { CREATED: 0 },
    })
    expect(
      await counts("labels eq 'counted' and statusCode eq 'CREATED' and jobName eq 'Due'"),
    ).toMatchObject({
      states: { CREATED: 3, SENDING: 0, IN_TRANSLATION: 0, COMPLETED: 0 },
    })
    const { status, body } = await hub.call('GET', `${api}/jobs/counts`, {
      query: { filter: 'nonsense' },
    })
    expect([status, body.code]).toEqual([400, 'INVALID_FILTER'])
  })

  it('counts the jobs with a request in review', async () => {
    const { providers } = await call<{
      providers: { providerId: string; providerName?: string }[]
    }>('GET', '/v2/providers')
    const pseudo = providers.find((one) => /pseudo/i.test(JSON.stringify(one)))
    const { jobId } = await makeJob('To review', { labels: ['review'] })
    await call('POST', `/v2/jobs/${jobId}/requests/add`, {
      requestName: 'A page',
      sourceNativeId: 'page',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de', 'fr-fr'],
      fields: [{ key: 'a', value: 'Hello' }],
    })
    await call('PUT', `/v2/jobs/${jobId}/submit`, { providerId: pseudo?.providerId })
    await hub.advance('1h')
    expect(await counts("labels eq 'review'")).toMatchObject({
      inReview: 1,
      states: { IN_TRANSLATION: 1 },
    })
  })

  it('counts for the navigation what the person may list', async () => {
    const all = (await hub.call<OpenCounts>('GET', `${api}/counts`)).body
    const { states } = await counts()
    const { COMPLETED: _, CANCELLED: __, ...open } = states
    expect(all).toMatchObject({
      openJobs: Object.values(open).reduce((sum, n) => sum + n, 0),
      failingDeliveries: 0,
      findings: expect.any(Number),
      atLeast: [],
    })
    const as = (caller: Caller) => countOpen(hub.inner, { caller, traceId: 't' })
    expect(Object.keys(await as(callerOf('demo', 'viewer'))).sort()).toEqual([
      'atLeast',
      'openJobs',
    ])
    expect(Object.keys(await as(callerOf('', 'operator'))).sort()).toEqual([
      'atLeast',
      'failingDeliveries',
      'findingRules',
      'findings',
    ])
  })
})
