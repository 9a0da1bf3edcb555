/**
 * Client secrets at rest (contract, section 2). A chosen secret may be weak, so it is hashed with
 * scrypt, and hashes take turns, because otherwise the token endpoint could exhaust our processor.
 * A generated secret has 256 random bits and cannot be guessed, so a keyed digest is enough. The
 * prefix tells the two apart, so the duration depends on the secret presented, not on the client.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { compose } from '@dragoman/text/characters'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { type SecretHolder, takeTurn } from './hash-turns.ts'

const prefix = 'drg_'
const generated = /^drg_[\w-]{43}$/
export const generateSecret = (): string => prefix + randomBytes(32).toString('base64url')
export const looksGenerated = (secret: string): boolean => generated.test(secret)

/**
 * 32 MiB and about 0.1 s per try, the order OWASP recommends. The hash names its cost, so it can be
 * raised.
 */
const givenCost = 2 ** 15
/** The sandbox secrets are printed in the documentation; hashing them slowly would gain nothing. */
const knownCost = 2 ** 10

type Kind = 'private' | 'well-known'

/**
 * `beside` are the client's other valid secrets. With a shared salt, one hash checks all of them.
 */
export async function hashSecret(
  hub: Hub,
  secret: string,
  kind: Kind = 'private',
  beside: readonly string[] = [],
): Promise<string> {
  if (looksGenerated(secret)) return `keyed$${digest(hub, secret)}`
  return hashChosen(secret, kind, beside)
}

/** The hash of a chosen secret; it depends on no hub, so that a configuration can hold it. */
export async function hashChosen(
  secret: string,
  kind: Kind = 'private',
  beside: readonly string[] = [],
): Promise<string> {
  const cost = kind === 'private' ? givenCost : knownCost
  const salts = beside.flatMap((hash) =>
    hash.startsWith(`scrypt$${cost}$`) ? hash.split('$').slice(2, 3) : [],
  )
  const salt = salts[0] ?? randomBytes(16).toString('base64url')
  return `scrypt$${cost}$${salt}$${(await slowHash(secret, salt, cost)).toString('base64url')}`
}

/**
 * Whether the secret matches one of the hashes. Without hashes (an unknown or disabled client) it
 * takes as long as a wrong secret.
 */
export async function provesSecret(
  hub: Hub,
  secret: string,
  hashes: readonly string[],
  who: SecretHolder,
): Promise<boolean> {
  if (looksGenerated(secret)) {
    const shown = Buffer.from(`keyed$${digest(hub, secret)}`)
    return hashes.filter((hash) => equal(Buffer.from(hash), shown)).length > 0
  }
  return (await findProven(hub, secret, hashes, who)) !== undefined
}

/** Which of the hashes of chosen secrets, such as passwords, the secret matches. */
export async function findProven(
  hub: Hub,
  secret: string,
  hashes: readonly string[],
  who: SecretHolder,
): Promise<string | undefined> {
  const slow = hashes.filter((hash) => hash.startsWith('scrypt$'))
  const known = slow.find((hash) => wasVerified(hub, secret, hash))
  if (known !== undefined) return known
  for (const [begin, alike] of bySalt(slow.length > 0 ? slow : [nobody])) {
    const [, cost, salt = ''] = begin.split('$')
    const made = await takeTurn(who, () => slowHash(secret, salt, Number(cost)))
    const shown = Buffer.from(`${begin}$${made.toString('base64url')}`)
    const right = alike.find((hash) => equal(Buffer.from(hash), shown))
    if (right === undefined) continue
    rememberVerified(hub, secret, right)
    return right
  }
  return undefined
}

/** Hashes with the same cost and salt are checked by one computation. */
function bySalt(hashes: readonly string[]): Map<string, string[]> {
  const alike = new Map<string, string[]>()
  for (const hash of hashes) {
    const begin = hash.slice(0, hash.lastIndexOf('$'))
    alike.set(begin, [...(alike.get(begin) ?? []), hash])
  }
  return alike
}

/** A hash that no secret has: its digest is empty. */
const nobody = `scrypt$${givenCost}$AAAAAAAAAAAAAAAAAAAAAA$`

/**
 * Secrets verified within the last day, so that a client with the right secret costs little and
 * waits for nobody, even during an attack. It stores only that a secret has a hash, which stays
 * true on every node; whether that hash is still valid is read from the rows each time. In memory
 * only, by a keyed digest.
 */
const verifiedMs = 86_400_000
const maxVerified = 10_000
const verified = perHub(() => new LRUCache<string, number>({ max: maxVerified }))
const verifiedKey = (hub: Hub, secret: string, hash: string): string =>
  hub.vault.sign('secret-hash', `${hash}\n${secret}`).toString('base64url')

function wasVerified(hub: Hub, secret: string, hash: string): boolean {
  return (verified(hub).get(verifiedKey(hub, secret, hash)) ?? 0) > hub.clock.now()
}

function rememberVerified(hub: Hub, secret: string, hash: string): void {
  verified(hub).set(verifiedKey(hub, secret, hash), hub.clock.now() + verifiedMs)
}

function slowHash(secret: string, salt: string, cost: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(
      compose(secret),
      salt,
      32,
      { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 },
      (error, key) => (error ? reject(error) : resolve(key)),
    ),
  )
}

const digest = (hub: Hub, secret: string): string =>
  hub.vault.sign('secret-hash', secret).toString('base64url')
const equal = (one: Buffer, other: Buffer): boolean =>
  one.length === other.length && timingSafeEqual(one, other)
