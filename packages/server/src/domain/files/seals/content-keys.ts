/**
 * Content keys: a random one for each blob, and one for the key-value content of each job, sealed
 * under their site key. They are saved in the transaction that writes the row they protect, and
 * deleted with it.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { BlobTrouble } from '../../../blobs/blob-store.ts'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { seal, unseal } from '../../../store/seal.ts'
import {
  type ContentKey,
  deleteContentKeys,
  insertContentKey,
  selectContentKey,
} from './seal-rows.ts'
import { openSiteKey, sealingKey } from './site-keys.ts'

export const newContentKey = (): Buffer => randomBytes(32)

/** What a key belongs to: a blob or a job, in a job of a site. */
export type KeySubject = { readonly siteId: string; readonly jobId: string; readonly keyOf: string }

export async function keepContentKey(
  hub: Hub,
  tx: Db,
  subject: KeySubject,
  key: Buffer,
): Promise<void> {
  const { siteId, jobId, keyOf } = subject
  const site = await sealingKey(hub, tx, siteId)
  const row = { key_of: keyOf, site_id: siteId, job_id: jobId, site_key: site.version }
  await insertContentKey(tx, { ...row, sealed_key: wrap(site.key, row, key) })
}

type Wrapped = Pick<ContentKey, 'site_id' | 'key_of'>
const aboutKey = ({ site_id, key_of }: Wrapped): string => `${site_id}\n${key_of}`
export const wrap = (siteKey: Buffer, of: Wrapped, key: Uint8Array): string =>
  seal(siteKey, key, aboutKey(of))
export const unwrap = (siteKey: Buffer, of: Wrapped & Pick<ContentKey, 'sealed_key'>): Buffer =>
  unseal(siteKey, of.sealed_key, aboutKey(of))

export async function findContentKey(
  hub: Hub,
  db: Db,
  siteId: string,
  keyOf: string,
): Promise<Buffer | undefined> {
  const found = await selectContentKey(db, siteId, keyOf)
  if (!found) return undefined
  if (found.site_sealed_key === null) throw lost('its site has lost the key it was sealed with')
  const site = { site_id: siteId, version: found.site_key, sealed_key: found.site_sealed_key }
  try {
    return unwrap(openSiteKey(hub, site).key, found)
  } catch {
    throw lost('its key cannot be opened')
  }
}

export async function mustFindContentKey(
  hub: Hub,
  db: Db,
  siteId: string,
  keyOf: string,
): Promise<Buffer> {
  const key = await findContentKey(hub, db, siteId, keyOf)
  if (!key) throw lost('it has no key')
  return key
}

const lost = (why: string): BlobTrouble =>
  new BlobTrouble(
    `this content is sealed, and ${why}; the operator must check it (dragoman check).`,
  )

/** The key of a job's key-value content, created if there is none. */
export async function keyOfJob(hub: Hub, tx: Db, siteId: string, jobId: string): Promise<Buffer> {
  const known = await findContentKey(hub, tx, siteId, jobId)
  if (known) return known
  await keepContentKey(hub, tx, { siteId, jobId, keyOf: jobId }, newContentKey())
  // Another transaction may have been faster.
  return mustFindContentKey(hub, tx, siteId, jobId)
}

/** The key of one content, derived from its job's key. */
export const deriveKey = (jobKey: Buffer, contentId: string): Buffer =>
  createHmac('sha256', jobKey).update(contentId).digest()

/**
 * Runs in the transaction that deletes the blobs' rows. Their bytes are unreadable from then on.
 */
export const dropContentKeys = (tx: Db, keysOf: readonly string[]): Promise<void> =>
  deleteContentKeys(tx, keysOf)
