/**
 * Jobs of a list, written out as the wire shows them. What is written is kept with the version of the row it was made
 * from, and the version is read with every page: what is kept is therefore right on any number of nodes.
 */
import { Job, speller, Written } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { aggregateRequests, describeJob } from './describe-job.ts'
import { selectJobsById } from './job-rows.ts'
import type { ListedJob } from './list-rows.ts'

type Kept = { readonly version: number; readonly written: Written }
type Texts = { readonly byJob: Map<string, Kept>; size: number }

const mostBytes = 24 * 1024 ** 2
const texts = new WeakMap<Hub, Texts>()
const respell = speller(Job)

export async function writeJobs(
  hub: Hub,
  siteId: string,
  listed: readonly ListedJob[],
  counted = false,
): Promise<Written[]> {
  const kept = texts.get(hub) ?? { byJob: new Map<string, Kept>(), size: 0 }
  texts.set(hub, kept)
  const items = new Map<string, Written | undefined>()
  for (const { job_id, version } of listed) {
    const known = kept.byJob.get(job_id)
    items.set(job_id, known?.version === version ? known.written : undefined)
  }
  const missing = [...items.keys()].filter((jobId) => !items.get(jobId))
  for (const row of missing.length > 0 ? await selectJobsById(hub.engine.read, siteId, missing) : []) {
    const written = new Written(Buffer.from(JSON.stringify(respell(describeJob(row)))))
    items.set(row.job_id, written)
    keep(kept, row.job_id, { version: row.version, written })
  }
  const counts = counted ? await aggregateRequests(hub.engine.read, siteId, [...items.keys()]) : undefined
  // One that was deleted between the two statements is left out.
  return [...items].flatMap(([jobId, item]) => (item && counts ? withCounts(item, counts.get(jobId)) : (item ?? [])))
}

const withCounts = ({ bytes }: Written, counts: Job['aggregateRequests']): Written =>
  new Written(Buffer.concat([bytes.subarray(0, -1), Buffer.from(`,"aggregateRequests":${JSON.stringify(counts)}}`)]))

/** The one kept longest makes room. */
function keep(kept: Texts, jobId: string, one: Kept): void {
  forget(kept, jobId)
  kept.byJob.set(jobId, one)
  kept.size += one.written.bytes.length
  while (kept.size > mostBytes) {
    const [oldest] = kept.byJob.keys()
    if (oldest === undefined) return
    forget(kept, oldest)
  }
}

function forget(kept: Texts, jobId: string): void {
  kept.size -= kept.byJob.get(jobId)?.written.bytes.length ?? 0
  kept.byJob.delete(jobId)
}
