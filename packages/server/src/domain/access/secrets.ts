/**
 * Secrets of clients at rest (contract, section 2). A given secret may be weak, so it is hashed with scrypt, in turns:
 * otherwise the token endpoint would be a way to burn our processor. A generated one has 256 random bits, which no amount
 * of guessing finds, so a keyed digest is enough. Its prefix says which, so that time depends on what is shown, not on who is asked.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { perHub } from '../../caches.ts'
import { compose } from '../../compose.ts'
import type { Hub } from '../../hub.ts'
import { type Shower, takeTurn } from './hash-turns.ts'

const prefix = 'drg_'
const generated = /^drg_[\w-]{43}$/
export const generateSecret = (): string => prefix + randomBytes(32).toString('base64url')
export const looksGenerated = (secret: string): boolean => generated.test(secret)

/** 32 MiB and about 0.1 s a try: what OWASP calls for is the same order; the hash names its cost, so it can be raised. */
const givenCost = 2 ** 15
/** The secrets of the sandbox are printed in the documentation: nothing is won by hashing them slowly at every first start. */
const knownCost = 2 ** 10

type Kind = 'private' | 'well-known'

/** `beside` are the other living secrets of the client: with their salt, one hash answers for all of them. */
export async function hashSecret(
  hub: Hub,
  secret: string,
  kind: Kind = 'private',
  beside: readonly string[] = [],
): Promise<string> {
  if (looksGenerated(secret)) return `keyed$${digest(hub, secret)}`
  const cost = kind === 'private' ? givenCost : knownCost
  const salts = beside.flatMap((hash) => (hash.startsWith(`scrypt$${cost}$`) ? hash.split('$').slice(2, 3) : []))
  const salt = salts[0] ?? randomBytes(16).toString('base64url')
  return `scrypt$${cost}$${salt}$${(await slowHash(secret, salt, cost)).toString('base64url')}`
}

/**
 * Whether the secret is one of those hashed. No hash at all (an unknown or disabled client) takes as long as one that
 * does not fit.
 */
export async function provesSecret(hub: Hub, secret: string, hashes: readonly string[], who: Shower): Promise<boolean> {
  if (looksGenerated(secret)) {
    const shown = Buffer.from(`keyed$${digest(hub, secret)}`)
    return hashes.filter((hash) => equal(Buffer.from(hash), shown)).length > 0
  }
  const slow = hashes.filter((hash) => hash.startsWith('scrypt$'))
  if (slow.some((hash) => wasProven(hub, secret, hash))) return true
  for (const [begin, alike] of bySalt(slow.length > 0 ? slow : [nobody])) {
    const [, cost, salt = ''] = begin.split('$')
    const made = await takeTurn(who, () => slowHash(secret, salt, Number(cost)))
    const shown = Buffer.from(`${begin}$${made.toString('base64url')}`)
    const right = alike.find((hash) => equal(Buffer.from(hash), shown))
    if (right === undefined) continue
    rememberProof(hub, secret, right)
    return true
  }
  return false
}

/** What shares cost and salt is answered by one hash. */
function bySalt(hashes: readonly string[]): Map<string, string[]> {
  const alike = new Map<string, string[]>()
  for (const hash of hashes) {
    const begin = hash.slice(0, hash.lastIndexOf('$'))
    alike.set(begin, [...(alike.get(begin) ?? []), hash])
  }
  return alike
}

/** A hash that no secret has: what it is compared with is empty. */
const nobody = `scrypt$${givenCost}$AAAAAAAAAAAAAAAAAAAAAA$`

/**
 * What was proven in the last day, so that a client that shows the right secret again costs little and waits for nobody, also
 * while others guess. It remembers only that this secret has this hash, which stays true for ever and on every node;
 * whether the hash still counts is read from the rows each time. It lies in memory alone, by a keyed digest.
 */
const provenMs = 86_400_000
const mostProven = 10_000
const proofs = perHub(() => new LRUCache<string, number>({ max: mostProven }))
const proofOf = (hub: Hub, secret: string, hash: string): string =>
  hub.vault.sign('secret-hash', `${hash}\n${secret}`).toString('base64url')

function wasProven(hub: Hub, secret: string, hash: string): boolean {
  return (proofs(hub).get(proofOf(hub, secret, hash)) ?? 0) > hub.clock.now()
}

function rememberProof(hub: Hub, secret: string, hash: string): void {
  proofs(hub).set(proofOf(hub, secret, hash), hub.clock.now() + provenMs)
}

function slowHash(secret: string, salt: string, cost: number): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(compose(secret), salt, 32, { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 }, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )
}

const digest = (hub: Hub, secret: string): string => hub.vault.sign('secret-hash', secret).toString('base64url')
const equal = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)
