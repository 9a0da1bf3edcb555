/**
 * The bytes a site stores in files, inline content, metadata and price lists (quota
 * MaxBytesPerSite), counted in the transaction that stores or removes them. On a database with many
 * writers the count is split over several rows, so that writers do not wait for each other.
 */
import type { Hub } from '../../hub.ts'
import type { Database, Db } from '../../store/database.ts'
import type { Caller } from './caller.ts'
import { mustFit } from './quota.ts'
import { addToShard, sumShards } from './site-bytes-rows.ts'

const shards = 16

/** Negative for removed bytes. */
export async function countBytes(
  db: Database,
  tx: Db,
  siteId: string,
  bytes: number,
): Promise<void> {
  if (bytes !== 0)
    await addToShard(tx, siteId, db.hasManyWriters ? Math.floor(Math.random() * shards) : 0, bytes)
}

export const bytesOfSite = (db: Db, siteId: string): Promise<number> => sumShards(db, siteId)

/** Counts what a call stores beyond what it replaces. Refuses to exceed the site's byte quota. */
export async function storeBytes(
  hub: Hub,
  tx: Db,
  caller: Pick<Caller, 'siteId' | 'quotas'>,
  more: number,
): Promise<void> {
  if (more > 0) await mustFitBytes(hub, tx, caller, more)
  await countBytes(hub.db, tx, caller.siteId, more)
}

/** The bytes of metadata as it is stored. */
export const metadataBytes = (text: string | null | undefined): number =>
  Buffer.byteLength(text ?? '')

/** Refuses to exceed the site's byte quota. */
export async function mustFitBytes(
  hub: Hub,
  db: Db,
  { siteId, quotas }: Pick<Caller, 'siteId' | 'quotas'>,
  added: number,
): Promise<void> {
  const byDefault = hub.config.siteBytes
  mustFit(
    { quotas: { MaxBytesPerSite: byDefault, ...quotas } },
    'MaxBytesPerSite',
    await sumShards(db, siteId),
    added,
  )
}
