/**
 * Contract, section 12: the audit log as a call. What a thing was and is, and that nothing secret
 * is in it.
 */
import type { AuditEntry } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setClient } from '../../packages/server/src/domain/access/change-client.ts'
import { disableClient, enableClient } from '../../packages/server/src/domain/access/clients.ts'
import { rotateSecret } from '../../packages/server/src/domain/access/rotate-secret.ts'
import { mustFindProvider } from '../../packages/server/src/domain/engines/providers.ts'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { dismissClient, enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { priceList } from '../price-list.ts'
import { run, type ScenarioCall } from '../scenario.ts'

type Page = { audit: AuditEntry[]; pagination: { navNext?: string } }
const as = 'demo-admin'
const needle = 'needle'
const secret = (name: string) => `whsec_${btoa(`${needle} ${name} `.repeat(4))}`

describe.each(databases)('the audit log on %s', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database })
    const far = {
      siteId: 'elsewhere',
      clientId: 'far',
      scopes: ['admin'] as const,
      secret: `${needle}-of-far`,
    }
    await enrolClient(hub.inner, { ...far, scopes: [...far.scopes] })
    hub.secrets.set('far', far.secret)
  })
  afterAll(() => hub.close())

  const list = async (
    query: Record<string, string | number> = {},
    who = as,
  ): Promise<AuditEntry[]> => {
    const { status, body } = await hub.call<Page>('GET', '/v2/audit', { as: who, query })
    expect(status, JSON.stringify(body)).toBe(200)
    return body.audit
  }
  const newest = async (query: Record<string, string | number> = {}, who = as) =>
    (await list(query, who))[0]
  const made = async (method: string, path: string, body?: unknown) => {
    const answer = await hub.call<Record<string, string>>(method, `/v2${path}`, {
      as,
      ...(body !== undefined && { body }),
    })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return { ...answer.body, traceId: answer.headers.get('x-request-id') ?? '' } as Record<
      string,
      string
    >
  }

  it('says who did what to which thing, when and in which call, with what it was and is', async () => {
    const created = await made('POST', '/providers', {
      name: `${needle} name`,
      typeId: 'manual',
      config: {},
    })
    const { id = '' } = created
    expect(await newest()).toEqual({
      auditId: expect.any(Number),
      time: expect.stringMatching(/Z$/),
      actor: 'client',
      clientId: as,
      siteId: 'demo',
      verb: 'created',
      thing: 'provider',
      thingId: id,
      is: { typeId: 'manual', status: 'ENABLED' },
      traceId: created.traceId,
    })
    await made('PATCH', `/providers/${id}`, { name: `${needle} other`, status: 'DISABLED' })
    expect(await newest()).toMatchObject({
      fields: ['name', 'status'],
      was: { status: 'ENABLED' },
      is: { status: 'DISABLED' },
    })
    await made('PATCH', `/providers/${id}`, { name: `${needle} third` })
    expect(await newest()).toMatchObject({ fields: ['name'] })
    expect(await newest()).not.toHaveProperty('was')
  })

  it('tells of listeners, codes, levels and prices in flags, numbers and ids', async () => {
    const uri = `http://127.0.0.1:9/${needle}`
    const type = 'JOB_STATUS_UPDATED'
    const { listenerId } = await made('POST', '/statusupdates/listeners', {
      uri,
      type,
      secret: secret('one'),
    })
    expect((await newest())?.is).toMatchObject({ type, authType: 'SIGNATURE', disabled: false })
    await made('PATCH', `/statusupdates/listeners/${listenerId}`, {
      disabled: true,
      uri: `${uri}/2`,
      secret: secret('2'),
    })
    expect(await newest()).toMatchObject({
      thing: 'listener',
      thingId: listenerId,
      fields: ['uri', 'secret', 'disabled'],
      was: { disabled: false },
      is: { disabled: true },
    })
    await made('DELETE', `/statusupdates/listeners/${listenerId}`)
    expect(await newest()).toMatchObject({ verb: 'deleted', was: { type, disabled: true } })
    const code = await made('POST', '/settings/analysiscodes', {
      level: 2,
      code: `${needle} code`,
      label: needle,
    })
    expect(await newest()).toMatchObject({ is: { level: 2, visible: true } })
    await made('PATCH', `/settings/analysiscodes/${code.id}`, { level: 3, label: `${needle} 2` })
    expect(await newest()).toMatchObject({
      fields: ['label', 'level'],
      was: { level: 2 },
      is: { level: 3 },
    })
    await made('DELETE', `/settings/analysiscodes/${code.id}`)
    expect(await newest()).toMatchObject({ verb: 'deleted', was: { level: 3, visible: true } })
    await made('PATCH', '/settings/analysislevels/3', { label: `${needle} level`, visible: false })
    expect(await newest()).toMatchObject({ was: { visible: true }, is: { visible: false } })
    await made('POST', '/settings/pricelists', { ...priceList, name: `${needle} prices` })
    expect(await newest()).toMatchObject({
      is: { version: 1, currency: 'EUR', validFrom: '2024-01-01' },
    })
  })

  it('tells of clients: their scopes, providers and quotas, by a call and at the command line', async () => {
    const client = { siteId: 'demo', clientId: 'worker', scopes: ['content'] as const }
    await enrolClient(hub.inner, { ...client, scopes: ['content'], secret: `${needle}-1234567890` })
    expect(await newest()).toMatchObject({
      actor: 'command line',
      siteId: 'demo',
      thingId: 'worker',
      is: { scopes: ['content'], pageFormat: 'full', disabled: false },
    })
    await hub.call('PATCH', '/v2/clients/worker', {
      as,
      body: { quotas: { MaxReqsPerJob: 3 }, rateLimit: 5 },
    })
    expect(await newest()).toMatchObject({
      actor: 'client',
      clientId: as,
      fields: ['quotas', 'rateLimit'],
      was: { quotas: {} },
      is: { quotas: { MaxReqsPerJob: 3 }, rateLimit: 5 },
    })
    await setClient(hub.inner, 'worker', { scopes: ['content', 'settings'] }, mustFindProvider)
    expect(await newest()).toMatchObject({
      was: { scopes: ['content'] },
      is: { scopes: ['content', 'settings'] },
    })
    await rotateSecret(hub.inner, 'worker', { secret: `${needle}-0987654321` })
    expect(await newest()).toMatchObject({ verb: 'secret rotated' })
    await disableClient(hub.inner, 'worker')
    expect(await newest()).toMatchObject({
      verb: 'disabled',
      was: { disabled: false },
      is: { disabled: true },
    })
    await enableClient(hub.inner, 'worker')
    expect(await newest()).toMatchObject({
      verb: 'enabled',
      was: { disabled: true },
      is: { disabled: false },
    })
    await dismissClient(hub.inner, 'worker')
    expect(await newest()).toMatchObject({
      verb: 'removed',
      was: { scopes: ['content', 'settings'] },
    })
  })

  it('holds no secret and nothing that a person wrote, in any of its fields', async () => {
    const rows = await hub.inner.db.read.selectFrom('audit').selectAll().execute()
    expect(rows.length).toBeGreaterThan(20)
    const all: AuditEntry[] = []
    let navNext: string | undefined
    do {
      const { body } = await hub.call<Page>('GET', '/v2/audit', {
        as: 'demo-operator',
        ...(navNext !== undefined && { query: { navNext } }),
      })
      all.push(...body.audit)
      navNext = body.pagination.navNext
    } while (navNext !== undefined)
    expect(all.map(({ auditId }) => auditId)).toEqual(
      rows.map(({ audit_id }) => audit_id).sort((a, b) => b - a),
    )
    for (const text of [JSON.stringify(rows), JSON.stringify(all)]) {
      expect(text).not.toContain(needle)
      expect(text).not.toContain(btoa(needle).slice(0, 8))
      expect(text).not.toMatch(/whsec_|-secret"|Standard 2024/)
    }
  })

  it('is still a chain that the check can prove', async () => {
    expect(
      (await checkHub(hub.inner)).findings.filter(({ check }) => check === 'audit log'),
    ).toEqual([])
    const { audit_id } = await hub.inner.db.read
      .selectFrom('audit')
      .select('audit_id')
      .where('is_now', 'is not', null)
      .executeTakeFirstOrThrow()
    const set = (value: string | null) =>
      hub.inner.db.transact((tx) =>
        tx.updateTable('audit').set({ was: value }).where('audit_id', '=', audit_id).execute(),
      )
    await set('{"disabled":true}')
    expect((await checkHub(hub.inner)).findings).toContainEqual(
      expect.objectContaining({ what: `act ${audit_id}` }),
    )
    await set(null)
    expect(
      (await checkHub(hub.inner)).findings.filter(({ check }) => check === 'audit log'),
    ).toEqual([])
  })

  it('shows an admin what happened to the site, whoever did it, and an operator everything', async () => {
    const mine = await list()
    expect(new Set(mine.map(({ siteId }) => siteId))).toEqual(new Set(['demo']))
    expect(new Set(mine.map(({ actor }) => actor))).toEqual(
      new Set(['client', 'command line', 'hub']),
    )
    expect((await list({}, 'far')).map(({ siteId, thing }) => `${siteId} ${thing}`)).toContain(
      'elsewhere client',
    )
    expect((await list({ thing: 'signing key' }, 'demo-operator')).length).toBeGreaterThan(0)
    expect(await list({ thing: 'signing key' })).toEqual([])
    const theirs = await list({ siteId: 'elsewhere' }, 'demo-operator')
    expect(theirs).toEqual(await list({}, 'far'))
  })

  it('is filtered by client, thing, id, verb and time', async () => {
    for (const [query, fits] of [
      [{ client: as }, (entry: AuditEntry) => entry.clientId === as],
      [{ thing: 'listener' }, (entry: AuditEntry) => entry.thing === 'listener'],
      [{ thingId: 'worker' }, (entry: AuditEntry) => entry.thingId === 'worker'],
      [{ verb: 'changed' }, (entry: AuditEntry) => entry.verb === 'changed'],
      [
        { verb: 'changed', thing: 'client', client: as },
        (entry: AuditEntry) =>
          entry.verb === 'changed' && entry.thing === 'client' && entry.clientId === as,
      ],
    ] as const) {
      const found = await list(query)
      expect(found.length, JSON.stringify(query)).toBeGreaterThan(0)
      const all = (await list({ pageSize: 50 })).filter(fits)
      expect(found, JSON.stringify(query)).toEqual(all)
    }
    const [first] = (await list()).slice(-1)
    expect(await list({ until: first?.time ?? '' })).toContainEqual(first)
    expect(await list({ since: '2099-01-01' })).toEqual([])
  })

  it('is read in pages', async () => {
    const whole = await list({ pageSize: 50 })
    const { body } = await hub.call<Page>('GET', '/v2/audit', { as, query: { pageSize: 5 } })
    await made('PATCH', '/settings/analysislevels/3', { visible: true })
    const second = await hub.call<Page>('GET', '/v2/audit', {
      as,
      query: { navNext: body.pagination.navNext ?? '', pageSize: 5 },
    })
    expect([...body.audit, ...second.body.audit]).toEqual(whole.slice(0, 10))
  })

  const refusals: ScenarioCall[] = [
    {
      name: 'a connector',
      call: 'GET /v2/audit',
      as: 'demo-connector',
      status: 403,
      code: 'FORBIDDEN',
    },
    {
      name: 'settings',
      call: 'GET /v2/audit',
      as: 'demo-settings',
      status: 403,
      code: 'FORBIDDEN',
    },
    ...[
      { thing: 'Client!' },
      { verb: '' },
      { client: 'a b' },
      { thingId: 'a b' },
      { since: 'x' },
      { siteId: '' },
    ].map((query) => ({
      name: JSON.stringify(query),
      call: 'GET /v2/audit',
      as,
      query: query as unknown as Record<string, string>,
      status: 400,
      code: 'INVALID_PARAMETER',
    })),
  ]
  it.each(refusals)('refuses $name', async (row) => {
    await run(hub, row)
  })
})
