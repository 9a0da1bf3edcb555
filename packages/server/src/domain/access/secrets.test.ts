import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { HubError } from '@dragoman/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HubPlace, makePlace } from '../../../../../tests/hub-place.ts'
import type { Hub } from '../../hub.ts'
import { addClient, readyClient } from './clients.ts'
import { rotateSecret } from './rotate-secret.ts'
import * as secrets from './secrets.ts'
import { generateSecret, hashSecret, looksGenerated } from './secrets.ts'

let place: HubPlace
let hub: Hub
beforeAll(async () => {
  place = await makePlace('sqlite')
  hub = await place.open()
})
afterAll(() => place.clear())

const provesSecret = (at: Hub, secret: string, hashes: string[], address = '10.0.0.1') =>
  secrets.provesSecret(at, secret, hashes, { clientId: 'web', address })

test('a given secret is hashed with salt and cost, and proven by itself alone', async () => {
  const hash = await hashSecret(hub, 'correct horse')
  expect(hash).toMatch(/^scrypt\$32768\$/)
  expect(hash).not.toBe(await hashSecret(hub, 'correct horse'))
  expect(await provesSecret(hub, 'correct horse', [hash])).toBe(true)
  expect(await provesSecret(hub, 'correct hors', [hash])).toBe(false)
  expect(await provesSecret(hub, 'correct horse ', [hash])).toBe(false)
  expect(await provesSecret(hub, '', [hash])).toBe(false)
})

test('any of several living secrets will do', async () => {
  const hashes = [await hashSecret(hub, 'new'), await hashSecret(hub, 'old')]
  expect(await provesSecret(hub, 'old', hashes)).toBe(true)
  expect(await provesSecret(hub, 'older', hashes)).toBe(false)
})

test('a generated secret has 256 bits and a keyed digest that says nothing without the master key', async () => {
  const secret = generateSecret()
  expect(looksGenerated(secret)).toBe(true)
  expect(Buffer.from(secret.slice(4), 'base64url')).toHaveLength(32)
  const hash = await hashSecret(hub, secret)
  expect(hash).toMatch(/^keyed\$/)
  expect(await provesSecret(hub, secret, [hash])).toBe(true)
  expect(await provesSecret(hub, generateSecret(), [hash])).toBe(false)
})

/**
 * The costs of the slow hashes that are computed meanwhile: they take the time, all else takes next
 * to none.
 */
async function hashesDuring(work: () => Promise<unknown>): Promise<unknown[]> {
  const own = crypto.scrypt
  const costs: unknown[] = []
  const counting = (...given: Parameters<typeof crypto.scrypt>) => {
    costs.push((given[3] as crypto.ScryptOptions).N)
    own(...given)
  }
  crypto.scrypt = counting as typeof crypto.scrypt
  syncBuiltinESMExports()
  try {
    await work()
    return costs
  } finally {
    crypto.scrypt = own
    syncBuiltinESMExports()
  }
}

test('time depends on the form of the presented secret, not on whether the client exists', async () => {
  const hashes = (secret: string, known: string[]) =>
    hashesDuring(() => provesSecret(hub, secret, known))
  const given = await hashSecret(hub, 'given')
  const keyed = await hashSecret(hub, generateSecret())
  // A wrong secret costs one scrypt, whether the client has such a secret, has only another kind,
  // or does not exist.
  for (const known of [[given], [keyed], []]) expect(await hashes('wrong', known)).toEqual([32_768])
  for (const known of [[given], [keyed], []])
    expect(await hashes(generateSecret(), known)).toEqual([])
})

test('a secret proven in the last day is not hashed, and is hashed again afterwards', async () => {
  const hash = await hashSecret(hub, 'often used')
  await provesSecret(hub, 'often used', [hash])
  const prove = async () => expect(await provesSecret(hub, 'often used', [hash])).toBe(true)
  expect(await hashesDuring(prove)).toEqual([])
  hub.clock.moveTo(hub.clock.now() + 86_401_000)
  expect(await hashesDuring(prove)).toEqual([32_768])
})

test('a client has the same cost while an old secret of it goes on', async () => {
  const ready = await readyClient(hub, {
    siteId: 'acme',
    clientId: 'turning',
    scopes: ['content'],
    secret: 'the first',
  })
  await hub.db.transact((tx) => addClient(hub, tx, ready))
  await rotateSecret(hub, 'turning', { secret: 'the second' })
  const rows = await hub.db.read
    .selectFrom('client_secrets')
    .select('hash')
    .where('client_id', '=', 'turning')
    .execute()
  const hashes = rows.map(({ hash }) => hash)
  expect(new Set(hashes).size).toBe(2)
  // One shared salt, so one hash covers both secrets: checking a client with two secrets takes no
  // longer than an unknown client.
  expect(new Set(hashes.map((hash) => hash.split('$')[2])).size).toBe(1)
  expect(await provesSecret(hub, 'the first', hashes)).toBe(true)
  expect(await provesSecret(hub, 'the second', hashes)).toBe(true)
  expect(await provesSecret(hub, 'the third', hashes)).toBe(false)
})

test('too many secrets of one address at once are refused, and the hub works on afterwards', async () => {
  const hash = await hashSecret(hub, 'x', 'well-known')
  const tries = await Promise.allSettled(
    Array.from({ length: 90 }, (_, i) => provesSecret(hub, `guess ${i}`, [hash])),
  )
  const refused = tries.filter((one) => one.status === 'rejected')
  expect(refused).toHaveLength(90 - 17)
  for (const { reason } of refused) {
    expect(reason).toBeInstanceOf(HubError)
    expect(reason).toMatchObject({ code: 'SERVICE_UNAVAILABLE', status: 503, retryAfter: 2 })
  }
  expect(await provesSecret(hub, 'x', [hash])).toBe(true)
})
