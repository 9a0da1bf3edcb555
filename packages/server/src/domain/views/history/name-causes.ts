/**
 * Every cause of a timeline leads to an entry or names its kind (contract, section 11, Queries):
 * `call:` stands before the traceId of a call that is not an entry, such as one to another job or
 * one that the call log no longer has.
 */
import type { TimelineEntry } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { callsNamed } from './timeline-rows.ts'
import type { TimelineJob } from './timeline-sources.ts'

export async function nameCauses(
  { db }: Hub,
  job: TimelineJob,
  entries: TimelineEntry[],
): Promise<TimelineEntry[]> {
  const known = new Set(entries.filter(({ kind }) => kind === 'call').map(({ id }) => id))
  const open = new Set(
    entries.map(({ causeId }) => causeId).filter((id) => !id.includes(':') && !known.has(id)),
  )
  if (open.size === 0) return entries
  for (const { trace_id } of await callsNamed(db.read, job.siteId, job.jobId, [...open]))
    open.delete(trace_id)
  return entries.map((entry) =>
    open.has(entry.causeId) ? { ...entry, causeId: `call:${entry.causeId}` } : entry,
  )
}
