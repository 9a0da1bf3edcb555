/**
 * Findings and nodes (contract, section 12): every rule is seen to appear and to go, with its
 * sentence and its remedy.
 */
import { type Finding, findingRuleNames, type Node } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rotateSecret } from '../../packages/server/src/domain/access/rotate-secret.ts'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { writeHubState } from '../../packages/server/src/store/hub-state.ts'
import { hasOpenssl, makeCertificate, noOpenssl } from '../certificates.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { type Receiver, startReceiver } from '../receiver.ts'
import { everything, run, type ScenarioCall } from '../scenario.ts'
import { startEngine, type TranslationEngine } from '../translation-engine.ts'
import { enter } from '../visitor.ts'

const operator = 'demo-operator'
const admin = 'demo-admin'
const day = 86_400_000
type Page = { findings: Finding[]; pagination: { navNext?: string } }
type Body = Record<string, unknown>
/** Whatever disk the tests run on. */
const plenty = async () => ({ free: 1_000 * 1024 ** 3, total: 1_001 * 1024 ** 3 })

describe.each(databases)('findings on %s', (database) => {
  let hub: TestHub
  let receiver: Receiver
  let translator: TranslationEngine
  const seen = new Set<string>()
  beforeAll(async () => {
    hub = await startHub({ database })
    Object.assign(hub.inner.blobs, { space: plenty })
    receiver = await startReceiver()
    translator = await startEngine()
    for (const clientId of ['other-admin', 'other-connector']) {
      const scopes = clientId === 'other-admin' ? (['admin'] as const) : (['content'] as const)
      const { secret } = await enrolClient(hub.inner, {
        siteId: 'other',
        clientId,
        scopes: [...scopes],
      })
      hub.secrets.set(clientId, String(secret))
    }
  })
  afterAll(async () => {
    await hub.close()
    await receiver.close()
    await translator.close()
  })

  const call = async <T = Body>(
    method: string,
    to: string,
    body?: unknown,
    as = 'demo-connector',
  ) => (await hub.call<T>(method, `/v2${to}`, { as, ...(body !== undefined && { body }) })).body
  const list = async (query: Record<string, string>, as = operator): Promise<Finding[]> => {
    const { status, body } = await hub.call<Page>('GET', '/v2/findings', { as, query })
    expect(status, JSON.stringify(body)).toBe(200)
    for (const { rule } of body.findings) seen.add(rule)
    return body.findings
  }
  const of = (rule: string, as = operator) => list({ rule }, as)
  const one = async (rule: string, as = operator): Promise<Finding> => {
    const found = await of(rule, as)
    expect(found, JSON.stringify(found)).toHaveLength(1)
    return found[0] as Finding
  }
  const remedy = (finding: Finding, more: Partial<ScenarioCall> = {}) =>
    run(hub, {
      name: finding.findingId,
      call: `POST /v2/findings/${finding.findingId}/remedy`,
      as: operator,
      status: 200,
      ...more,
    })
  const { now, write } = {
    now: () => hub.inner.clock.now(),
    write: <T>(work: Parameters<typeof hub.inner.db.transact<T>>[0]) => hub.inner.db.transact(work),
  }
  const acts = async () => {
    const rows = await hub.inner.db.read
      .selectFrom('audit')
      .select(['actor', 'client_id', 'site_id', 'thing', 'verb', 'thing_id', 'trace_id'])
      .orderBy('audit_id', 'desc')
      .limit(2)
      .execute()
    return rows.reverse()
  }
  const providerId = async (name: string): Promise<string> => {
    const { providers } = await call<{ providers: { id: string; name: string }[] }>(
      'GET',
      '/providers',
    )
    return String(providers.find((provider) => provider.name === name)?.id)
  }
  const sentTo = async (provider: string, more: Body = {}): Promise<string> => {
    const { jobId } = await call('POST', '/jobs', { jobName: 'A job', ...more })
    await call('POST', `/jobs/${jobId}/requests/add`, {
      requestName: 'r',
      sourceNativeId: 's',
      sourceNativeLanguageCode: 'en-us',
      targetNativeLanguageCodes: ['de-de'],
      fields: [{ key: 'a', value: 'text' }],
    })
    const sent = await call('PUT', `/jobs/${jobId}/submit`, { providerId: provider })
    expect(sent.jobId, JSON.stringify(sent)).toBe(jobId)
    await hub.advance('1s')
    return String(jobId)
  }
  const parkTask = async (siteId: string | null, many = 1): Promise<void> => {
    const task = {
      name: 'remove-blobs',
      payload: '{"blobIds":[]}',
      site_id: siteId,
      due_at: now() - 1_000,
      attempts: 8,
      parked: 1,
      fence: 0,
      cause_id: 'a-cause',
      created_at: now() - 2_000,
      last_error: 'the disk said no.',
    }
    await write((tx) =>
      tx
        .insertInto('tasks')
        .values(Array.from({ length: many }, () => task))
        .execute(),
    )
  }
  const clearTasks = () =>
    write((tx) => tx.deleteFrom('tasks').where('cause_id', '=', 'a-cause').execute())

  it('a sound hub has none', async () => {
    expect(await list({})).toEqual([])
    expect(await list({}, admin)).toEqual([])
  })

  describe('parked tasks', () => {
    it('are shown with their error; the remedy retries them, with two acts, once', async () => {
      await parkTask('demo')
      const found = await one('parked-task', admin)
      expect(found).toEqual({
        findingId: expect.stringMatching(
          new RegExp(`^parked-task\\.${found.thingId}\\.[\\w-]{12}$`),
        ),
        rule: 'parked-task',
        severity: 'error',
        siteId: 'demo',
        thing: 'task',
        thingId: expect.stringMatching(/^\d+$/),
        since: expect.stringMatching(/Z$/),
        sentence: `Task ${found.thingId} (remove-blobs) is parked after 8 failed attempts: the disk said no.`,
        facts: {
          taskId: Number(found.thingId),
          name: 'remove-blobs',
          attempts: 8,
          error: 'the disk said no.',
        },
        advice: 'Fix the cause of the error, then retry the task.',
        remedy: { name: 'retry', says: 'Makes the task due now, with all of its attempts.' },
      })
      expect(await one('parked-task')).toEqual(found)
      const done = await remedy(found, {
        as: admin,
        headers: { 'idempotency-key': `retry-${database}` },
      })
      const answer = {
        findingId: found.findingId,
        remedy: 'retry',
        done: `Task ${found.thingId} is due now.`,
      }
      expect(done.body).toEqual(answer)
      const by = {
        actor: 'client',
        client_id: admin,
        site_id: 'demo',
        trace_id: done.headers.get('x-request-id'),
      }
      expect(await acts()).toEqual([
        { ...by, thing: 'task', verb: 'retried', thing_id: found.thingId },
        { ...by, thing: 'finding', verb: 'remedied', thing_id: found.findingId },
      ])
      expect(
        (await remedy(found, { as: admin, headers: { 'idempotency-key': `retry-${database}` } }))
          .body,
      ).toEqual(answer)
      await hub.advance('1s')
      expect(await of('parked-task')).toEqual([])
      const before = await everything(hub)
      const says = /^Finding parked-task\..* no longer applies; nothing was done\.$/
      await remedy(found, { as: admin, status: 409, code: 'FINDING_GONE', says })
      await remedy(found, { status: 409, code: 'FINDING_GONE', says })
      expect(await everything(hub)).toBe(before)
    })

    it('of the hub itself are shown to operators only, those of a site to its admin', async () => {
      for (const site of ['demo', 'other', null]) await parkTask(site)
      // Those of one millisecond stand in the order of their ids.
      expect((await of('parked-task')).map(({ siteId = '' }) => siteId).sort()).toEqual([
        '',
        'demo',
        'other',
      ])
      expect((await of('parked-task', admin)).map(({ siteId }) => siteId)).toEqual(['demo'])
      expect((await of('parked-task', 'other-admin')).map(({ siteId }) => siteId)).toEqual([
        'other',
      ])
      expect((await list({ siteId: 'other' })).map(({ siteId }) => siteId)).toEqual(['other'])
      // An admin cannot look into another site.
      expect((await list({ siteId: 'other' }, admin)).map(({ siteId }) => siteId)).toEqual(['demo'])
    })

    it('a finding of another site or of the hub is unknown to an admin', async () => {
      const before = await everything(hub)
      for (const finding of await of('parked-task'))
        if (finding.siteId !== 'other')
          await remedy(finding, { as: 'other-admin', status: 404, code: 'FINDING_NOT_FOUND' })
      expect(await everything(hub)).toBe(before)
      await clearTasks()
    })

    it('beyond a hundred are counted, and pages show each finding once', async () => {
      await parkTask('demo', 120)
      await parkTask('other', 3)
      const all: Finding[] = []
      let next: string | undefined
      do {
        const query = { pageSize: 33, ...(next && { navNext: next }) }
        const { body } = await hub.call<Page>('GET', '/v2/findings', { as: operator, query })
        expect(body.findings.length).toBeLessThanOrEqual(33)
        all.push(...body.findings)
        next = body.pagination.navNext
      } while (next)
      expect(new Set(all.map(({ findingId }) => findingId)).size).toBe(101)
      expect(all.at(-1)).toMatchObject({
        rule: 'parked-task',
        thing: 'rule',
        more: 23,
        sentence: 'There are 23 more findings of this rule, which are not listed.',
      })
      const counted = await run(hub, {
        name: 'site',
        call: 'GET /v2/findings',
        as: 'other-admin',
        status: 200,
      })
      expect((counted.body as Page).findings).toHaveLength(3)
      await clearTasks()
      expect(await of('parked-task')).toEqual([])
    })
  })

  describe('listeners', () => {
    const uri = () => `${receiver.url}/hook`
    const listen = async (): Promise<string> => {
      const made = await call('POST', '/statusupdates/listeners', {
        type: 'JOB_STATUS_UPDATED',
        uri: uri(),
      })
      return String(made.listenerId)
    }
    let listenerId = ''

    it('that fail are shown after ten minutes, until the receiver is back', async () => {
      listenerId = await listen()
      receiver.behave(500)
      await call('POST', `/statusupdates/listeners/${listenerId}/test`)
      await hub.advance('1s')
      expect(await of('listener-failing')).toEqual([])
      await hub.advance('11m')
      const found = await one('listener-failing', admin)
      expect(found).toMatchObject({
        siteId: 'demo',
        thing: 'listener',
        thingId: listenerId,
        severity: 'warning',
      })
      expect(found.sentence).toBe(
        `Listener ${listenerId} of client demo-connector has failed since ${found.since}; if this goes on, the hub disables it after ${new Date(Date.parse(found.since) + 3 * day).toISOString()}.`,
      )
      receiver.behave(204)
      expect((await remedy(found)).body).toMatchObject({
        remedy: 'resume',
        done: '1 delivery is sent now.',
      })
      expect((await acts())[0]).toMatchObject({
        site_id: 'demo',
        thing: 'listener',
        verb: 'deliveries replayed',
        client_id: operator,
      })
      await hub.advance('1s')
      expect(await of('listener-failing')).toEqual([])
    })

    it('that the hub disabled are shown until they are enabled', async () => {
      receiver.behave(410)
      await call('POST', `/statusupdates/listeners/${listenerId}/test`)
      await hub.advance('1s')
      const found = await one('listener-disabled', admin)
      expect(found.sentence).toBe(
        `The hub disabled listener ${listenerId} of client demo-connector: The URL returned 410: it is permanently gone.`,
      )
      expect(await of('listener-failing')).toEqual([])
      expect(await of('parked-deliveries')).toEqual([])
      receiver.behave(204)
      const before = receiver.calls.length
      expect((await remedy(found, { as: admin })).body).toMatchObject({
        remedy: 'enable',
        done: 'The listener is enabled; 1 delivery is sent now.',
      })
      await hub.advance('1s')
      expect(receiver.calls.length).toBe(before + 1)
      expect(await of('listener-disabled')).toEqual([])
      await remedy(found, { as: admin, status: 409, code: 'FINDING_GONE' })
      expect(await call('GET', `/statusupdates/listeners/${listenerId}`)).toMatchObject({
        disabled: false,
      })
    })

    it('one that a person disabled is no finding', async () => {
      await call('PATCH', `/statusupdates/listeners/${listenerId}`, { disabled: true })
      expect(await list({})).toEqual([])
      await call('PATCH', `/statusupdates/listeners/${listenerId}`, { disabled: false })
    })

    it('with parked deliveries are shown until those are sent', async () => {
      await hub.advance('1s')
      await write((tx) =>
        tx.updateTable('deliveries').set({ state: 'PARKED', next_attempt_at: null }).execute(),
      )
      const found = await one('parked-deliveries', admin)
      expect(found.sentence).toMatch(
        new RegExp(
          `^Listener ${listenerId} of client demo-connector has 2 parked deliveries; the oldest was created at `,
        ),
      )
      const before = receiver.calls.length
      expect((await remedy(found)).body).toMatchObject({
        remedy: 'replay',
        done: '2 deliveries are sent again.',
      })
      await hub.advance('1s')
      expect(receiver.calls.length).toBe(before + 2)
      expect(await of('parked-deliveries')).toEqual([])
      await remedy(found, { status: 409, code: 'FINDING_GONE' })
    })
  })

  describe('jobs', () => {
    it('that stay SENDING are sent again, whether their task is lost or parked', async () => {
      for (const parked of [false, true]) {
        const jobId = await sentTo(await providerId('Manual'))
        await write(async (tx) => {
          const back = { status: 'SENDING' } as const
          const raised = tx
            .updateTable('jobs')
            .set((eb) => ({ ...back, version: eb('version', '+', 1) }))
          await raised.where('job_id', '=', jobId).execute()
          await tx.updateTable('requests').set(back).where('job_id', '=', jobId).execute()
          const payload = JSON.stringify({ siteId: 'demo', jobId })
          const task = {
            name: 'send-job',
            payload,
            site_id: 'demo',
            key: `send-job:${jobId}`,
            cause_id: 'a-cause',
          }
          if (parked)
            await tx
              .insertInto('tasks')
              .values({
                ...task,
                due_at: 1,
                attempts: 8,
                parked: 1,
                fence: 0,
                created_at: 1,
                last_error: 'x',
              })
              .execute()
        })
        expect(await of('job-sending')).toEqual([])
        await hub.advance('15m')
        const found = await one('job-sending', admin)
        expect(found).toMatchObject({
          thing: 'job',
          thingId: jobId,
          siteId: 'demo',
          severity: 'error',
        })
        expect(found.sentence).toBe(`Job ${jobId} has been SENDING since ${found.since}.`)
        const done = `The task that sends job ${jobId} is due now.`
        expect((await remedy(found, { as: admin })).body).toMatchObject({ remedy: 'send', done })
        expect((await acts())[0]).toMatchObject({
          site_id: 'demo',
          thing: 'job',
          verb: 'sent again',
          thing_id: jobId,
        })
        await hub.advance('1s')
        expect(await call('GET', `/jobs/${jobId}`)).toMatchObject({
          statusCode: 'SENT_TO_PROVIDER',
        })
        expect(await of('job-sending')).toEqual([])
        expect(await of('parked-task')).toEqual([])
        await remedy(found, { as: admin, status: 409, code: 'FINDING_GONE' })
        await call('PUT', `/jobs/${jobId}/complete`)
      }
    })

    it('that a provider does not acknowledge are shown after a day, until it does', async () => {
      const manual = await providerId('Manual')
      const jobId = await sentTo(manual)
      await sentTo(await providerId('Pseudo'))
      await hub.advance('23h')
      expect(await of('job-unacknowledged')).toEqual([])
      await hub.advance('61m')
      const found = await one('job-unacknowledged', admin)
      expect(found.sentence).toBe(
        `Provider ${manual} has not acknowledged job ${jobId}, which was submitted at ${found.since}.`,
      )
      expect(found.remedy).toBeUndefined()
      const before = await everything(hub)
      const says =
        /offers no remedy.* Check that the provider fetches its jobs or receives its listener calls\.$/
      await remedy(found, { status: 409, code: 'FINDING_WITHOUT_REMEDY', says })
      expect(await everything(hub)).toBe(before)
      await call(
        'PUT',
        `/providers/${manual}/jobs/${jobId}/acknowledge`,
        undefined,
        'demo-provider',
      )
      expect(await of('job-unacknowledged')).toEqual([])
      await remedy(found, { status: 409, code: 'FINDING_GONE' })
    })

    it('past their due date without movement are shown, until something moves', async () => {
      const due = new Date(now() + 3_600_000).toISOString()
      const jobId = await sentTo(await providerId('Manual'), { dueDate: due })
      await hub.advance('23h')
      expect(await of('job-overdue')).toEqual([])
      await hub.advance('61m')
      const found = await one('job-overdue', admin)
      expect(found).toMatchObject({
        thingId: jobId,
        since: due,
        facts: { jobId, due },
        names: { jobId: expect.any(String) },
      })
      expect(found.sentence).toMatch(
        new RegExp(
          `^Job ${jobId} was due at ${due}; it is SENT_TO_PROVIDER, and nothing has changed since .*Z\\.$`,
        ),
      )
      await call('PUT', `/jobs/${jobId}/complete`)
      expect(await of('job-overdue')).toEqual([])
    })

    it('that retention removes within a week are counted for their site', async () => {
      const ids = [
        await call('POST', '/jobs', { jobName: 'a' }),
        await call('POST', '/jobs', { jobName: 'b' }),
      ]
      const archivedAt = (jobId: unknown, archived_at: number | null) =>
        write((tx) =>
          tx.updateTable('jobs').set({ archived_at }).where('job_id', '=', String(jobId)).execute(),
        )
      await archivedAt(ids[0]?.jobId, now() - 55 * day)
      await archivedAt(ids[1]?.jobId, now() - 60 * day)
      expect(await of('jobs-expire')).toEqual([])
      Object.assign(hub.inner.config, { retentionMonths: 2 })
      try {
        const found = await one('jobs-expire', admin)
        expect(found).toMatchObject({ thingId: 'demo', siteId: 'demo' })
        expect(found.sentence).toMatch(
          new RegExp(
            `^2 archived jobs of site demo will be removed within a week, the first one \\(${ids[1]?.jobId}\\) at`,
          ),
        )
        expect(await of('jobs-expire', 'other-admin')).toEqual([])
        for (const { jobId } of ids) await archivedAt(jobId, null)
        expect(await of('jobs-expire')).toEqual([])
      } finally {
        Object.assign(hub.inner.config, { retentionMonths: undefined })
      }
    })

    it('whose engine is at a limit wait, until the limit is raised', async () => {
      const body = { name: 'MT', typeId: 'machine-translation', config: { url: translator.url } }
      const made = await call(
        'POST',
        '/providers',
        { ...body, limits: { charactersPerDay: 1 } },
        admin,
      )
      translator.be()
      await sentTo(String(made.id))
      await until('it is held', async () => (await of('engine-held')).length > 0)
      expect(await one('engine-held', admin)).toMatchObject({
        thing: 'provider',
        thingId: made.id,
        siteId: 'demo',
      })
      expect(await of('engine-held', 'other-admin')).toEqual([])
      expect(translator.calls).toEqual([])
      await call('PATCH', `/providers/${made.id}`, { limits: {} }, admin)
      expect(await of('engine-held')).toEqual([])
    })

    it('whose engine refuses show its message, until it translates', async () => {
      const config = { url: translator.url, batchSize: 10 }
      const made = await call(
        'POST',
        '/providers',
        { name: 'MT', typeId: 'machine-translation', config },
        admin,
      )
      translator.be(() => ({ status: 503, body: { error: 'Too busy.' } }))
      const jobId = await sentTo(String(made.id))
      await until('the engine was asked', async () => translator.calls.length > 0)
      const ofMade = async () =>
        (await of('engine-refuses', admin)).find(({ thingId }) => thingId === made.id)
      await until('the try is noted', async () => (await ofMade()) !== undefined)
      const found = await ofMade()
      expect(found).toMatchObject({ thing: 'provider', thingId: made.id, siteId: 'demo' })
      expect(found?.sentence).toMatch(
        new RegExp(
          `^The engine of provider ${made.id} fails: .*503.* The next attempt is at .*Z\\.$`,
        ),
      )
      expect(await of('engine-refuses', 'other-admin')).toEqual([])
      translator.be()
      await hub.advance('10m')
      const status = async () => (await call('GET', `/jobs/${jobId}`)).statusCode
      await until('it is translated', async () => (await status()) === 'IN_TRANSLATION')
      await until('the finding is gone', async () => (await ofMade()) === undefined)
    })
  })

  it('requests that no task works on are found by the check, until they are sent again', async () => {
    const jobId = await sentTo(await providerId('Pseudo'))
    await until('the job is translated', async () => {
      const { requests } = await call<{ requests: { statusCode: string }[] }>(
        'GET',
        `/jobs/${jobId}/requests`,
      )
      return requests[0]?.statusCode === 'REVIEW_TRANSLATION'
    })
    await write((tx) =>
      tx
        .updateTable('requests')
        .set({ status: 'SENT_TO_PROVIDER' })
        .where('job_id', '=', jobId)
        .execute(),
    )
    expect(await of('work-lost')).toEqual([])
    await checkHub(hub.inner, { fast: true })
    const found = await one('work-lost')
    expect([found.thingId, found.siteId, found.remedy?.name]).toEqual([jobId, 'demo', 'send'])
    expect(await of('work-lost', 'other-admin')).toEqual([])
    expect(await of('check')).toEqual([])
    await remedy(found)
    expect(await of('work-lost')).toEqual([])
    await hub.advance('1m')
    await checkHub(hub.inner, { fast: true })
    expect(await list({ rule: 'work-lost' })).toEqual([])
  })

  describe('limits', () => {
    const setQuota = (clientId: string, name: string, value: number | null) =>
      call('PATCH', `/clients/${clientId}`, { quotas: { [name]: value } }, admin)

    it('a quota of a site is shown from 90 % on', async () => {
      const { count } = await hub.inner.db.read
        .selectFrom('providers')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('site_id', '=', 'demo')
        .executeTakeFirstOrThrow()
      await setQuota(admin, 'MaxProvidersPerSite', 100)
      expect(await of('quota-near')).toEqual([])
      await setQuota(admin, 'MaxProvidersPerSite', Number(count))
      const found = await one('quota-near', admin)
      expect(found).toMatchObject({
        siteId: 'demo',
        thing: 'quota',
        thingId: 'demo.MaxProvidersPerSite',
      })
      expect(found.sentence).toBe(
        `MaxProvidersPerSite of site demo is 100 % used: ${count} of ${count}.`,
      )
      expect(await of('quota-near', 'other-admin')).toEqual([])
      // The highest of its clients counts.
      await setQuota('demo-connector', 'MaxProvidersPerSite', 100)
      expect(await of('quota-near')).toEqual([])
      await setQuota('demo-connector', 'MaxProvidersPerSite', null)
      await setQuota(admin, 'MaxProvidersPerSite', null)
      await setQuota(admin, 'MaxBytesPerSite', 1)
      expect((await one('quota-near')).thingId).toBe('demo.MaxBytesPerSite')
      await setQuota(admin, 'MaxBytesPerSite', null)
      expect(await of('quota-near')).toEqual([])
    })

    it('so are unacknowledged status updates, until they are acknowledged', async () => {
      const { statusupdates } = await call<{ statusupdates: { updateId: string }[] }>(
        'GET',
        '/statusupdates',
      )
      expect(statusupdates.length).toBeGreaterThan(0)
      await setQuota(admin, 'MaxStatusUpdatesPerSite', statusupdates.length)
      const found = await one('updates-near', admin)
      expect(found.sentence).toBe(
        `Site demo has ${statusupdates.length} unacknowledged status updates; at ${statusupdates.length} no job can be submitted.`,
      )
      for (const { updateId } of statusupdates)
        await call('PUT', `/statusupdates/${updateId}/acknowledge`)
      expect(await of('updates-near')).toEqual([])
      await setQuota(admin, 'MaxStatusUpdatesPerSite', null)
    })

    it('a disk is shown to operators when 90 % of what uploads may use is used', async () => {
      const { blobs } = hub.inner
      let free = 102 * 1024 ** 3
      Object.assign(blobs, { space: async () => ({ free, total: 1_001 * 1024 ** 3 }) })
      expect(await of('disk-near')).toEqual([])
      free = 101 * 1024 ** 3
      const found = await one('disk-near')
      expect(found.sentence).toBe(
        `90 % of the disk that files may use is used: ${free} bytes are free, and uploads are refused below ${1024 ** 3}.`,
      )
      expect(await of('disk-near', admin)).toEqual([])
      await remedy(found, { as: admin, status: 404, code: 'FINDING_NOT_FOUND' })
      Object.assign(blobs, { space: plenty })
      expect(await of('disk-near')).toEqual([])
    })
  })

  describe('the hub', () => {
    const addNode = (
      node_id: string,
      more: { seen_at?: number; started_at?: number; skew_ms?: number; stopping_at?: number } = {},
    ) =>
      write((tx) =>
        tx
          .insertInto('nodes')
          .values({
            node_id,
            host: 'far',
            version: '1',
            started_at: now() - 5_000,
            seen_at: now(),
            ...more,
          })
          .execute(),
      )
    const removeNodes = () =>
      write((tx) => tx.deleteFrom('nodes').where('host', '=', 'far').execute())

    it('a node whose clock differs is shown', async () => {
      await addNode('ahead', { skew_ms: 2_001 })
      await addNode('behind', { skew_ms: -90_000 })
      await addNode('right', { skew_ms: -2_000 })
      expect((await of('clock-skew')).map(({ sentence }) => sentence)).toEqual([
        'The clock of node ahead on far is 2.0 s ahead of the clock of the database.',
        'The clock of node behind on far is 90.0 s behind the clock of the database.',
      ])
      expect(await of('clock-skew', admin)).toEqual([])
      await removeNodes()
      expect(await of('clock-skew')).toEqual([])
    })

    it('an operator who works in a site sees, counts and remedies what is wrong with the hub', async () => {
      await addNode('lost', { started_at: 1, seen_at: now() - 61_000 })
      const [both, siteAdmin] = await Promise.all([
        enter(hub, ['operator', 'admin'], 'demo'),
        enter(hub, ['admin'], 'demo'),
      ])
      const seenBy = async (person: typeof both) =>
        (
          await person.call<Page>('GET', '/findings', { query: { rule: 'node-vanished' } })
        ).body.findings.map(({ thingId }) => thingId)
      const countedBy = async (person: typeof both) =>
        (
          await person.call<{ findingRules?: { rule: string }[] }>('GET', '/counts')
        ).body.findingRules?.some(({ rule: name }) => name === 'node-vanished')
      expect([await seenBy(both), await countedBy(both)]).toEqual([['lost'], true])
      expect([await seenBy(siteAdmin), await countedBy(siteAdmin)]).toEqual([[], false])
      const { findingId } = await one('node-vanished')
      const path = `/findings/${findingId}/remedy`
      expect((await siteAdmin.call('POST', path)).status).toBe(404)
      expect((await both.call('POST', path)).status).toBe(200)
      expect(await seenBy(both)).toEqual([])
    })

    it('a node that vanished is shown until it is forgotten', async () => {
      await addNode('gone', { seen_at: now() - 61_000 })
      await addNode('slow', { seen_at: now() - 30_000 })
      const found = await one('node-vanished')
      expect(found.sentence).toBe(
        `Node gone on far was last seen at ${found.since} and did not stop cleanly.`,
      )
      expect((await remedy(found)).body).toMatchObject({
        remedy: 'forget',
        done: 'Node gone is no longer listed.',
      })
      expect((await acts())[0]).toMatchObject({
        site_id: null,
        thing: 'node',
        verb: 'forgotten',
        thing_id: 'gone',
      })
      expect(await of('node-vanished')).toEqual([])
      await remedy(found, { status: 409, code: 'FINDING_GONE' })
      await removeNodes()
    })

    it('GET /nodes lists nodes with their states, newest first, page by page', async () => {
      const at = now() - 1_000
      await addNode('vanished', { started_at: at - 1, seen_at: now() - 61_000 })
      await addNode('stopping', { started_at: at, stopping_at: now() })
      await addNode('third', { started_at: at, skew_ms: 7 })
      const nodes: Node[] = []
      let next: string | undefined
      do {
        const query = { pageSize: 2, ...(next && { navNext: next }) }
        const { body } = await hub.call<{ nodes: Node[]; pagination: { navNext?: string } }>(
          'GET',
          '/v2/nodes',
          {
            as: operator,
            query,
          },
        )
        nodes.push(...body.nodes)
        next = body.pagination.navNext
      } while (next)
      expect(nodes.map(({ nodeId, state }) => [nodeId, state]).slice(0, 3)).toEqual([
        ['stopping', 'stopping'],
        ['third', 'running'],
        ['vanished', 'vanished'],
      ])
      expect(nodes).toHaveLength(4)
      expect(nodes.at(1)).toEqual({
        nodeId: 'third',
        host: 'far',
        version: '1',
        state: 'running',
        startedDate: expect.stringMatching(/Z$/),
        seenDate: expect.stringMatching(/Z$/),
        clockSkewMs: 7,
        tasks: 0,
      })
      const own = nodes.at(-1)
      expect(own).toMatchObject({
        nodeId: hub.inner.nodeId,
        version: expect.any(String),
        state: 'running',
      })
      // Both clocks are those of this machine, but a query takes a while, on a busy one a long
      // while.
      if (database === 'postgres')
        expect(Math.abs(own?.clockSkewMs ?? Number.NaN)).toBeLessThan(600_000)
      else expect(own?.clockSkewMs).toBeUndefined()
      await removeNodes()
    })

    it('a node counts the tasks that it runs', async () => {
      await parkTask('demo')
      const leased = { parked: 0, leased_by: hub.inner.nodeId, lease_until: now() + day }
      await write((tx) =>
        tx.updateTable('tasks').set(leased).where('cause_id', '=', 'a-cause').execute(),
      )
      await until('no other task runs', async () => {
        const { nodes } = await call<{ nodes: Node[] }>('GET', '/nodes', undefined, operator)
        return nodes.find(({ nodeId }) => nodeId === hub.inner.nodeId)?.tasks === 1
      })
      await clearTasks()
    })

    it('what the last check found is shown until the next check', async () => {
      const [job] = await hub.inner.db.read.selectFrom('jobs').select('job_id').limit(1).execute()
      const flag = (archived: number) =>
        write((tx) =>
          tx
            .updateTable('jobs')
            .set({ archived })
            .where('job_id', '=', job?.job_id ?? '')
            .execute(),
        )
      await flag(1)
      expect((await checkHub(hub.inner, { fast: true })).findings).toHaveLength(1)
      const found = await one('check', admin)
      expect(found).toMatchObject({ siteId: 'demo', thing: 'job', thingId: job?.job_id })
      expect(found.sentence).toBe(
        `dragoman check found this at ${found.since}: archived flags: job ${job?.job_id}: archived is 1 on a job ACTIVE. No call writes this: restore the row from a backup, or correct it manually.`,
      )
      expect(await of('check', 'other-admin')).toEqual([])
      await remedy(found, { status: 409, code: 'FINDING_WITHOUT_REMEDY' })
      await flag(0)
      expect(await one('check')).toEqual(found)
      await checkHub(hub.inner, { fast: true })
      expect(await of('check')).toEqual([])
    })

    it('a check that reads no bytes keeps what an earlier one found in them, and keeps at most a hundred', async () => {
      const kept = (check: string) => ({
        check,
        weight: 'wrong' as const,
        what: 'file x',
        says: 'S.',
        advice: 'A.',
      })
      const last = { at: now(), findings: [kept('file bytes'), kept('keys')], more: 0 }
      await write((tx) => writeHubState(tx, 'last_check', JSON.stringify(last)))
      expect(await of('check')).toHaveLength(2)
      await checkHub(hub.inner, { fast: true })
      expect((await one('check')).sentence).toContain('file bytes: file x: S. A.')
      const many = Array.from({ length: 130 }, (_, at) => ({
        client_id: 'demo-provider',
        provider_id: `lost-${at}`,
      }))
      await write((tx) => tx.insertInto('client_providers').values(many).execute())
      await checkHub(hub.inner)
      expect((await list({ rule: 'check', pageSize: '50' })).length).toBe(50)
      const { value } = await hub.inner.db.read
        .selectFrom('hub_state')
        .select('value')
        .where('name', '=', 'last_check')
        .executeTakeFirstOrThrow()
      expect(JSON.parse(value)).toMatchObject({ more: 30, findings: { length: 100 } })
      await write((tx) =>
        tx.deleteFrom('client_providers').where('provider_id', 'like', 'lost-%').execute(),
      )
      await checkHub(hub.inner)
      expect(await of('check')).toEqual([])
    })

    it('an old backup is shown where one is expected, and that there is none when the first is due', async () => {
      expect(await of('backup-old')).toEqual([])
      // Longer than this hub has been there.
      Object.assign(hub.inner.config, { backupExpected: { count: 9, unit: 'y' } })
      expect(await of('backup-old')).toEqual([])
      Object.assign(hub.inner.config, { backupExpected: { count: 1, unit: 's' } })
      expect((await one('backup-old')).sentence).toMatch(
        /^There is no backup\. A backup is expected by 20\S+Z\.$/,
      )
      Object.assign(hub.inner.config, { backupExpected: { count: 7, unit: 'd' } })
      const noted = (at: number) =>
        write((tx) =>
          writeHubState(tx, 'last_backup', JSON.stringify({ at, to: '/backups', bytes: 1 })),
        )
      const last = now() - 8 * day
      await noted(last)
      const found = await one('backup-old')
      expect(found.sentence).toBe(
        `The last backup finished at ${new Date(last).toISOString()}. A backup is expected by ${found.since}.`,
      )
      expect(await of('backup-old', admin)).toEqual([])
      await noted(now())
      expect(await of('backup-old')).toEqual([])
      await hub.advance('7d')
      expect(await of('backup-old')).toHaveLength(1)
      Object.assign(hub.inner.config, { backupExpected: undefined })
    })

    it('a certificate and a secret are shown two weeks before they end', async ({ skip }) => {
      skip(!hasOpenssl, noOpenssl)
      const { cert, key } = makeCertificate(hub.folder, 'hub', 'ec', 60)
      Object.assign(hub.inner.config, { tls: { cert, key, clientCerts: false } })
      const { secret } = await rotateSecret(hub.inner, 'other-connector', {
        overlap: { count: 16, unit: 'd' },
      })
      hub.secrets.set('other-connector', secret)
      const ends = Date.parse((await certificateEnd(cert)).toISOString())
      expect(await of('secret-expires')).toEqual([])
      expect(await of('certificate-expires')).toEqual([])
      await hub.advance('3d')
      const found = await one('secret-expires', 'other-admin')
      expect(found).toMatchObject({ siteId: 'other', thing: 'client', thingId: 'other-connector' })
      expect(found.sentence).toBe(
        `A secret of client other-connector expires at ${new Date(Date.parse(found.since) + 14 * day).toISOString()}.`,
      )
      await hub.advance('14d')
      expect(await of('secret-expires')).toEqual([])
      await hub.advance(`${Math.ceil((ends - 14 * day - now()) / 1_000)}s`)
      const ending = await one('certificate-expires')
      expect(ending.sentence).toBe(
        `The TLS certificate of IP Address:127.0.0.1, DNS:localhost expires at ${new Date(ends).toISOString()}.`,
      )
      expect(await of('certificate-expires', admin)).toEqual([])
      Object.assign(hub.inner.config, { tls: undefined })
      expect(await of('certificate-expires')).toEqual([])
    })
  })

  describe('refusals', () => {
    const rows: ScenarioCall[] = [
      {
        name: 'a connector',
        call: 'GET /v2/findings',
        as: 'demo-connector',
        status: 403,
        code: 'FORBIDDEN',
      },
      {
        name: 'a provider',
        call: 'GET /v2/findings',
        as: 'demo-provider',
        status: 403,
        code: 'FORBIDDEN',
      },
      {
        name: 'an admin asks for nodes',
        call: 'GET /v2/nodes',
        as: admin,
        status: 403,
        code: 'FORBIDDEN',
      },
      {
        name: 'an unknown rule',
        call: 'GET /v2/findings?rule=none',
        as: admin,
        status: 400,
        code: 'INVALID_PARAMETER',
      },
      {
        name: 'an unknown severity',
        call: 'GET /v2/findings?severity=1',
        as: admin,
        status: 400,
        code: 'INVALID_PARAMETER',
      },
      {
        name: 'a made-up cursor',
        call: 'GET /v2/findings?navNext=x.y',
        as: admin,
        status: 400,
        code: 'INVALID_CURSOR',
      },
      {
        name: 'a made-up cursor of nodes',
        call: 'GET /v2/nodes?navNext=x',
        as: operator,
        status: 400,
        code: 'INVALID_CURSOR',
      },
      ...[
        'x',
        'parked-task',
        'parked-task.1',
        'none.1.abcdefghijkl',
        'parked-task.1.abcdefghijkl',
        '.1.2',
        '1..',
      ].map(
        (id): ScenarioCall => ({
          name: `the finding ${id}`,
          call: `POST /v2/findings/${id}/remedy`,
          as: admin,
          status: 404,
          code: 'FINDING_NOT_FOUND',
        }),
      ),
      {
        name: 'an id with other characters',
        call: 'POST /v2/findings/a%20b/remedy',
        as: admin,
        status: 400,
        code: 'INVALID_PARAMETER',
      },
      {
        name: 'a finding that is not there',
        call: 'POST /v2/findings/parked-task.x.y/remedy',
        as: operator,
        status: 409,
        code: 'FINDING_GONE',
      },
      {
        name: 'a connector',
        call: 'POST /v2/findings/parked-task.1.y/remedy',
        as: 'demo-connector',
        status: 403,
        code: 'FORBIDDEN',
      },
    ]
    it.each(rows)('$name: $status', async (row) => {
      await run(hub, row)
    })
  })

  it('a cursor carries its filter; another filter with it is refused', async () => {
    await parkTask('demo', 2)
    const { body } = await hub.call<Page>('GET', '/v2/findings', {
      as: operator,
      query: { rule: 'parked-task', pageSize: 1 },
    })
    const navNext = String(body.pagination.navNext)
    const rest = await list({ navNext })
    expect(rest).toHaveLength(1)
    await run(hub, {
      name: 'another filter',
      call: `GET /v2/findings?rule=check&navNext=${navNext}`,
      as: operator,
      status: 400,
      code: 'INVALID_CURSOR',
    })
    expect((await list({ severity: 'warning' })).length).toBe(0)
    expect((await list({ severity: 'error' })).length).toBe(2)
    await clearTasks()
  })

  it('the metrics count findings by rule, at most once a minute', async () => {
    const metric = async (rule: string): Promise<string | undefined> => {
      const { body } = await hub.call<string>('GET', '/metrics')
      return new RegExp(`^dragoman_findings\\{rule="${rule}"\\} (\\d+)$`, 'm').exec(body)?.[1]
    }
    await hub.advance('61s')
    expect(await metric('parked-task')).toBe('0')
    await parkTask('demo', 110)
    expect(await metric('parked-task')).toBe('0')
    await hub.advance('61s')
    expect(await metric('parked-task')).toBe('110')
    expect(await metric('disk-near')).toMatch(/^[01]$/)
    await clearTasks()
  })

  it('a question that is open for a day is found, until somebody answers it', async () => {
    const provider = await providerId('Manual')
    const jobId = await sentTo(provider)
    const asked = { kind: 'QUESTION', to: 'TEAM', text: 'Which tone?' }
    const { commentId } = await call('POST', `/jobs/${jobId}/comments`, asked)
    expect(await of('question-open')).toEqual([])
    await write((tx) =>
      tx
        .updateTable('comments')
        .set({ created_at: now() - 86_400_001 })
        .where('comment_id', '=', String(commentId))
        .execute(),
    )
    const found = await one('question-open')
    expect([found.siteId, found.sentence]).toEqual([
      'demo',
      expect.stringContaining(String(commentId)),
    ])
    expect(await of('question-open', 'other-admin')).toEqual([])
    const answered = `/providers/${provider}/jobs/${jobId}/comments/${commentId}`
    await call('PATCH', answered, { answer: { text: 'Friendly.' } }, 'demo-provider')
    expect(await of('question-open')).toEqual([])
  })

  it('every rule was seen', () => {
    expect(findingRuleNames.filter((rule) => !seen.has(rule))).toEqual([])
  })
})

async function certificateEnd(pem: string): Promise<Date> {
  const { X509Certificate } = await import('node:crypto')
  return new Date(new X509Certificate(pem).validTo)
}
