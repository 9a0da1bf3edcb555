/** SQL of the keys that content is sealed under. */
import type { Db } from '../../../store/database.ts'
import { lock } from '../../../store/lock.ts'
import { updateMany } from '../../../store/many-rows.ts'
import type { Tables } from '../../../store/tables.ts'

export type SiteKey = Tables['site_keys']
export type ContentKey = Tables['content_keys']
/** With the site key that it is sealed under. */
export type FoundKey = ContentKey & { site_sealed_key: string | null }

/** Locked, so that it cannot be removed before the transaction ends. */
export function selectNewestKey(tx: Db, siteId: string): Promise<SiteKey | undefined> {
  const query = tx
    .selectFrom('site_keys')
    .selectAll()
    .where('site_id', '=', siteId)
    .orderBy('version', 'desc')
    .limit(1)
  return lock(tx, query, 'key share').executeTakeFirst()
}

/** Newest first; locked against other changes. */
export function lockSiteKeys(tx: Db, siteId: string): Promise<SiteKey[]> {
  const query = tx
    .selectFrom('site_keys')
    .selectAll()
    .where('site_id', '=', siteId)
    .orderBy('version', 'desc')
  return lock(tx, query, 'no key update').execute()
}

/** If two transactions insert the same version, the first stays. */
export async function insertSiteKey(db: Db, key: SiteKey): Promise<void> {
  await db
    .insertInto('site_keys')
    .values(key)
    .onConflict((oc) => oc.doNothing())
    .execute()
}

export async function deleteOlderKeys(db: Db, siteId: string, version: number): Promise<void> {
  await db
    .deleteFrom('site_keys')
    .where('site_id', '=', siteId)
    .where('version', '<', version)
    .execute()
}

/** Sites that have a key. No site: upkeep over all sites. */
export async function sitesWithKeys(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('site_keys')
    .select('site_id')
    .distinct()
    .orderBy('site_id')
    .execute()
  return rows.map(({ site_id }) => site_id)
}

export function selectContentKey(
  db: Db,
  siteId: string,
  keyOf: string,
): Promise<FoundKey | undefined> {
  return db
    .selectFrom('content_keys as c')
    .leftJoin('site_keys as s', (join) =>
      join.onRef('s.site_id', '=', 'c.site_id').onRef('s.version', '=', 'c.site_key'),
    )
    .selectAll('c')
    .select('s.sealed_key as site_sealed_key')
    .where('c.site_id', '=', siteId)
    .where('c.key_of', '=', keyOf)
    .executeTakeFirst()
}

/** If there is a key already, it stays. */
export async function insertContentKey(db: Db, key: ContentKey): Promise<void> {
  await db
    .insertInto('content_keys')
    .values(key)
    .onConflict((oc) => oc.doNothing())
    .execute()
}

/** No site: by random ids of blobs, read from rows that were found under their site. */
export async function deleteContentKeys(db: Db, keysOf: readonly string[]): Promise<void> {
  if (keysOf.length > 0) await db.deleteFrom('content_keys').where('key_of', 'in', keysOf).execute()
}

/** Content keys still sealed under an older site key. */
export function selectOlder(
  tx: Db,
  siteId: string,
  version: number,
  limit: number,
): Promise<ContentKey[]> {
  const query = tx
    .selectFrom('content_keys')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('site_key', '<', version)
    .orderBy('site_key')
    .limit(limit)
  return lock(tx, query, 'no key update').execute()
}

export const updateContentKeys = updateMany(
  'content_keys',
  { key_of: 'text', site_id: 'text', job_id: 'text', site_key: 'bigint', sealed_key: 'text' },
  ['site_id'],
  'key_of',
)
