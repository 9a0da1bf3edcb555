import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HubError } from '@dragoman/contract'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases, type HubPlace, makePlace } from '../../../../../tests/hub-place.ts'
import type { Hub } from '../../hub.ts'
import { addClient, disableClient, enableClient, readyClient, removeClient } from './clients.ts'
import { findSigner, findVerifier, listPublicKeys, rotateSigningKeys } from './signing-keys.ts'
import { issuerOf, issueToken, listensOn, verifyToken } from './tokens.ts'

const day = 86_400_000
let place: HubPlace
let hub: Hub
/** Another process on the same database. */
const openOne = (more: Record<string, string> = {}) => place.open(more, { as: 'tool' })

const web = { siteId: 'acme', clientId: 'web' }
const advance = (ms: number) => hub.clock.moveTo(hub.clock.now() + ms)
const reason = async (token: string, at = hub) => {
  const error = await verifyToken(at, token).catch((thrown: unknown) => thrown)
  if (error instanceof HubError && error.code === 'UNAUTHORIZED')
    return error.message.split('token: ')[1]
  throw error
}

describe.each(databases)('on %s', (database) => {
  beforeEach(async () => {
    place = await makePlace(database)
    hub = await place.open({ DRAGOMAN_PORT: '8080' })
    const ready = await readyClient(hub, {
      siteId: 'acme',
      clientId: 'web',
      scopes: ['content', 'settings'],
    })
    await hub.db.transact((tx) => addClient(hub, tx, ready))
  })
  afterEach(() => place.clear())

  test('a token says what RFC 9068 wants and names its caller', async () => {
    const { token, expiresIn } = await issueToken(hub, web, ['content'])
    expect(expiresIn).toBe(3600)
    expect(decodeProtectedHeader(token)).toMatchObject({
      alg: 'ES256',
      typ: 'at+jwt',
      kid: (await findSigner(hub)).kid,
    })
    const { iat, exp, jti, ...rest } = decodeJwt(token)
    expect(rest).toEqual({
      iss: 'http://127.0.0.1:8080',
      aud: 'dragoman',
      sub: 'web',
      client_id: 'web',
      site: 'acme',
      scope: 'content',
    })
    expect(Number(exp) - Number(iat)).toBe(3600)
    expect(jti).toBeTypeOf('string')
    expect(await verifyToken(hub, token)).toMatchObject({
      ...web,
      scopes: ['content'],
      providerIds: [],
      pageFormat: 'full',
    })
  })

  test('a token is refused from the second it expires, remembered or not', async () => {
    const { token } = await issueToken(hub, web, ['content'])
    await verifyToken(hub, token)
    advance(3_598_000)
    await verifyToken(hub, token)
    advance(2_000)
    expect(await reason(token)).toBe('the token has expired; request a new one.')
  })

  test('a disabled client is refused at once on this node, within five seconds on another, and can come back', async () => {
    const other = await openOne()
    const { token } = await issueToken(hub, web, ['content'])
    await verifyToken(other, token)
    await disableClient(hub, 'web')
    expect(await reason(token)).toBe('client web is disabled.')
    await verifyToken(other, token)
    other.clock.moveTo(other.clock.now() + 5_000)
    expect(await reason(token, other)).toBe('client web is disabled.')
    await enableClient(hub, 'web')
    await verifyToken(hub, token)
    await removeClient(hub, 'web')
    expect(await reason(token)).toBe('its client was removed.')
  })

  test('a removed client is refused at once, also where its row is being read while it goes', async () => {
    const { token } = await issueToken(hub, web, ['content'])
    const { read } = hub.db
    let begun: () => void = () => {}
    const isBegun = new Promise<void>((resolve) => (begun = resolve))
    let goOn: () => void = () => {}
    const mayGoOn = new Promise<void>((resolve) => (goOn = resolve))
    const slow = read.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        begun()
        await mayGoOn
        return result
      },
    })
    const underWay = verifyToken({ ...hub, db: { ...hub.db, read: slow } }, token).catch(
      () => undefined,
    )
    await isBegun
    await removeClient(hub, 'web')
    goOn()
    await underWay
    expect(await reason(token)).toBe('its client was removed.')
  })

  test('a token never has more than its client has now', async () => {
    const { token } = await issueToken(hub, web, ['content', 'settings'])
    await hub.db.transact((tx) =>
      tx
        .updateTable('clients')
        .set({ scopes: 'settings' })
        .where('client_id', '=', 'web')
        .execute(),
    )
    expect((await verifyToken(hub, token)).scopes).toEqual(['settings'])
  })

  test('a token is good on every node and after a restart, whatever port it was signed on', async () => {
    listensOn(hub, 4711)
    expect(issuerOf(hub)).toBe('http://127.0.0.1:4711')
    const { token } = await issueToken(hub, web, ['content'])
    const other = await openOne({ DRAGOMAN_PORT: '9999' })
    expect((await verifyToken(other, token)).clientId).toBe('web')
    const back = await issueToken(other, web, ['content'])
    expect((await verifyToken(hub, back.token)).clientId).toBe('web')
  })

  test('a new key signs after 30 days, and the old one verifies until its last token has expired', async () => {
    const first = await findSigner(hub)
    advance(30 * day - 1_000)
    const { token } = await issueToken(hub, web, ['content'])
    await rotateSigningKeys(hub)
    const second = await findSigner(hub)
    expect(second.kid).not.toBe(first.kid)
    expect((await listPublicKeys(hub)).map((key) => key.kid)).toEqual([second.kid, first.kid])
    for (const key of await listPublicKeys(hub)) expect(key).not.toHaveProperty('d')
    advance(3_000_000)
    await rotateSigningKeys(hub)
    await verifyToken(hub, token)
    advance(2 * day)
    await rotateSigningKeys(hub)
    expect((await listPublicKeys(hub)).map((key) => key.kid)).toEqual([second.kid])
  })

  test('a clock far ahead finds a key to sign with, and no private key lies in the open', async () => {
    await issueToken(hub, web, ['content'])
    advance(200 * day)
    const { token } = await issueToken(hub, web, ['content'])
    await verifyToken(hub, token)
    const rows = await hub.db.read.selectFrom('signing_keys').selectAll().execute()
    expect(rows).toHaveLength(2)
    for (const row of rows) {
      expect(JSON.stringify(row)).not.toContain('"d"')
      expect(JSON.parse(hub.vault.open('signing-key', row.sealed_private))).toHaveProperty('d')
    }
  })

  test('two nodes that start at once both sign with keys that both verify', async () => {
    const other = await openOne()
    const [one, two] = await Promise.all([
      issueToken(hub, web, ['content']),
      issueToken(other, web, ['content']),
    ])
    for (const node of [hub, other]) {
      await verifyToken(node, one.token)
      await verifyToken(node, two.token)
    }
  })

  test('a made-up kid is refused; one of ours that is gone is not looked up again and again', async () => {
    const { kid } = await findSigner(hub)
    expect(await findVerifier(hub, kid)).toBeDefined()
    for (const made of ['made-up.kid', '', `${kid}x`, kid.replace(/^./, '~')])
      expect(await findVerifier(hub, made)).toBeUndefined()
    const other = await openOne()
    const [row] = await hub.db.read.selectFrom('signing_keys').selectAll().execute()
    if (!row) throw new Error('there is no key')
    await hub.db.transact((tx) => tx.deleteFrom('signing_keys').execute())
    expect(await findVerifier(other, kid)).toBeUndefined()
    await hub.db.transact((tx) => tx.insertInto('signing_keys').values(row).execute())
    expect(await findVerifier(other, kid)).toBeUndefined()
    other.clock.moveTo(other.clock.now() + 5_000)
    expect(await findVerifier(other, kid)).toBeDefined()
  })

  test('what is not a token is called so', async () => {
    expect(await reason('')).toBe('no bearer token was sent.')
    for (const text of ['x', 'a.b.c', '..', 'ey.ey.ey', '%00', '{}'])
      expect(await reason(text)).toBe('the token is malformed.')
    expect(await reason('x'.repeat(64 * 1024))).toBe('the token is too long.')
  })

  test('tokens of an outside issuer are taken when the operator trusts it, and only as it says', async () => {
    const trusted = await generateKeyPair('RS256')
    const foreign = await generateKeyPair('RS256')
    const jwk = { ...(await exportJWK(trusted.publicKey)), kid: 'k1', alg: 'RS256', use: 'sig' }
    let asked = 0
    const issuer = createServer((_, answer) => {
      asked += 1
      answer.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] }))
    })
    await new Promise<void>((ready) => issuer.listen(0, '127.0.0.1', ready))
    const url = `http://127.0.0.1:${(issuer.address() as AddressInfo).port}`
    try {
      const outside = await openOne({
        DRAGOMAN_ISSUER: url,
        DRAGOMAN_ISSUER_JWKS: `${url}/jwks`,
        DRAGOMAN_ISSUER_AUDIENCE: 'hub',
        DRAGOMAN_ISSUER_CLAIMS: 'site=org,client=azp',
      })
      const sign = (claims: object, key = trusted.privateKey, audience = 'hub') =>
        new SignJWT({ org: 'acme', azp: 'elsewhere', scope: 'openid content', ...claims })
          .setProtectedHeader({ alg: 'RS256', kid: 'k1' })
          .setIssuer(url)
          .setAudience(audience)
          .setExpirationTime(Math.floor(outside.clock.now() / 1_000) + 600)
          .sign(key)
      const caller = {
        siteId: 'acme',
        clientId: 'elsewhere',
        scopes: ['content'],
        pageFormat: 'full',
        providerIds: [],
      }
      expect(await verifyToken(outside, await sign({}))).toMatchObject(caller)
      expect(await verifyToken(outside, await sign({ scope: ['settings'] }))).toMatchObject({
        scopes: ['settings'],
      })
      expect(await reason(await sign({}, foreign.privateKey), outside)).toContain('not signed')
      expect(await reason(await sign({}, trusted.privateKey, 'other'), outside)).toContain('"aud"')
      expect(await reason(await sign({ org: 'nowhere' }), outside)).toBe(
        'its site does not exist on this hub.',
      )
      expect(await reason(await sign({ org: 7 }), outside)).toContain('must be text')
      // A name that no client could have must not get into rows, keys and logs.
      for (const azp of [
        '',
        'a\0b',
        '\ud800',
        'a b',
        '../x',
        '-x',
        '\u00e9',
        'x'.repeat(101),
        'x'.repeat(5_000),
      ])
        expect(await reason(await sign({ azp }), outside)).toContain(
          'its claim "azp" must be 1 to 100 letters',
        )
      for (const org of ['acme\0', '', 'acme\n', 'y'.repeat(101)])
        expect(await reason(await sign({ org }), outside)).toContain(
          'its claim "org" must be 1 to 100 letters',
        )
      expect(
        await verifyToken(outside, await sign({ azp: 'web', scope: 'content' })),
      ).toMatchObject({
        clientId: 'web',
      })
      // A token that the issuer bound to a certificate works only with that certificate.
      const bound = await sign({ cnf: { 'x5t#S256': 'A'.repeat(43) } })
      expect(await reason(bound, outside)).toContain('bound to a client certificate')
      await expect(verifyToken(outside, bound, 'B'.repeat(43))).rejects.toThrow(
        'bound to a client certificate',
      )
      expect(await verifyToken(outside, bound, 'A'.repeat(43))).toMatchObject(caller)
      await expect(
        verifyToken(outside, await sign({ cnf: { 'x5t#S256': 7 } }), 'B'.repeat(43)),
      ).rejects.toThrow()
      await disableClient(outside, 'web')
      expect(await reason(await sign({ azp: 'web' }), outside)).toBe('client web is disabled.')
      expect(asked).toBe(1)
      // A hub that does not trust the issuer does not ask it.
      expect(await reason(await sign({}))).toBe('the token was not signed by this hub.')
      expect(asked).toBe(1)
    } finally {
      issuer.close()
    }
  })

  test('an outside issuer that does not answer is a 503, not a refusal', async () => {
    const url = 'http://127.0.0.1:1'
    const more = {
      DRAGOMAN_ISSUER: url,
      DRAGOMAN_ISSUER_JWKS: `${url}/jwks`,
      DRAGOMAN_ISSUER_AUDIENCE: 'hub',
    }
    const outside = await openOne(more)
    const { privateKey } = await generateKeyPair('ES256')
    const token = await new SignJWT({ site: 'acme', client_id: 'x', scope: 'content' })
      .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
      .setIssuer(url)
      .setAudience('hub')
      .setExpirationTime('1h')
      .sign(privateKey)
    await expect(verifyToken(outside, token)).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryAfter: 5,
    })
  })
})
