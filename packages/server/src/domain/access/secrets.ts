/**
 * Secrets of clients at rest (contract, section 2). A given secret may be weak, so it is hashed with scrypt, two at a time:
 * otherwise the token endpoint would be a way to burn our processor. A generated one has 256 random bits, which no amount
 * of guessing finds, so a keyed digest is enough. Its prefix says which, so that time depends on what is shown, not on who is asked.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'

const prefix = 'drg_'
const generated = /^drg_[\w-]{43}$/
export const generateSecret = (): string => prefix + randomBytes(32).toString('base64url')
export const looksGenerated = (secret: string): boolean => generated.test(secret)

/** 32 MiB and about 0.1 s a try: what OWASP calls for is the same order; the hash names its cost, so it can be raised. */
const givenCost = 2 ** 15
/** The secrets of the sandbox are printed in the documentation: nothing is won by hashing them slowly at every first start. */
const knownCost = 2 ** 10

export async function hashSecret(
  hub: Hub,
  secret: string,
  kind: 'private' | 'well-known' = 'private',
): Promise<string> {
  if (looksGenerated(secret)) return `keyed$${digest(hub, secret)}`
  const cost = kind === 'private' ? givenCost : knownCost
  const salt = randomBytes(16).toString('base64url')
  return `scrypt$${cost}$${salt}$${(await slowHash(secret, salt, cost)).toString('base64url')}`
}

/**
 * Whether the secret is one of those hashed. No hash at all (an unknown or disabled client) takes as long as one that
 * does not fit.
 */
export async function provesSecret(hub: Hub, secret: string, hashes: readonly string[]): Promise<boolean> {
  if (looksGenerated(secret)) {
    const shown = Buffer.from(`keyed$${digest(hub, secret)}`)
    return hashes.filter((hash) => equal(Buffer.from(hash), shown)).length > 0
  }
  const slow = hashes.filter((hash) => hash.startsWith('scrypt$'))
  for (const hash of slow.length > 0 ? slow : [nobody]) if (await fits(hub, secret, hash)) return true
  return false
}

/** A hash that no secret has: what it is compared with is empty. */
const nobody = `scrypt$${givenCost}$AAAAAAAAAAAAAAAAAAAAAA$`

async function fits(hub: Hub, secret: string, hash: string): Promise<boolean> {
  const [, cost, salt, stored] = hash.split('$')
  if (!cost || !salt || stored === undefined) return false
  const memo = memoOf(hub)
  const proof = hub.vault.sign('secret-hash', `${hash}\n${secret}`).toString('base64url')
  const now = hub.clock.now()
  if ((memo.get(proof) ?? 0) > now) return true
  const same = equal(Buffer.from(stored, 'base64url'), await slowHash(secret, salt, Number(cost)))
  if (same) {
    if (memo.size >= memoSize) memo.delete(memo.keys().next().value ?? '')
    memo.set(proof, now + memoMs)
  }
  return same
}

/**
 * What was proven in the last minute, so that a client that asks often costs little. It remembers only that this secret
 * has this hash, which stays true for ever and on every node; whether the hash still counts is read from the rows each time.
 */
const memoMs = 60_000
const memoSize = 1_000
const memos = new WeakMap<Hub, Map<string, number>>()
function memoOf(hub: Hub): Map<string, number> {
  const memo = memos.get(hub) ?? new Map<string, number>()
  memos.set(hub, memo)
  return memo
}

/** Of this process, not of the hub: it guards the processor and memory that this process has. */
const atOnce = 2
const mayWait = 64
let running = 0
const waiting: (() => void)[] = []

async function slowHash(secret: string, salt: string, cost: number): Promise<Buffer> {
  if (running >= atOnce) {
    if (waiting.length >= mayWait)
      throw new HubError('SERVICE_UNAVAILABLE', { because: 'too many secrets are being checked.' }, { retryAfter: 2 })
    await new Promise<void>((turn) => waiting.push(turn))
  } else running += 1
  try {
    return await new Promise((resolve, reject) =>
      scrypt(secret.normalize('NFC'), salt, 32, { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 }, (error, key) =>
        error ? reject(error) : resolve(key),
      ),
    )
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

const digest = (hub: Hub, secret: string): string => hub.vault.sign('secret-hash', secret).toString('base64url')
const equal = (one: Buffer, other: Buffer): boolean => one.length === other.length && timingSafeEqual(one, other)
