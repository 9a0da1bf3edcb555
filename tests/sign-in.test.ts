/**
 * Sign-in to the console: the first person, links, passwords, sessions, and the guards against
 * other web pages.
 */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkByHand } from '../packages/server/src/domain/people/link-by-hand.ts'
import { hashPassword } from '../packages/server/src/domain/people/passwords.ts'
import { databases, startHub, type TestHub } from './hub.ts'
import { enter, firstToken, goodPassword, tokenIn, type Visitor, visit } from './visitor.ts'

const me = { name: 'Ada', email: 'ada@example.org', password: goodPassword }
const production = { profile: 'production', env: { DRAGOMAN_RATE_LIMIT: 'off' } } as const

/** Acts of people, newest first. */
async function acts(
  hub: TestHub,
): Promise<{ verb: string; actor: string; thing_id: string; person_id: string | null }[]> {
  const { read } = hub.inner.db
  const query = read
    .selectFrom('audit')
    .select(['verb', 'actor', 'thing_id', 'person_id'])
    .orderBy('audit_id', 'desc')
  return query.where('thing', 'in', ['person', 'session']).execute()
}

describe.each(databases)('the first sign-in (%s)', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database, ...production })
  })
  afterAll(() => hub.close())

  it('is a link in a file that only its user can read, while there is nobody', async () => {
    const path = join(hub.folder, 'data', 'first-sign-in.txt')
    expect(readFileSync(path, 'utf8')).toBe(`${hub.url}/#/welcome/${firstToken(hub)}\n`)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(firstToken(hub)).toMatch(/^[\w-]{43}$/)
    const { body } = await visit(hub).call('GET', '/signin')
    expect(body).toMatchObject({
      people: false,
      password: true,
      connection: 'secure',
      profile: 'production',
    })
  })

  it('is in its file where the data folder did not exist, because nothing else is kept there', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'dragoman-sign-in-'))
    const env = {
      ...production.env,
      DRAGOMAN_DATA: join(elsewhere, 'not', 'there'),
      DRAGOMAN_BLOBS_URL: `file:${join(elsewhere, 'blobs')}`,
      DRAGOMAN_MASTER_KEY: randomBytes(32).toString('base64'),
      ...(database === 'sqlite' && {
        DRAGOMAN_DATABASE_URL: `sqlite:${join(elsewhere, 'hub.db')}`,
      }),
    }
    const other = await startHub({ database, ...production, env })
    try {
      expect(readFileSync(join(env.DRAGOMAN_DATA, 'first-sign-in.txt'), 'utf8')).toMatch(
        /#\/welcome\/[\w-]{43}\n$/,
      )
      expect(statSync(env.DRAGOMAN_DATA).mode & 0o777).toBe(0o700)
    } finally {
      await other.close()
      rmSync(elsewhere, { recursive: true })
    }
  })

  it('is stored as a hash only', async () => {
    const rows = await hub.inner.db.read.selectFrom('person_links').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(firstToken(hub))
    expect(rows).toHaveLength(1)
  })

  it('refuses a guess, a weak password and a missing name, and uses the link up only when it works', async () => {
    const token = firstToken(hub)
    const browser = visit(hub)
    const guess = await browser.call('POST', '/welcome', { body: { ...me, token: 'A'.repeat(43) } })
    expect([guess.status, guess.body.code]).toEqual([404, 'LINK_NOT_FOUND'])
    const weak = await browser.call('POST', '/welcome', {
      body: { ...me, token, password: 'password1234' },
    })
    expect([weak.status, weak.body.code]).toEqual([400, 'PASSWORD_WEAK'])
    const nameless = await browser.call('POST', '/welcome', {
      body: { token, email: me.email, password: goodPassword },
    })
    expect(nameless.body).toMatchObject({ code: 'INVALID_REQUEST', details: [{ path: 'name' }] })
    const checked = await browser.call('POST', '/welcome/check', { body: { token } })
    expect(checked.body).toMatchObject({
      sites: [
        { siteId: '', roles: ['operator'] },
        { siteId: 'main', roles: ['admin'] },
      ],
    })
  })

  it('makes the first person an admin and operator, signs them in, and ends the link and its file', async () => {
    const token = firstToken(hub)
    const browser = visit(hub)
    const session = await browser.welcome(token, me)
    expect(session).toMatchObject({
      person: { name: 'Ada' },
      siteId: 'main',
      sites: [
        { siteId: '', roles: ['operator'] },
        { siteId: 'main', roles: ['admin'] },
      ],
      confirmed: true,
      connection: 'secure',
    })
    expect(session.allowed).toContain('createClient')
    expect((await browser.call('GET', '/jobs')).status).toBe(200)
    const again = await visit(hub).call('POST', '/welcome', {
      body: { ...me, token, email: 'b@example.org' },
    })
    expect([again.status, again.body.code]).toEqual([404, 'LINK_NOT_FOUND'])
    expect(() => firstToken(hub)).toThrow('ENOENT')
    expect((await visit(hub).call('GET', '/signin')).body).toMatchObject({ people: true })
    expect((await acts(hub)).map(({ verb }) => verb)).toEqual([
      'signed in',
      'password set',
      'link used',
      'added',
      'added',
    ])
    await hub.restart()
    expect(() => firstToken(hub)).toThrow('ENOENT')
  })

  it('ends every other link that the hub printed before', async () => {
    const first = await startHub({ database, ...production })
    const early = firstToken(first)
    await first.restart()
    const late = firstToken(first)
    expect(late).not.toBe(early)
    await visit(first).welcome(late, me)
    const { body } = await visit(first).call('POST', '/welcome', {
      body: { ...me, email: 'x@example.org', token: early },
    })
    await first.close()
    expect(body.code).toBe('LINK_NOT_FOUND')
  })

  it('can be an admin from the configuration, who does not return once removed', async () => {
    const hash = await hashPassword(goodPassword)
    const env = { DRAGOMAN_ADMIN_EMAIL: 'Root@Example.org', DRAGOMAN_ADMIN_PASSWORD_HASH: hash }
    const configured = await startHub({ database, profile: 'production', env })
    expect(() => firstToken(configured)).toThrow('ENOENT')
    const browser = visit(configured)
    const { status, body } = await browser.signIn({
      email: 'root@example.org',
      password: goodPassword,
    })
    expect([status, body.sites]).toMatchObject([
      201,
      [{ roles: ['operator'] }, { siteId: 'main', roles: ['admin'] }],
    ])
    await configured.inner.db.transact((tx) => tx.deleteFrom('people').execute())
    await configured.restart()
    expect(firstToken(configured)).toMatch(/^[\w-]{43}$/)
    await configured.close()
  })
})

describe.each(databases)('sessions (%s)', (database) => {
  let hub: TestHub
  let ada: Visitor & { email: string }
  const hour = 3_600_000
  const later = (ms: number) => hub.inner.clock.setOffset(hub.inner.clock.offset() + ms)
  beforeAll(async () => {
    hub = await startHub({ database, ...production })
    ada = await enter(hub, ['admin', 'operator'], 'main')
  })
  afterAll(() => hub.close())

  it('begin with a password; a wrong one, an unknown address and a disabled person get the same answer', async () => {
    const browser = visit(hub)
    const wrong = await browser.signIn({ email: ada.email, password: 'not the right one' })
    const unknown = await browser.signIn({
      email: 'nobody@example.org',
      password: 'not the right one',
    })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'SIGN_IN_REFUSED'])
    expect(unknown.body.message).toBe(wrong.body.message)
    expect(browser.cookies.size).toBe(0)
    const right = await browser.signIn({
      email: ` ${ada.email.toUpperCase()}`,
      password: goodPassword,
    })
    expect(right.status).toBe(201)
    expect((await acts(hub)).slice(0, 2).map(({ verb }) => verb)).toEqual([
      'signed in',
      'sign in failed',
    ])
  })

  it('have a cookie that scripts cannot read, and that only this port gets', async () => {
    const browser = visit(hub)
    const { headers } = await browser.signIn({ email: ada.email, password: goodPassword })
    const [line = ''] = headers.getSetCookie()
    const port = new URL(hub.url).port
    expect(line).toMatch(
      new RegExp(`^dragoman-${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax$`),
    )
    const stored = await hub.inner.db.read.selectFrom('sessions').selectAll().execute()
    expect(JSON.stringify(stored)).not.toContain([...browser.cookies.values()][0])
  })

  it('are new at each sign-in: a cookie that was planted before is not taken over', async () => {
    const browser = visit(hub)
    const [name = ''] = ada.cookies.keys()
    browser.cookies.set(name, 'P'.repeat(43))
    await browser.signIn({ email: ada.email, password: goodPassword })
    expect(browser.cookies.get(name)).not.toBe('P'.repeat(43))
    const planted = visit(hub)
    planted.cookies.set(name, 'P'.repeat(43))
    expect((await planted.call('GET', '/session')).body.code).toBe('SIGN_IN_NEEDED')
  })

  it('never open /v2, and a token never opens the console', async () => {
    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const { status, body } = await hub.call('GET', '/v2/jobs', { headers: { cookie } })
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED'])
    const bearer = await hub.call('GET', '/console/api/jobs', { as: 'first-admin' })
    expect([bearer.status, bearer.body.code]).toEqual([401, 'SIGN_IN_NEEDED'])
  })

  it('end by sign-out, by their person and by an admin, at once', async () => {
    const browser = visit(hub)
    await browser.signIn({ email: ada.email, password: goodPassword })
    const [cookie] = [...browser.cookies]
    expect((await browser.call('DELETE', '/session')).status).toBe(200)
    expect(browser.cookies.size).toBe(0)
    if (cookie) browser.cookies.set(...cookie)
    const { body } = await browser.call('GET', '/session')
    expect(body).toMatchObject({
      code: 'SIGN_IN_NEEDED',
      message: 'Sign in first: your session has ended.',
    })

    const other = await enter(hub, ['viewer'], 'main')
    const { body: list } = await ada.call<{
      sessions: { sessionId: string; personId: string; current: boolean }[]
    }>('GET', '/sessions')
    const theirs = list.sessions.find((one) => one.personId === other.session.person.personId)
    expect(list.sessions.filter(({ current }) => current)).toHaveLength(1)
    expect((await other.call('DELETE', `/sessions/${theirs?.sessionId}`)).status).toBe(403)
    const gone = await other.call(
      'DELETE',
      `/me/sessions/${list.sessions.find(({ current }) => current)?.sessionId}`,
    )
    expect(gone.body.code).toBe('SESSION_NOT_FOUND')
    expect((await ada.call('DELETE', `/sessions/${theirs?.sessionId}`)).status).toBe(200)
    expect((await other.call('GET', '/session')).status).toBe(401)
    expect((await acts(hub))[0]).toMatchObject({
      verb: 'ended',
      actor: 'person',
      thing_id: theirs?.sessionId,
    })
  })

  it('end after eight hours without a call, and after a week at the latest', async () => {
    const browser = visit(hub)
    await browser.signIn({ email: ada.email, password: goodPassword })
    for (let hours = 0; hours < 7 * 24 - 7; hours += 7) {
      later(7 * hour)
      expect((await browser.call('GET', '/session')).status, `after ${hours + 7} h`).toBe(200)
    }
    later(7.5 * hour)
    expect((await browser.call('GET', '/session')).body.message).toContain('a week')
    await browser.signIn({ email: ada.email, password: goodPassword })
    later(8 * hour)
    expect((await browser.call('GET', '/session')).body.message).toContain('8 hours')
    ada = Object.assign(browser, { email: ada.email })
    await ada.signIn({ email: ada.email, password: goodPassword })
  })

  it('get a new token when roles change, while calls under way go on with the old one', async () => {
    const other = await enter(hub, ['viewer'], 'main')
    const [name = '', before = ''] = [...other.cookies][0] ?? []
    const { personId } = other.session.person
    const given = await ada.call('PATCH', `/people/${personId}`, {
      body: { sites: [{ roles: ['manager'] }] },
    })
    expect([given.status, given.body]).toMatchObject([
      200,
      { sites: [{ siteId: 'main', roles: ['manager'] }] },
    ])
    const { body } = await other.call('GET', '/session')
    expect(body).toMatchObject({ sites: [{ roles: ['manager'] }], csrf: other.session.csrf })
    expect(other.cookies.get(name)).not.toBe(before)
    const late = visit(hub)
    late.cookies.set(name, before)
    expect((await late.call('GET', '/session')).status).toBe(200)
    later(60_000)
    expect((await late.call('GET', '/session')).status).toBe(401)
    expect((await other.call('GET', '/session')).status).toBe(200)
  })

  it('say which role is missing and who gives it, when a permission was lost meanwhile', async () => {
    const other = await enter(hub, ['manager'], 'main')
    const { personId } = other.session.person
    expect((await other.call('GET', '/settings/pricelists')).status).toBe(200)
    await ada.call('PATCH', `/people/${personId}`, { body: { sites: [{ roles: ['viewer'] }] } })
    const { status, body } = await other.call('POST', '/jobs', { body: { jobName: 'x' } })
    expect([status, body.code]).toEqual([403, 'FORBIDDEN'])
    expect(body.message).toBe(
      'The caller may not do this: it needs the role manager or admin; an admin of site main can give it to you.',
    )
    const foreign = await other.call('GET', '/jobs', {
      headers: { 'x-dragoman-site': 'elsewhere' },
    })
    expect([foreign.status, foreign.body.code]).toEqual([403, 'FORBIDDEN'])
  })

  it('need a confirmation of the last ten minutes for people and secrets', async () => {
    later(11 * 60_000)
    const client = { clientId: 'made-by-hand', scopes: ['content'] }
    const { status, body } = await ada.call('POST', '/clients', { body: client })
    expect([status, body.code]).toEqual([403, 'CONFIRM_NEEDED'])
    expect((await ada.call('GET', '/clients')).status).toBe(200)
    const wrong = await ada.call('POST', '/session/confirm', {
      body: { password: 'not the right one' },
    })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'SIGN_IN_REFUSED'])
    const right = await ada.call('POST', '/session/confirm', { body: { password: goodPassword } })
    expect(right.body).toMatchObject({ confirmed: true })
    expect((await ada.call('POST', '/clients', { body: client })).status).toBe(201)
    const [act] = await hub.inner.db.read
      .selectFrom('audit')
      .select(['actor', 'person_id', 'site_id', 'thing_id'])
      .orderBy('audit_id', 'desc')
      .limit(1)
      .execute()
    expect(act).toMatchObject({
      actor: 'person',
      site_id: 'main',
      thing_id: 'made-by-hand',
      person_id: expect.any(String),
    })
  })

  it('are slowed down against guessing, for one address and account', async () => {
    const other = await enter(hub, ['viewer'], 'main')
    const browser = visit(hub)
    for (let tries = 0; tries < 10; tries += 1)
      await browser.signIn({ email: other.email, password: `wrong wrong ${tries}` })
    const { status, body, headers } = await browser.signIn({
      email: other.email,
      password: goodPassword,
    })
    expect([status, body.code]).toEqual([429, 'RATE_LIMITED'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await browser.signIn({ email: ada.email, password: goodPassword })).status).toBe(201)
    later(61_000)
    expect((await browser.signIn({ email: other.email, password: goodPassword })).status).toBe(201)
  })
})

describe.each(databases)('links (%s)', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database, ...production })
    await enter(hub, ['admin'], 'main')
  })
  afterAll(() => hub.close())

  it('expire after a day', async () => {
    const { link } = await linkByHand(hub.inner, { roles: ['viewer'] })
    hub.inner.clock.setOffset(24 * 3_600_000)
    const { status, body } = await visit(hub).call('POST', '/welcome', {
      body: { ...me, token: tokenIn(link) },
    })
    expect([status, body.code]).toEqual([404, 'LINK_NOT_FOUND'])
  })

  it('end with the site that they are for, and do not bring it back', async () => {
    const site = { site_id: 'leaving', created_at: 1, removing_at: null }
    await hub.inner.db.transact((tx) => tx.insertInto('sites').values(site).execute())
    const { link } = await linkByHand(hub.inner, { roles: ['admin'], siteId: 'leaving' })
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('sites').where('site_id', '=', 'leaving').execute(),
    )
    const body = { ...me, email: 'late@example.org', token: tokenIn(link) }
    const used = await visit(hub).call('POST', '/welcome', { body })
    expect([used.status, used.body.code]).toEqual([404, 'LINK_NOT_FOUND'])
    const sites = await hub.inner.db.read.selectFrom('sites').select('site_id').execute()
    expect(sites.map(({ site_id }) => site_id)).not.toContain('leaving')
  })

  it('are used by one of two who try at the same time', async () => {
    const { link } = await linkByHand(hub.inner, { roles: ['viewer'] })
    const both = await Promise.all(
      ['one', 'two'].map((name) =>
        visit(hub).call('POST', '/welcome', {
          body: {
            token: tokenIn(link),
            name,
            email: `${name}@example.org`,
            password: goodPassword,
          },
        }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([201, 404])
  })

  it('let a person who forgot the password back in, and end the other sessions and earlier links', async () => {
    const bob = await enter(hub, ['developer'], 'main')
    const first = await linkByHand(hub.inner, { email: bob.email })
    const second = await linkByHand(hub.inner, { email: bob.email })
    const browser = visit(hub)
    const early = await browser.call('POST', '/welcome', {
      body: { token: tokenIn(first.link), password: 'a whole new phrase' },
    })
    expect(early.body.code).toBe('LINK_NOT_FOUND')
    await browser.welcome(tokenIn(second.link), { password: 'a whole new phrase' })
    expect((await bob.call('GET', '/session')).status).toBe(401)
    expect((await bob.signIn({ email: bob.email, password: goodPassword })).status).toBe(401)
    expect((await bob.signIn({ email: bob.email, password: 'a whole new phrase' })).status).toBe(
      201,
    )
  })
})

describe.each(databases)('recovery codes (%s)', (database) => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub({ database, ...production })
  })
  afterAll(() => hub.close())

  /**
   * A person with codes: with two steps, or without a password (then a code is the whole way in).
   */
  async function withCodes(now: { two_steps: 0 | 1 } | { password_hash: null }) {
    const person = await enter(hub, ['viewer'], 'main')
    const { body } = await person.call<{ recoveryCodes: string[] }>('POST', '/me/recoverycodes')
    const { personId } = person.session.person
    await hub.inner.db.transact((tx) =>
      tx.updateTable('people').set(now).where('person_id', '=', personId).execute(),
    )
    const codes = body.recoveryCodes
    return { person, personId, codes, code: codes[0] ?? '', email: person.email }
  }
  const left = async (person: Visitor) => (await person.call('GET', '/me')).body.recoveryCodes

  it('take the place of the passkey after the password, once each, however they are typed', async () => {
    const { person, codes, code, email } = await withCodes({ two_steps: 1 })
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    const browser = visit(hub)
    const step = await browser.signIn({ email, password: goodPassword })
    expect([step.status, step.body.code]).toEqual([401, 'SECOND_STEP_NEEDED'])
    const right = await browser.signIn({ email, password: goodPassword, recoveryCode: code })
    expect([right.status, right.body.person.name]).toEqual([201, person.session.person.name])
    const [act] = await hub.inner.db.read
      .selectFrom('audit')
      .select(['verb', 'is_now'])
      .orderBy('audit_id', 'desc')
      .limit(1)
      .execute()
    expect(act).toMatchObject({
      verb: 'signed in',
      is_now: expect.stringContaining('password and recovery code'),
    })
    const again = await visit(hub).signIn({ email, password: goodPassword, recoveryCode: code })
    expect([again.status, again.body.code]).toEqual([401, 'SIGN_IN_REFUSED'])
    const typed = ` ${codes[1]?.toLowerCase().replaceAll('-', ' ')}`
    expect(
      (await visit(hub).signIn({ email, password: goodPassword, recoveryCode: typed })).status,
    ).toBe(201)
    expect(await left(person)).toBe(8)
  })

  it('do not help with a wrong password, and a wrong code or one of somebody else does not help at all', async () => {
    const { person, code, email } = await withCodes({ two_steps: 1 })
    const other = await withCodes({ two_steps: 1 })
    const guesses = [
      { password: 'not the right one', recoveryCode: code },
      { recoveryCode: code },
      { password: goodPassword, recoveryCode: 'AAAA-BBBB-CCCC-DDDD' },
      { password: goodPassword, recoveryCode: '----' },
      { password: goodPassword, recoveryCode: other.code },
    ]
    for (const guess of guesses) {
      const { status, body } = await visit(hub).signIn({ email, ...guess })
      expect([status, body.code], JSON.stringify(guess)).toEqual([401, 'SIGN_IN_REFUSED'])
    }
    expect(await left(person)).toBe(10)
    expect(await left(other.person)).toBe(10)
  })

  it('are the whole way in for a person without a password, who lost the passkey', async () => {
    const { code, email } = await withCodes({ password_hash: null })
    expect((await visit(hub).signIn({ email, recoveryCode: 'AAAA-BBBB-CCCC-DDDD' })).status).toBe(
      401,
    )
    expect((await visit(hub).signIn({ email, password: goodPassword })).status).toBe(401)
    expect((await visit(hub).signIn({ email, recoveryCode: code })).status).toBe(201)
    expect((await visit(hub).signIn({ email, recoveryCode: code })).status).toBe(401)
  })

  it.each([
    ['after a password', { two_steps: 1 }, { password: goodPassword }],
    ['alone', { password_hash: null }, {}],
  ] as const)('open one of two sign-ins at the same time, %s', async (_, now, more) => {
    const { person, codes, email } = await withCodes(now)
    for (const recoveryCode of codes.slice(0, 2)) {
      const both = await Promise.all(
        [0, 1].map(() => visit(hub).signIn({ email, ...more, recoveryCode })),
      )
      expect(both.map(({ status }) => status).sort()).toEqual([201, 401])
    }
    expect(await left(person)).toBe(8)
  })

  it('are stored as hashes, and new ones end the old', async () => {
    const { person, personId, code, email } = await withCodes({ two_steps: 1 })
    const stored = await hub.inner.db.read.selectFrom('recovery_codes').selectAll().execute()
    expect(stored.filter(({ person_id }) => person_id === personId)).toHaveLength(10)
    expect(JSON.stringify(stored)).not.toContain(code)
    expect((await person.call('POST', '/me/recoverycodes')).status).toBe(201)
    const old = await visit(hub).signIn({ email, password: goodPassword, recoveryCode: code })
    expect(old.status).toBe(401)
    expect(await left(person)).toBe(10)
  })
})

describe('the guards of a write, each left out', () => {
  let hub: TestHub
  let ada: Visitor
  beforeAll(async () => {
    hub = await startHub(production)
    ada = await enter(hub, ['admin'], 'main')
  })
  afterAll(() => hub.close())

  const write = (headers: Record<string, string | null>) =>
    ada.call('POST', '/jobs', { body: { jobName: 'forged' }, headers })

  it.each([
    ['the content type', { 'content-type': 'text/plain' }, 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['our origin', { origin: 'https://evil.example' }, 403, 'FORBIDDEN'],
    ['an origin at all', { origin: null }, 403, 'FORBIDDEN'],
    ['an origin that is not null', { origin: 'null' }, 403, 'FORBIDDEN'],
    ['our site', { 'sec-fetch-site': 'cross-site' }, 403, 'FORBIDDEN'],
    ['our own origin within our site', { 'sec-fetch-site': 'same-site' }, 403, 'FORBIDDEN'],
    ['the proof', { 'x-dragoman-csrf': null }, 403, 'FORBIDDEN'],
    ['the right proof', { 'x-dragoman-csrf': 'A'.repeat(43) }, 403, 'FORBIDDEN'],
    ['the cookie', { cookie: null }, 401, 'SIGN_IN_NEEDED'],
  ] as const)('without %s it is refused', async (_, headers, status, code) => {
    const refused = await write(headers)
    expect([refused.status, refused.body.code]).toEqual([status, code])
    expect(await hub.inner.db.read.selectFrom('jobs').select('job_id').execute()).toEqual([])
  })

  it('another session has another proof', async () => {
    const other = await enter(hub, ['admin'], 'main')
    expect((await write({ 'x-dragoman-csrf': other.csrf })).status).toBe(403)
  })

  it('sign-in itself is for our own page only', async () => {
    const { status } = await visit(hub).call('POST', '/session', {
      body: {},
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(status).toBe(403)
  })

  it('with all of them it is done, by what the browser says or by the origin', async () => {
    expect((await write({ 'sec-fetch-site': 'same-origin', origin: null })).status).toBe(201)
    expect((await write({})).status).toBe(201)
  })
})

describe('plain http from another machine', () => {
  const open = (env = {}) =>
    startHub({ profile: 'production', env: { DRAGOMAN_HOSTS: 'hub.example', ...env } })
  const outside = { host: 'hub.example:8080' }

  it('refuses the sign-in and says why, with two ways out', async () => {
    const hub = await open()
    const ada = await enter(hub, ['admin'], 'main')
    const ways = await rawCall(hub, 'GET', '/console/api/signin', outside)
    expect(ways.body).toMatchObject({ connection: 'refused' })
    const { status, body } = await rawCall(hub, 'POST', '/console/api/session', outside, {
      email: ada.email,
      password: goodPassword,
    })
    await hub.close()
    expect([status, body.code]).toEqual([403, 'INSECURE_SIGN_IN'])
    expect(body.message).toMatch(/DRAGOMAN_TLS_CERT.*DRAGOMAN_TRUST_PROXY/)
  })

  it('is allowed by a switch, and the session says so', async () => {
    const hub = await open({ DRAGOMAN_PLAIN_HTTP_SIGN_IN: 'on' })
    const ada = await enter(hub, ['admin'], 'main')
    const { status, body } = await rawCall(hub, 'POST', '/console/api/session', outside, {
      email: ada.email,
      password: goodPassword,
    })
    await hub.close()
    expect([status, body.connection]).toEqual([201, 'plain'])
  })

  it('behind a trusted proxy with https the cookie is bound to the host', async () => {
    const hub = await open({
      DRAGOMAN_TRUST_PROXY: 'loopback',
      DRAGOMAN_PUBLIC_URL: 'https://hub.example/hub',
    })
    const { link } = await linkByHand(hub.inner, { roles: ['admin'] })
    expect(link).toMatch(/^https:\/\/hub\.example\/hub\/#\/welcome\/[\w-]{43}$/)
    const proxied = {
      host: 'hub.example',
      'x-forwarded-proto': 'https',
      origin: 'https://hub.example',
    }
    const given = { token: tokenIn(link), ...me }
    const { status, headers } = await rawCall(
      hub,
      'POST',
      '/hub/console/api/welcome',
      proxied,
      given,
    )
    await hub.close()
    expect(status).toBe(201)
    expect(headers['set-cookie']?.[0]).toMatch(
      /^__Host-dragoman=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
    )
  })
})

/** With a Host header of our choice, which fetch does not allow. */
async function rawCall(
  hub: TestHub,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: unknown,
) {
  const origin = `http://${headers.host}`
  const sent = request(`${hub.url}${path}`, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json', origin }),
      ...headers,
    },
  })
  sent.end(body === undefined ? undefined : JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  return {
    status: answer.statusCode,
    headers: answer.headers,
    body: JSON.parse(text) as Record<string, unknown>,
  }
}

describe('the sandbox', () => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await startHub()
  })
  afterAll(() => hub.close())

  it('opens by itself as the demo admin, confirmed, without a cookie', async () => {
    const browser = visit(hub)
    const { status, body } = await browser.call('GET', '/session', {
      headers: { 'sec-fetch-site': 'same-origin' },
    })
    expect([status, body]).toMatchObject([
      200,
      { person: { name: 'Demo admin' }, siteId: 'demo', confirmed: true, profile: 'sandbox' },
    ])
    expect(browser.cookies.size).toBe(0)
    expect((await browser.call('POST', '/jobs', { body: { jobName: 'by hand' } })).status).toBe(201)
  })

  it.each([
    ['cross-site', 401],
    ['same-site', 401],
    ['none', 200],
  ])('for a page that is %s: %i', async (site, status) => {
    expect(
      (await visit(hub).call('GET', '/session', { headers: { 'sec-fetch-site': site } })).status,
    ).toBe(status)
  })

  it('cannot be opened under another host name', async () => {
    const { status } = await rawCall(hub, 'GET', '/console/api/session', { host: 'evil.example' })
    expect(status).toBe(421)
    const named = await startHub({ env: { DRAGOMAN_HOSTS: 'sandbox.example' } })
    const { body } = await rawCall(named, 'GET', '/console/api/session', {
      host: 'sandbox.example',
    })
    await named.close()
    expect(body.code).toBe('SIGN_IN_NEEDED')
  })

  it('stays open over a leap in time and a reset', async () => {
    await hub.advance('8d')
    expect((await visit(hub).call('GET', '/session')).status).toBe(200)
    expect((await hub.call('POST', '/sandbox/reset')).status).toBe(200)
    expect((await visit(hub).call('GET', '/session')).status).toBe(200)
  })

  it.each([
    ['https://evil.example', undefined],
    ['null', undefined],
    [undefined, 'cross-site'],
    [undefined, 'same-site'],
  ])('its controls take no write from a page of %s (%s)', async (origin, site) => {
    const headers = { ...(origin && { origin }), ...(site && { 'sec-fetch-site': site }) }
    const { status } = await hub.call('POST', '/sandbox/reset', { headers })
    expect(status).toBe(403)
  })
})
