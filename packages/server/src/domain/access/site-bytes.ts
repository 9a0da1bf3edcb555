/**
 * The bytes that a site keeps in files, inline content and price lists (quota MaxBytesPerSite): counted in the transaction that stores
 * or removes them. Where others may write at the same time the count is spread over several rows, so that nobody waits for one.
 */
import type { Hub } from '../../hub.ts'
import type { Db, Engine } from '../../store/engine.ts'
import type { Caller } from './caller.ts'
import { mustFit } from './quota.ts'
import { addToShard, sumShards } from './site-bytes-rows.ts'

const shards = 16

/** Removing counts below zero. */
export async function countBytes(engine: Engine, tx: Db, siteId: string, bytes: number): Promise<void> {
  if (bytes !== 0) await addToShard(tx, siteId, engine.hasManyWriters ? Math.floor(Math.random() * shards) : 0, bytes)
}

export const bytesOfSite = (db: Db, siteId: string): Promise<number> => sumShards(db, siteId)

/** Refuses what would make the site keep more than it may. */
export async function mustFitBytes(
  hub: Hub,
  db: Db,
  { siteId, quotas }: Pick<Caller, 'siteId' | 'quotas'>,
  added: number,
): Promise<void> {
  const usual = hub.config.siteBytes
  mustFit({ quotas: { MaxBytesPerSite: usual, ...quotas } }, 'MaxBytesPerSite', await sumShards(db, siteId), added)
}
