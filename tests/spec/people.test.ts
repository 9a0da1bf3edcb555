/** People of the console and their sessions, by admins and operators (contract, section 12). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enrolClient } from '../../packages/server/src/domain/sites/enrol-client.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { everything, run, type ScenarioCall } from '../scenario.ts'
import { enter, goodPassword, tokenIn, visit } from '../visitor.ts'

describe.each(databases)('people (%s)', (database) => {
  let hub: TestHub
  let personId = ''
  const email = 'grace@example.org'
  const admin = { as: 'demo-admin' }
  const operator = { as: 'demo-operator' }
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
  const go = (row: Omit<ScenarioCall, 'name'>) => run(hub, { ...row, name: row.call })

  it('are added by an admin with a link, which is shown once', async () => {
    const body = {
      name: 'Grace',
      email: 'Grace@Example.org',
      sites: [{ roles: ['manager', 'viewer'] }],
    }
    const made = await go({ ...admin, call: 'POST /v2/people', body, status: 201 })
    personId = String(made.body.personId)
    expect(made.body).toMatchObject({
      name: 'Grace',
      email,
      sites: [{ siteId: 'demo', roles: ['viewer', 'manager'] }],
      signsInBy: [],
      disabled: false,
      link: expect.stringMatching(/^http:.*\/#\/welcome\/[\w-]{43}$/),
    })
    const shown = await go({ ...admin, call: `GET /v2/people/${personId}`, status: 200 })
    expect(shown.body).not.toHaveProperty('link')
    const grace = visit(hub)
    await grace.welcome(tokenIn(String(made.body.link)), { password: goodPassword })
    const after = await go({ ...admin, call: `GET /v2/people/${personId}`, status: 200 })
    expect(after.body).toMatchObject({
      signsInBy: ['password'],
      lastSignInDate: expect.any(String),
    })
  })

  it('are listed newest first: of the site for an admin, of all sites for an operator', async () => {
    const mine = await go({ ...admin, call: 'GET /v2/people', status: 200 })
    expect((mine.body.people as { name: string }[]).map(({ name }) => name)).toEqual([
      'Grace',
      'Demo admin',
    ])
    const theirs = await go({ as: 'other-admin', call: 'GET /v2/people', status: 200 })
    expect(theirs.body.people).toEqual([])
    const all = await go({
      ...operator,
      call: 'GET /v2/people',
      query: { pageSize: 1 },
      status: 200,
    })
    expect(all.body).toMatchObject({
      people: [{ name: 'Grace' }],
      pagination: { navNext: expect.any(String) },
    })
    const next = await go({
      ...operator,
      call: 'GET /v2/people',
      query: { navNext: String(all.body.next) },
      status: 200,
    })
    expect(next.body.people).toMatchObject([
      { name: 'Demo admin', sites: [{ siteId: '', roles: ['operator'] }, { siteId: 'demo' }] },
    ])
    // An admin does not see the roles elsewhere.
    expect((mine.body.people as { sites: unknown }[])[1]?.sites).toEqual([
      { siteId: 'demo', roles: ['admin'] },
    ])
  })

  it('are refused with the reason', async () => {
    const before = await everything(hub)
    const body = { name: 'Eve', email: 'eve@example.org', sites: [{ roles: ['viewer'] }] }
    const site = (siteId: string, roles: string[]) => ({ ...body, sites: [{ siteId, roles }] })
    const rows: Omit<ScenarioCall, 'name'>[] = [
      {
        ...admin,
        call: 'POST /v2/people',
        body: { ...body, email: 'GRACE@example.org' },
        status: 409,
        code: 'PERSON_EXISTS',
      },
      {
        ...admin,
        call: 'POST /v2/people',
        body: site('demo', ['operator']),
        status: 403,
        code: 'FORBIDDEN',
      },
      {
        ...admin,
        call: 'POST /v2/people',
        body: site('other', ['viewer']),
        status: 403,
        says: /its own site/,
      },
      {
        ...admin,
        call: 'POST /v2/people',
        body: { ...body, sites: [{ roles: [] }] },
        status: 400,
        says: /needs a role/,
      },
      {
        ...admin,
        call: 'POST /v2/people',
        body: { ...body, sites: [{ roles: ['boss'] }] },
        status: 400,
      },
      ...[
        'no address',
        '<eve@example.org>',
        'eve@example.org(x)',
        'eve@example.org,other',
        'eve\u202e@example.org',
      ].map((email) => ({
        ...admin,
        call: 'POST /v2/people',
        body: { ...body, email },
        status: 400,
      })),
      ...['Eve\r\nX', 'Eve\u001b[31m', 'Eve\u202eevE'].map((name) => ({
        ...admin,
        call: 'POST /v2/people',
        body: { ...body, name },
        status: 400,
        says: /line break|control character/,
      })),
      { ...admin, call: 'POST /v2/people', body: { ...body, name: ' ' }, status: 400 },
      {
        ...operator,
        call: 'POST /v2/people',
        body: site('nowhere', ['viewer']),
        status: 404,
        code: 'SITE_NOT_FOUND',
      },
      { ...operator, call: 'POST /v2/people', body, status: 400, says: /siteId is missing/ },
      {
        ...operator,
        call: 'POST /v2/people',
        body: site('demo', ['operator']),
        status: 400,
        says: /no site/,
      },
      { call: 'GET /v2/people', status: 403 },
      {
        as: 'other-admin',
        call: `GET /v2/people/${personId}`,
        status: 404,
        code: 'PERSON_NOT_FOUND',
      },
      { as: 'other-admin', call: `PATCH /v2/people/${personId}`, body: { name: 'x' }, status: 404 },
      { as: 'other-admin', call: `DELETE /v2/people/${personId}`, status: 404 },
      { as: 'other-admin', call: `POST /v2/people/${personId}/link`, status: 404 },
      {
        ...admin,
        call: 'DELETE /v2/sessions/AAAAAAAAAAAAAAAAAAAAAA',
        status: 404,
        code: 'SESSION_NOT_FOUND',
      },
    ]
    for (const row of rows) await go(row)
    expect(await everything(hub)).toBe(before)
  })

  it('of two sites are nobody’s to take over: an admin changes the roles in its own site only', async () => {
    const shared = await go({
      ...operator,
      call: `PATCH /v2/people/${personId}`,
      body: { sites: [{ siteId: 'other', roles: ['admin'] }] },
      status: 200,
    })
    expect(shared.body.sites).toEqual([
      { siteId: 'demo', roles: ['viewer', 'manager'] },
      { siteId: 'other', roles: ['admin'] },
    ])
    expect(shared.body.signsInBy).toEqual([])
    for (const body of [{ name: 'x' }, { email: 'x@example.org' }, { disabled: true }])
      await go({
        ...admin,
        call: `PATCH /v2/people/${personId}`,
        body,
        status: 403,
        code: 'PERSON_SHARED',
      })
    await go({
      ...admin,
      call: `POST /v2/people/${personId}/link`,
      status: 403,
      code: 'PERSON_SHARED',
    })
    const gone = await go({ ...admin, call: `DELETE /v2/people/${personId}`, status: 200 })
    expect(gone.body.sites).toEqual([{ siteId: 'demo', roles: ['viewer', 'manager'] }])
    await go({ ...admin, call: `GET /v2/people/${personId}`, status: 404 })
    const left = await go({ as: 'other-admin', call: `GET /v2/people/${personId}`, status: 200 })
    expect(left.body.sites).toEqual([{ siteId: 'other', roles: ['admin'] }])
  })

  it('are disabled with all of their sessions, and enabled again', async () => {
    const link = await go({
      as: 'other-admin',
      call: `POST /v2/people/${personId}/link`,
      status: 200,
    })
    await visit(hub).welcome(tokenIn(String(link.body.link)), { password: goodPassword })
    const grace = visit(hub)
    await grace.signIn({ email, password: goodPassword })
    const sessions = await go({
      as: 'other-admin',
      call: 'GET /v2/sessions',
      query: { personId },
      status: 200,
    })
    expect(sessions.body.sessions).toMatchObject([
      { personId, name: 'Grace', current: false },
      { personId },
    ])
    await go({
      as: 'other-admin',
      call: `PATCH /v2/people/${personId}`,
      body: { disabled: true },
      status: 200,
    })
    // The sandbox opens by itself; as Grace it does not.
    const { body } = await grace.call<{ person?: { name: string } }>('GET', '/session')
    expect(body.person?.name).toBe('Demo admin')
    expect((await grace.signIn({ email, password: goodPassword })).status).toBe(401)
    await go({
      as: 'other-admin',
      call: `PATCH /v2/people/${personId}`,
      body: { disabled: false },
      status: 200,
    })
    expect((await grace.signIn({ email, password: goodPassword })).status).toBe(201)
  })

  it('cannot remove their own access', async () => {
    const ada = await enter(hub, ['admin'], 'demo')
    const own = ada.session.person.personId
    for (const [method, body] of [
      ['DELETE', undefined],
      ['PATCH', { disabled: true }],
      ['PATCH', { sites: [{ roles: ['viewer'] }] }],
    ] as const) {
      const { status, body: said } = await ada.call(method, `/people/${own}`, { body })
      expect([status, said.code]).toEqual([409, 'OWN_ACCESS'])
    }
    expect(
      (
        await ada.call('PATCH', `/people/${own}`, {
          body: { sites: [{ roles: ['admin', 'manager'] }] },
        })
      ).status,
    ).toBe(200)
  })

  it('are removed with everything by an operator, and lose a site that is removed', async () => {
    const removed = await go({ ...operator, call: `DELETE /v2/people/${personId}`, status: 200 })
    expect(removed.body.name).toBe('Grace')
    for (const table of ['person_roles', 'sessions', 'person_links'] as const) {
      const rows = await hub.inner.db.read.selectFrom(table).select('person_id').execute()
      expect(rows.map(({ person_id }) => person_id)).not.toContain(personId)
    }
    // A person of that site alone goes with it; an operator stays.
    const bob = await enter(hub, ['operator', 'admin'], 'other')
    await go({ ...operator, call: 'DELETE /v2/sites/other', status: 202 })
    const { body } = await bob.call<{ sites: unknown }>('GET', '/session')
    expect(body.sites).toEqual([{ siteId: '', roles: ['operator'] }])
    expect((await bob.call('GET', '/jobs')).status).toBe(403)
  })

  it('leave their acts in the audit log, by person, without a name or an address', async () => {
    const { body } = await go({
      ...operator,
      call: 'GET /v2/audit',
      query: { thing: 'person' },
      status: 200,
    })
    const text = JSON.stringify(body)
    expect(text).not.toMatch(/grace|example\.org/i)
    const mine = await go({
      ...admin,
      call: 'GET /v2/audit',
      query: { thing: 'person' },
      status: 200,
    })
    expect(JSON.stringify(mine.body)).not.toContain('@other')
    const signedIn = (body.audit as { verb: string; personId?: string; actor: string }[]).find(
      ({ verb }) => verb === 'signed in',
    )
    expect(signedIn).toMatchObject({
      actor: 'person',
      personId: expect.any(String),
      is: { by: 'password' },
    })
    const theirs = await go({
      ...operator,
      call: 'GET /v2/audit',
      query: { person: String(signedIn?.personId) },
      status: 200,
    })
    expect((theirs.body.audit as unknown[]).length).toBeGreaterThan(0)
  })
})
