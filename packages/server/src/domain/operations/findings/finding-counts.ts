/**
 * The number of findings of each rule, for the metrics: counted at most once a minute, however
 * often they are read.
 */

import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'
import { countFindings } from './list-findings.ts'

type Counts = Awaited<ReturnType<typeof countFindings>>

const everyMs = 60_000
const lastOf = perHub((): { at: number; counts?: Promise<Counts> } => ({
  at: Number.NEGATIVE_INFINITY,
}))

export function findingCounts(hub: Hub): Promise<Counts> {
  const last = lastOf(hub)
  const now = hub.clock.now()
  if (last.counts && now - last.at < everyMs) return last.counts
  const counts = countFindings(hub)
  Object.assign(last, { at: now, counts })
  // A failed count is not kept.
  counts.catch(() => Object.assign(last, { at: Number.NEGATIVE_INFINITY }))
  return counts
}
