/**
 * Sign-in by a real OpenID provider (oidc-provider), as a browser does it: with redirects and
 * cookies.
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider from 'oidc-provider'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databases, startHub, type TestHub } from './hub.ts'
import { enter, type Visitor, visit } from './visitor.ts'

type Account = {
  readonly email?: string
  readonly name?: string
  readonly groups?: readonly string[]
}
const accounts = new Map<string, Account>()

type TestProvider = { readonly issuer: string; readonly server: Server; answered: string[] }

/** The development interactions of the provider sign anyone in; the login name is the subject. */
async function startProvider(redirectUris: () => string[]): Promise<TestProvider> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const answered: string[] = []
  const make = () =>
    new Provider(issuer, {
      clients: [
        { client_id: 'hub', client_secret: 'hub-secret-hub-secret', redirect_uris: redirectUris() },
      ],
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name'],
        groups: ['groups'],
      },
      scopes: ['openid', 'email', 'profile', 'groups'],
      cookies: { keys: ['a test'] },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, email_verified: true, ...accounts.get(id) }),
      }),
    })
  let handler: ((request: unknown, response: unknown) => void) | undefined
  server.on('request', (request, response) => {
    handler ??= make().callback() as never
    answered.push(request.url ?? '')
    handler?.(request, response)
  })
  return { issuer, server, answered }
}

describe.each(databases)('OpenID Connect (%s)', (database) => {
  let hub: TestHub
  let provider: TestProvider
  beforeAll(async () => {
    provider = await startProvider(() => [`${hub.url}/console/api/oidc/return`])
    hub = await startHub({
      database,
      profile: 'production',
      env: {
        DRAGOMAN_RATE_LIMIT: 'off',
        DRAGOMAN_LISTENER_ALLOW: '127.0.0.1',
        DRAGOMAN_OIDC_ISSUER: provider.issuer,
        DRAGOMAN_OIDC_CLIENT_ID: 'hub',
        DRAGOMAN_OIDC_CLIENT_SECRET: 'hub-secret-hub-secret',
        DRAGOMAN_OIDC_NAME: 'Our directory',
        DRAGOMAN_OIDC_SCOPES: 'openid profile email groups',
        DRAGOMAN_OIDC_ROLES:
          'loc=manager@main, ops=operator, odd=viewer@nowhere, x=y=developer@main',
      },
    })
    await enter(hub, ['admin'], 'main')
  })
  afterAll(async () => {
    await hub.close()
    provider.server.close()
  })

  /** Follows redirects with a cookie jar of each host, and fills in the provider's forms. */
  async function walk(
    browser: Visitor,
    start: string,
    login: string,
    change = (url: URL): URL => url,
  ): Promise<string> {
    const jar = new Map<string, string>()
    let url = new URL(start, hub.url)
    for (let steps = 0; steps < 15; steps += 1) {
      const isHub = url.origin === hub.url
      if (isHub && !url.pathname.startsWith('/console/')) return url.pathname + url.search
      const cookies = isHub ? browser.cookies : jar
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      let answer = await fetch(url, { redirect: 'manual', headers: { cookie } })
      keep(cookies, answer)
      const form = answer.status === 200 ? await answer.text() : undefined
      if (form !== undefined) {
        const [, action = ''] = /action="([^"]+)"/.exec(form) ?? []
        const [, prompt = ''] = /name="prompt" value="([^"]+)"/.exec(form) ?? []
        answer = await fetch(new URL(action, url), {
          method: 'POST',
          redirect: 'manual',
          headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
          body: new URLSearchParams({ prompt, login, password: 'any' }),
        })
        keep(jar, answer)
      }
      const location = answer.headers.get('location')
      if (location === null)
        throw new Error(`lost at ${url}: ${answer.status} ${form?.slice(0, 200)}`)
      url = change(new URL(location, url))
    }
    throw new Error('it goes round in circles')
  }
  function keep(cookies: Map<string, string>, answer: Response): void {
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (pair.slice(at + 1) === '') cookies.delete(pair.slice(0, at))
      else cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }
  const nameOf = async (browser: Visitor) =>
    (await browser.call<{ person: { name: string }; sites: unknown }>('GET', '/session')).body

  it('is offered on the sign-in page by its name', async () => {
    expect((await visit(hub).call('GET', '/signin')).body).toMatchObject({
      provider: 'Our directory',
    })
  })

  it('tells admins whether it is set up, and why it last failed, until a sign-in works', async () => {
    const [admin, viewer] = [
      await enter(hub, ['admin'], 'main'),
      await enter(hub, ['viewer'], 'main'),
    ]
    const state = async () => (await admin.call('GET', '/oidc')).body
    const known = {
      configured: true,
      name: 'Our directory',
      issuer: provider.issuer,
      givesRoles: true,
    }
    expect(await state()).toEqual(known)
    const lost = (url: URL) => {
      if (url.pathname.endsWith('/oidc/return')) url.searchParams.delete('code')
      return url
    }
    accounts.set('u0', { name: 'First', groups: ['loc'] })
    expect(await walk(visit(hub), '/console/api/oidc/start', 'u0', lost)).toContain(
      '/signin?problem=',
    )
    expect(await state()).toEqual({
      ...known,
      lastError: {
        time: expect.stringMatching(/Z$/),
        message: expect.stringContaining('it sent no code.'),
      },
    })
    expect((await viewer.call('GET', '/oidc')).status).toBe(403)
    await walk(visit(hub), '/console/api/oidc/start', 'u0')
    expect(await state()).toEqual(known)
  })

  it('signs in with code, PKCE, state and nonce, gives the roles of the claim, and returns to the page', async () => {
    accounts.set('u1', { name: 'Grace', email: 'grace@example.org', groups: ['loc', 'ops', 'odd'] })
    const browser = visit(hub)
    expect(await walk(browser, '/console/api/oidc/start?to=/jobs/abc?x=1', 'u1')).toBe(
      '/jobs/abc?x=1',
    )
    expect(await nameOf(browser)).toMatchObject({
      person: { name: 'Grace' },
      sites: [
        { siteId: '', roles: ['operator'] },
        { siteId: 'main', roles: ['manager'] },
      ],
      signsInBy: ['provider'],
    })
    const asked = provider.answered.find((url) => url.startsWith('/auth?')) ?? ''
    const params = new URL(asked, provider.issuer).searchParams
    expect(params.get('code_challenge_method')).toBe('S256')
    expect([params.get('state')?.length, params.get('nonce')?.length]).toEqual([43, 43])
    expect([...browser.cookies.keys()]).toHaveLength(1)
  })

  it('knows the account again by subject, takes new roles, and takes lost ones away', async () => {
    accounts.set('u1', { name: 'Other name', email: 'moved@example.org', groups: ['x=y'] })
    const browser = visit(hub)
    await walk(browser, '/console/api/oidc/start', 'u1')
    expect(await nameOf(browser)).toMatchObject({
      person: { name: 'Grace' },
      sites: [{ siteId: 'main', roles: ['developer'] }],
    })
    const people = await hub.inner.db.read
      .selectFrom('people')
      .select('person_id')
      .where('subject', '=', 'u1')
      .execute()
    expect(people).toHaveLength(1)
  })

  it('never takes an account over by its e-mail address', async () => {
    const bob = await enter(hub, ['admin'], 'main')
    accounts.set('u2', { name: 'Impostor', email: bob.email, groups: ['loc'] })
    const browser = visit(hub)
    await walk(browser, '/console/api/oidc/start', 'u2')
    expect(await nameOf(browser)).toMatchObject({
      person: { name: 'Impostor' },
      sites: [{ roles: ['manager'] }],
    })
    const row = await hub.inner.db.read
      .selectFrom('people')
      .select('email')
      .where('subject', '=', 'u2')
      .executeTakeFirst()
    expect(row?.email).toBe(null)
  })

  it('refuses an account without a role, and says so on the sign-in page', async () => {
    accounts.set('u3', { name: 'Nobody', groups: ['unknown'] })
    const browser = visit(hub)
    expect(await walk(browser, '/console/api/oidc/start', 'u3')).toBe(
      '/signin?problem=SIGN_IN_REFUSED',
    )
    expect((await browser.call('GET', '/session')).status).toBe(401)
  })

  const spoilt: [string, (url: URL) => URL][] = [
    ['another state', (url) => spoil(url, 'state', 'A'.repeat(43))],
    ['no state', (url) => spoil(url, 'state')],
    ['another issuer', (url) => spoil(url, 'iss', 'https://evil.example')],
    ['no issuer, which this one always names', (url) => spoil(url, 'iss')],
    ['another code', (url) => spoil(url, 'code', 'nonsense')],
    ['no code', (url) => spoil(url, 'code')],
  ]
  function spoil(url: URL, name: string, value?: string): URL {
    if (url.pathname.endsWith('/oidc/return')) {
      if (value === undefined) url.searchParams.delete(name)
      else url.searchParams.set(name, value)
    }
    return url
  }
  it.each(spoilt)('refuses an answer with %s', async (_, change) => {
    accounts.set('u1', { groups: ['loc'] })
    const browser = visit(hub)
    expect(await walk(browser, '/console/api/oidc/start', 'u1', change)).toMatch(
      /^\/signin\?problem=(SIGN_IN_REFUSED|SERVICE_UNAVAILABLE)$/,
    )
    expect((await browser.call('GET', '/session')).status).toBe(401)
  })

  it('refuses an answer that another browser began', async () => {
    let seen: string | undefined
    const theirs = visit(hub)
    await walk(theirs, '/console/api/oidc/start', 'u1', (url) => {
      if (url.pathname.endsWith('/oidc/return')) {
        seen = url.href
        url.searchParams.set('state', 'kept-for-later')
      }
      return url
    })
    const victim = visit(hub)
    expect(await walk(victim, seen ?? '', 'u1')).toBe('/signin?problem=SIGN_IN_REFUSED')
  })

  it('returns to pages of the console only', async () => {
    accounts.set('u1', { groups: ['loc'] })
    for (const to of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
    ])
      expect(
        await walk(visit(hub), `/console/api/oidc/start?to=${encodeURIComponent(to)}`, 'u1'),
      ).toBe('/')
  })

  it('confirms a session by signing in once more, as the same person only', async () => {
    accounts.set('u4', { name: 'Oscar', groups: ['ops'] })
    const browser = visit(hub)
    await walk(browser, '/console/api/oidc/start', 'u4')
    await nameOf(browser)
    hub.inner.clock.setOffset(11 * 60_000)
    const write = () =>
      browser.call('POST', '/people', {
        body: { name: 'x', email: 'x@example.org', sites: [{ siteId: 'main', roles: ['viewer'] }] },
      })
    expect((await write()).body.code).toBe('CONFIRM_NEEDED')
    hub.inner.clock.setOffset(0)
    await hub.inner.db.transact((tx) =>
      tx.updateTable('sessions').set({ confirmed_at: 1 }).execute(),
    )
    expect((await write()).body.code).toBe('CONFIRM_NEEDED')
    expect(await walk(browser, '/console/api/oidc/start?confirm=true&to=/access', 'u1')).toBe(
      '/signin?problem=SIGN_IN_REFUSED',
    )
    expect((await write()).body.code).toBe('CONFIRM_NEEDED')
    expect(await walk(browser, '/console/api/oidc/start?confirm=true&to=/access', 'u4')).toBe(
      '/access',
    )
    expect((await write()).status).toBe(201)
  })

  it('says that the provider is away', async () => {
    const away = await startHub({
      database: 'sqlite',
      profile: 'production',
      env: {
        DRAGOMAN_LISTENER_ALLOW: '127.0.0.1',
        DRAGOMAN_OIDC_ISSUER: 'http://127.0.0.1:9',
        DRAGOMAN_OIDC_CLIENT_ID: 'hub',
      },
    })
    const answer = await away.call('GET', '/console/api/oidc/start')
    await away.close()
    expect([answer.status, answer.headers.get('location')]).toEqual([
      307,
      `${away.url}/signin?problem=SERVICE_UNAVAILABLE`,
    ])
  })
})
