/**
 * What was revoked before it expired: single tokens (RFC 7009), and signing keys with all of their
 * tokens. Every node has a copy that is at most five seconds old; the node that revokes knows at
 * once.
 */

import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import type { Db } from '../../store/database.ts'
import type { Claims } from './claims.ts'
import { deleteExpired, insertRevoked, selectRevokedSince } from './revocation-rows.ts'

const copyMs = 5_000
/** The clocks of nodes may differ by this much, and a transaction may take a while to commit. */
const overlapMs = 120_000

type Copy = {
  readonly names: Map<string, number>
  /** When it was read; undefined before the first time. */
  readAt: number | undefined
  reading: Promise<void> | undefined
}
const copyOf = perHub((): Copy => ({ names: new Map(), readAt: undefined, reading: undefined }))

export const tokenName = (tokenId: string): string => `token ${tokenId}`
export const keyName = (keyId: string): string => `key ${keyId}`

/** Whether the token, or the key that signed it, was revoked. */
export async function isRevoked(
  hub: Hub,
  { tokenId, keyId }: Pick<Claims, 'tokenId' | 'keyId'>,
): Promise<boolean> {
  const copy = copyOf(hub)
  // Math.abs: a clock set back (a sandbox reset) must not extend the copy.
  if (copy.readAt === undefined || Math.abs(hub.clock.now() - copy.readAt) >= copyMs)
    await refresh(hub, copy)
  if (copy.names.size === 0) return false
  return (
    (tokenId !== undefined && copy.names.has(tokenName(tokenId))) ||
    (keyId !== undefined && copy.names.has(keyName(keyId)))
  )
}

function refresh(hub: Hub, copy: Copy): Promise<void> {
  copy.reading ??= read(hub, copy).finally(() => {
    copy.reading = undefined
  })
  return copy.reading
}

async function read(hub: Hub, copy: Copy): Promise<void> {
  const now = hub.clock.now()
  const isBehind = copy.readAt === undefined || copy.readAt > now
  const since = isBehind ? 0 : (copy.readAt ?? 0) - overlapMs
  for (const { name, expires_at } of await selectRevokedSince(hub.db.read, since))
    copy.names.set(name, expires_at)
  for (const [name, expiresAt] of copy.names) if (expiresAt < now) copy.names.delete(name)
  copy.readAt = now
}

/**
 * Runs in the caller's transaction; call `knowRevoked` once it is committed. Returns false if it
 * was revoked before.
 */
export const revoke = (hub: Hub, tx: Db, name: string, expiresAt: number): Promise<boolean> =>
  insertRevoked(tx, { name, revoked_at: hub.clock.now(), expires_at: expiresAt })

export function knowRevoked(hub: Hub, name: string, expiresAt: number): void {
  copyOf(hub).names.set(name, expiresAt)
}

/** Part of the sweep: removes what has expired anyway. */
export const forgetRevoked = (tx: Db, now: number): Promise<void> => deleteExpired(tx, now)
