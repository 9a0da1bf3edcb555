/**
 * Which sites have an upstream that records, as this node knows it. Another node learns of a change
 * within seconds.
 */
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { records } from './drivers/upstream.ts'
import { selectConfigs } from './provider-rows.ts'

const knownMs = 5_000
type Known = { readonly until: number; readonly records: boolean }
const knownOf = perHub(() => new LRUCache<string, Known>({ max: 10_000 }))

/** Undefined if it must be looked up. */
export function knownToRecord(hub: Hub, siteId: string): boolean | undefined {
  const known = knownOf(hub).get(siteId)
  return known && known.until > hub.clock.now() ? known.records : undefined
}

export async function siteRecords(hub: Hub, siteId: string): Promise<boolean> {
  const known = knownToRecord(hub, siteId)
  if (known !== undefined) return known
  const found = (await selectConfigs(hub.db.read, siteId, 'upstream')).some(records)
  knownOf(hub).set(siteId, { until: hub.clock.now() + knownMs, records: found })
  return found
}

/** A provider was added or changed. */
export const forgetRecording = (hub: Hub, siteId: string): void => void knownOf(hub).delete(siteId)
