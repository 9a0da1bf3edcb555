/**
 * Every administrative act leaves one row in the audit log, in its own transaction: who, what, on
 * which thing, in which call.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { disableClient, enableClient } from '../packages/server/src/domain/access/clients.ts'
import { rotateSecret } from '../packages/server/src/domain/access/rotate-secret.ts'
import { rotateSigningKeys } from '../packages/server/src/domain/access/signing-keys.ts'
import { checkHub } from '../packages/server/src/domain/operations/integrity/check.ts'
import { sweep } from '../packages/server/src/domain/operations/tasks/sweep.ts'
import { savePriceListOf } from '../packages/server/src/domain/settings/price-lists.ts'
import { dismissClient, enrolClient } from '../packages/server/src/domain/sites/enrol-client.ts'
import { type CallOptions, databases, startHub, type TestHub } from './hub.ts'
import { priceList } from './price-list.ts'
import { inside, soapCall } from './soap/soap-call.ts'

const day = 86_400_000

describe.each(databases)('the audit log on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
  })
  afterAll(() => hub.close())

  const acts = () => hub.inner.db.read.selectFrom('audit').selectAll().orderBy('audit_id').execute()
  /** What `act` left behind. */
  const during = async (act: () => Promise<unknown>) => {
    const before = (await acts()).length
    await act()
    return (await acts()).slice(before)
  }
  const short = (rows: Awaited<ReturnType<typeof acts>>) =>
    rows.map(({ actor, site_id, verb, thing, thing_id }) => [actor, site_id, thing, thing_id, verb])
  const findings = async () =>
    (await checkHub(hub.inner)).findings.filter(({ check }) => check === 'audit log')

  it('begins with what the hub did by itself', async () => {
    const first = short(await acts())
    expect(first[0]).toEqual(['hub', 'demo', 'site', 'demo', 'added'])
    for (const id of ['demo-admin', 'demo-connector', 'demo-provider', 'demo-settings'])
      expect(first).toContainEqual(['hub', 'demo', 'client', id, 'added'])
    expect(
      first.filter(([, , thing, , verb]) => thing === 'provider' && verb === 'created'),
    ).toHaveLength(2)
    expect(first).toContainEqual(['hub', 'demo', 'client', 'demo-provider', 'changed'])
    await hub.token('demo-admin')
    const kid = expect.stringMatching(/^[\w-]{12}\.[\w-]{12}$/)
    expect(short(await acts())).toContainEqual(['hub', null, 'signing key', kid, 'made'])
    expect(await findings()).toEqual([])
  })

  type Made = {
    id: string
    priceListId: string
    listenerId: string
    providerId: string
    termId: string
  }
  const made = { code: '', moved: '', provider: '', listener: '', term: '' }
  const canaryUri = 'http://127.0.0.1:9/canary-uri'
  /** One call each, in this order; what is made by one is changed by the next. */
  const calls: readonly [
    string,
    string,
    () => CallOptions,
    { thing: string; verb: string; fields?: string[] },
  ][] = [
    [
      'POST',
      '/providers',
      () => ({ body: { name: 'P', typeId: 'manual', config: {} } }),
      { thing: 'provider', verb: 'created' },
    ],
    [
      'PATCH',
      '/providers/{provider}',
      () => ({ body: { name: 'canary-name', status: 'DISABLED' } }),
      { thing: 'provider', verb: 'changed', fields: ['name', 'status'] },
    ],
    [
      'POST',
      '/providers/{provider}/test',
      () => ({ body: {} }),
      { thing: 'provider', verb: 'tested' },
    ],
    ['DELETE', '/providers/{provider}', () => ({}), { thing: 'provider', verb: 'removed' }],
    [
      'POST',
      '/providers',
      () => ({ body: { name: 'P', typeId: 'manual', config: {} } }),
      { thing: 'provider', verb: 'created' },
    ],
    [
      'POST',
      '/settings/analysiscodes',
      () => ({ body: { level: 2, code: 'canary-code', label: 'canary-label' } }),
      { thing: 'analysis code', verb: 'created' },
    ],
    [
      'POST',
      '/settings/analysiscodes',
      () => ({ body: { id: made.code, level: 2, code: 'canary-other' } }),
      { thing: 'analysis code', verb: 'changed', fields: ['code', 'level'] },
    ],
    [
      'PATCH',
      '/settings/analysiscodes/{code}',
      () => ({ body: { label: 'canary-label-2', visible: false } }),
      { thing: 'analysis code', verb: 'changed', fields: ['label', 'visible'] },
    ],
    [
      'PATCH',
      '/settings/analysislevels/2',
      () => ({ body: { label: 'canary-level' } }),
      { thing: 'analysis level', verb: 'changed', fields: ['label'] },
    ],
    [
      'PUT',
      '/settings/formatoptions',
      () => ({
        body: { json: { keys: ['canary-key'] }, xml: { attributes: ['canary-attribute'] } },
      }),
      { thing: 'format options', verb: 'changed', fields: ['json', 'xml'] },
    ],
    [
      'PUT',
      '/settings/site',
      () => ({ body: { timeZone: 'Europe/Berlin' } }),
      { thing: 'site', verb: 'changed', fields: ['timeZone'] },
    ],
    [
      'PUT',
      '/settings/checks',
      () => ({ body: { numbers: 'BLOCKING', same: 'OFF' } }),
      { thing: 'checks', verb: 'changed', fields: ['numbers', 'same'] },
    ],
    [
      'PUT',
      '/settings/routing',
      () => ({ body: { version: 0, rules: [{ name: 'canary-rule', providerId: made.provider }] } }),
      { thing: 'routing', verb: 'changed', fields: ['rules'] },
    ],
    [
      'PUT',
      '/settings/formatoptions',
      () => ({ body: {} }),
      { thing: 'format options', verb: 'changed', fields: ['json', 'xml'] },
    ],
    [
      'DELETE',
      '/settings/analysiscodes/{code}',
      () => ({}),
      { thing: 'analysis code', verb: 'deleted' },
    ],
    [
      'POST',
      '/statusupdates/listeners',
      () => ({
        body: {
          uri: canaryUri,
          type: 'JOB_STATUS_UPDATED',
          secret: `whsec_${btoa('canary'.repeat(5))}`,
        },
      }),
      { thing: 'listener', verb: 'created' },
    ],
    [
      'PATCH',
      '/statusupdates/listeners/{listener}',
      () => ({ body: { uri: `${canaryUri}-2`, disabled: true } }),
      { thing: 'listener', verb: 'changed', fields: ['uri', 'disabled'] },
    ],
    [
      'DELETE',
      '/statusupdates/listeners/{listener}',
      () => ({}),
      { thing: 'listener', verb: 'deleted' },
    ],
    [
      'POST',
      '/listeners',
      () => ({ body: { jobUri: canaryUri } }),
      { thing: 'listener', verb: 'created' },
    ],
    [
      'PATCH',
      '/listeners/{listener}',
      () => ({ body: { assetTaskUri: canaryUri, secret: `whsec_${btoa('canary'.repeat(6))}` } }),
      { thing: 'listener', verb: 'changed', fields: ['assetTaskUri', 'secret'] },
    ],
    ['DELETE', '/listeners/{listener}', () => ({}), { thing: 'listener', verb: 'deleted' }],
    [
      'POST',
      '/settings/pricelists',
      () => ({ body: priceList }),
      { thing: 'price list', verb: 'saved' },
    ],
    [
      'POST',
      '/settings/terms',
      () => ({ body: { entries: [{ language: 'en', text: 'canary' }] } }),
      { thing: 'term', verb: 'created' },
    ],
    [
      'PATCH',
      '/settings/terms/{term}',
      () => ({ body: { version: 1, definition: 'canary' } }),
      { thing: 'term', verb: 'changed', fields: ['definition'] },
    ],
    [
      'DELETE',
      '/settings/terms/{term}',
      () => ({ query: { version: 2 } }),
      { thing: 'term', verb: 'deleted' },
    ],
    [
      'POST',
      '/settings/terms/import',
      () => ({
        query: { format: 'csv' },
        body: 'en\ncanary\n',
        headers: { 'content-type': 'text/csv' },
      }),
      { thing: 'term', verb: 'imported' },
    ],
  ]

  it('has a row for every administrative call of the REST API', async () => {
    for (const [method, path, options, { thing, verb, fields }] of calls) {
      const url = `/v2${path.replace(/\{(\w+)\}/, (_, name: keyof typeof made) => made[name])}`
      let traceId: string | null = ''
      let id = ''
      const rows = await during(async () => {
        const answer = await hub.call<Made>(method, url, { as: 'demo-admin', ...options() })
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
        traceId = answer.headers.get('x-request-id')
        id =
          answer.body.priceListId ??
          answer.body.listenerId ??
          answer.body.termId ??
          answer.body.id ??
          answer.body.providerId ??
          (['site', 'format options', 'checks', 'routing', 'term'].includes(thing) ? 'demo' : '2')
      })
      if (thing === 'provider') made.provider = id
      if (thing === 'analysis code') made.code = id
      if (thing === 'listener') made.listener = id
      if (thing === 'term') made.term = id
      expect(rows, `${method} ${path}`).toMatchObject([
        {
          actor: 'client',
          client_id: 'demo-admin',
          site_id: 'demo',
          thing,
          verb,
          thing_id: id,
          trace_id: traceId,
        },
      ])
      expect(JSON.parse(rows[0]?.fields ?? 'null')).toEqual(fields ?? null)
    }
    expect(JSON.stringify(await acts())).not.toContain('canary')
  })

  it('has a row for every change by SOAP, and one for each code of a call that moves several', async () => {
    const code = (text: string) =>
      `<AnalysisCode><Code>${text}</Code><Level>3</Level></AnalysisCode>`
    const ids: string[] = []
    for (const text of ['one', 'two']) {
      const rows = await during(async () => {
        ids.push(
          inside((await soapCall(hub, 'SetOrganisationAnalysisCode', code(text))).text, 'ID'),
        )
      })
      expect(rows).toMatchObject([
        { client_id: 'demo-settings', verb: 'created', thing_id: ids.at(-1) },
      ])
    }
    const listed = `<AnalysisCodeIDs>${ids.map((id) => `<string>${id}</string>`).join('')}</AnalysisCodeIDs>`
    const moved = await during(() =>
      soapCall(hub, 'SetOrganisationAnalysisCodesLevel', `${listed}<Level>4</Level>`),
    )
    expect(moved).toMatchObject(
      ids.map((id) => ({ verb: 'changed', thing_id: id, fields: '["level"]' })),
    )
    const level = '<Level>4</Level><Visible>false</Visible>'
    expect(
      await during(() => soapCall(hub, 'SetOrganisationAnalysisCodeLevelVisibility', level)),
    ).toMatchObject([{ thing: 'analysis level', thing_id: '4', fields: '["visible"]' }])
  })

  it('says that a code was hidden where a job carries it', async () => {
    const body = { level: 5, code: 'used' }
    const { id } = (
      await hub.call<Made>('POST', '/v2/settings/analysiscodes', { as: 'demo-admin', body })
    ).body
    const job = { jobName: 'a', analysisCodes: [{ level: 5, code: 'used' }] }
    expect((await hub.call('POST', '/v2/jobs', { as: 'demo-connector', body: job })).status).toBe(
      201,
    )
    const rows = await during(() =>
      hub.call('DELETE', `/v2/settings/analysiscodes/${id}`, { as: 'demo-admin' }),
    )
    expect(rows).toMatchObject([{ thing_id: id, verb: 'hidden' }])
  })

  it('has a row for everything that the command line does, and no secret in it', async () => {
    const secret = 'canary-secret-of-a-client'
    const client = { siteId: 'elsewhere', clientId: 'web', scopes: ['content'] as const, secret }
    expect(
      short(await during(() => enrolClient(hub.inner, { ...client, scopes: ['content'] }))),
    ).toEqual([
      ['command line', 'elsewhere', 'site', 'elsewhere', 'added'],
      ['command line', 'elsewhere', 'client', 'web', 'added'],
      ['command line', 'elsewhere', 'provider', expect.any(String), 'created'],
      ['command line', 'elsewhere', 'provider', expect.any(String), 'created'],
    ])
    const one = async (act: () => Promise<unknown>) =>
      short(await during(act)).map((row) => row.at(-1))
    expect(await one(() => rotateSecret(hub.inner, 'web', { secret: `${secret}-2` }))).toEqual([
      'secret rotated',
    ])
    expect(await one(() => disableClient(hub.inner, 'web'))).toEqual(['disabled'])
    expect(await one(() => enableClient(hub.inner, 'web'))).toEqual(['enabled'])
    expect(await one(() => savePriceListOf(hub.inner, 'elsewhere', priceList))).toEqual(['saved'])
    expect(short(await during(() => dismissClient(hub.inner, 'web')))).toEqual([
      ['command line', 'elsewhere', 'client', 'web', 'removed'],
    ])
    expect(JSON.stringify(await acts())).not.toContain('canary')
  })

  it('has nothing of what was refused, and one row of what was sent twice', async () => {
    const body = { level: 6, code: 'x' }
    const rows = await during(async () => {
      const as = 'demo-admin'
      await hub.call('POST', '/v2/settings/analysiscodes', { as, body: { level: 99, code: 'x' } })
      await hub.call('PATCH', '/v2/providers/unknown', { as, body: { name: 'x' } })
      await hub.call('POST', '/v2/settings/analysiscodes', { as: 'demo-connector', body })
      await expect(
        enrolClient(hub.inner, { siteId: 's', clientId: 'demo-admin', scopes: ['content'] }),
      ).rejects.toThrow()
      await expect(disableClient(hub.inner, 'nobody')).rejects.toThrow()
      for (const _ of [1, 2])
        await hub.call('POST', '/v2/settings/analysiscodes', {
          as,
          body,
          headers: { 'idempotency-key': 'k1' },
        })
    })
    expect(rows).toMatchObject([{ thing: 'analysis code', verb: 'created' }])
  })

  it('has a retry and a replay that found nothing to do', async () => {
    const as = 'demo-admin'
    const nothing: readonly [string, object, (string | number)[]][] = [
      ['/tasks/retry', { name: 'deliver' }, ['task', 'deliver', 'retried']],
      ['/tasks/retry', { name: 'deliver', state: 'due' }, ['task', 'deliver', 'retried']],
      ['/deliveries/replay', { filter: {} }, ['listener', 'failed', 'deliveries replayed']],
      [
        '/deliveries/replay',
        { filter: {}, mode: 'missing' },
        ['listener', 'missing', 'deliveries replayed'],
      ],
      [
        '/deliveries/replay',
        { filter: { listenerId: 'none' } },
        ['listener', 'failed', 'deliveries replayed'],
      ],
    ]
    for (const [path, body, act] of nothing) {
      const rows = await during(async () => {
        const answer = await hub.call('POST', `/v2${path}`, { as, body })
        expect(Object.values(answer.body)).toEqual([0])
      })
      expect([path, body, short(rows)]).toEqual([path, body, [['client', 'demo', ...act]]])
    }
    expect(
      await during(() =>
        hub.call('POST', '/v2/deliveries/replay', { as, body: { filter: {}, dryRun: true } }),
      ),
    ).toEqual([])
  })

  it('undoes the act where it cannot be written', async () => {
    const hidden = { name: 'audit', last: -5 }
    const head = await hub.inner.db.read
      .selectFrom('chains')
      .selectAll()
      .where('name', '=', 'audit')
      .executeTakeFirstOrThrow()
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('chains').where('name', '=', hidden.name).execute(),
    )
    const body = { level: 7, code: 'never' }
    expect(
      (await hub.call('POST', '/v2/settings/analysiscodes', { as: 'demo-admin', body })).status,
    ).toBe(500)
    await hub.inner.db.transact((tx) => tx.insertInto('chains').values(head).execute())
    const { body: left } = await hub.call<{ levels: unknown[] }>(
      'GET',
      '/v2/settings/analysiscodes?level=7',
      {
        as: 'demo-admin',
      },
    )
    expect(left.levels).toMatchObject([{ codes: [] }])
    expect(await findings()).toEqual([])
  })

  it('follows the signing keys', async () => {
    hub.inner.clock.moveTo(hub.inner.clock.now() + 30 * day)
    const made = short(await during(() => rotateSigningKeys(hub.inner)))
    // The sweep in the background may make a key of its own at the same time.
    expect(made.length).toBeGreaterThan(0)
    for (const act of made)
      expect(act).toEqual(['hub', null, 'signing key', expect.any(String), 'made'])
    hub.inner.clock.moveTo(hub.inner.clock.now() + 29 * day)
    await rotateSigningKeys(hub.inner)
    hub.inner.clock.moveTo(hub.inner.clock.now() + 10 * day)
    expect(
      short(await during(() => rotateSigningKeys(hub.inner))).map((row) => row.at(-1)),
    ).toContain('removed')
  })

  it('is kept for a year, and whole behind what was pruned', async () => {
    const before = await acts()
    hub.inner.clock.moveTo((before[0]?.acted_at ?? 0) + 364 * day)
    await sweep(hub.inner)
    expect((await acts())[0]?.audit_id).toBe(1)
    hub.inner.clock.moveTo((before.at(-1)?.acted_at ?? 0) + 366 * day)
    await enrolClient(hub.inner, { siteId: 'demo', clientId: 'late', scopes: ['content'] })
    await sweep(hub.inner)
    const left = await acts()
    expect(left.every(({ acted_at }) => acted_at > hub.inner.clock.now() - 365 * day)).toBe(true)
    expect(left[0]?.audit_id).toBeGreaterThan(before.length)
    expect(left).toContainEqual(expect.objectContaining({ thing_id: 'late', verb: 'added' }))
    expect(await findings()).toEqual([])
  })

  it('keeps a limited number of rows, the newest, and is complete after the pruned ones', async () => {
    const small = { ...hub.inner, config: { ...hub.inner.config, auditRows: 2 } }
    const before = await acts()
    expect(before.length).toBeGreaterThan(2)
    for (const clientId of ['one', 'two', 'three'])
      await enrolClient(small, { siteId: 'demo', clientId, scopes: ['content'] })
    const after = await acts()
    expect(after.map(({ thing_id }) => thing_id)).toEqual(['two', 'three'])
    expect(after.at(-1)?.audit_id).toBe((before.at(-1)?.audit_id ?? 0) + 3)
    expect(await findings()).toEqual([])
  })

  it('shows what was done to it past the hub', async () => {
    await disableClient(hub.inner, 'late')
    const { audit_id, client_id } = (await acts()).at(-1) ?? { audit_id: 0, client_id: null }
    const set = (value: string | null) =>
      hub.inner.db.transact((tx) =>
        tx
          .updateTable('audit')
          .set({ client_id: value })
          .where('audit_id', '=', audit_id)
          .execute(),
      )
    await set('somebody-else')
    expect(await findings()).toMatchObject([{ weight: 'wrong', what: `act ${audit_id}` }])
    await set(client_id)
    expect(await findings()).toEqual([])
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('audit').where('audit_id', '=', audit_id).execute(),
    )
    expect(await findings()).toMatchObject([
      { what: 'audit log', says: expect.stringContaining('newest rows are missing') },
    ])
  })
})

it('a sandbox that is reset begins a new audit log', async () => {
  const hub = await startHub()
  try {
    expect((await hub.call('POST', '/sandbox/reset')).status).toBe(200)
    const first = await hub.inner.db.read
      .selectFrom('audit')
      .selectAll()
      .orderBy('audit_id')
      .execute()
    expect(first[0]).toMatchObject({ audit_id: 1, actor: 'hub', thing: 'site', thing_id: 'demo' })
    expect((await checkHub(hub.inner)).findings.filter(({ check }) => / log$/.test(check))).toEqual(
      [],
    )
  } finally {
    await hub.close()
  }
})
