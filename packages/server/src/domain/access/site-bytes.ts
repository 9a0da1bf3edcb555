/**
 * The bytes a site stores in files, inline content and price lists (quota MaxBytesPerSite), counted in the transaction that
 * stores or removes them. On an engine with many writers the count is split over several rows, so that writers do not wait
 * for each other.
 */
import type { Hub } from '../../hub.ts'
import type { Db, Engine } from '../../store/engine.ts'
import type { Caller } from './caller.ts'
import { mustFit } from './quota.ts'
import { addToShard, sumShards } from './site-bytes-rows.ts'

const shards = 16

/** Negative for removed bytes. */
export async function countBytes(engine: Engine, tx: Db, siteId: string, bytes: number): Promise<void> {
  if (bytes !== 0) await addToShard(tx, siteId, engine.hasManyWriters ? Math.floor(Math.random() * shards) : 0, bytes)
}

export const bytesOfSite = (db: Db, siteId: string): Promise<number> => sumShards(db, siteId)

/** Refuses to exceed the site's byte quota. */
export async function mustFitBytes(
  hub: Hub,
  db: Db,
  { siteId, quotas }: Pick<Caller, 'siteId' | 'quotas'>,
  added: number,
): Promise<void> {
  const byDefault = hub.config.siteBytes
  mustFit({ quotas: { MaxBytesPerSite: byDefault, ...quotas } }, 'MaxBytesPerSite', await sumShards(db, siteId), added)
}
