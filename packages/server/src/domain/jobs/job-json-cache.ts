/**
 * Jobs of a list, written out as the wire shows them. What is written is kept with the version of the row it was made
 * from, and the version is read with every page: what is kept is therefore right on any number of nodes.
 */
import { aliasesFor, Job, JsonBytes } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import { perHub } from '../../caches.ts'
import type { Hub } from '../../hub.ts'
import { aggregateRequests, describeJob } from './describe-job.ts'
import { selectJobsById } from './job-rows.ts'
import type { ListedJob } from './list-rows.ts'

type Kept = { readonly version: number; readonly written: JsonBytes }

const mostBytes = 24 * 1024 ** 2
const keptBy = perHub(
  () => new LRUCache<string, Kept>({ maxSize: mostBytes, sizeCalculation: ({ written }) => written.bytes.length }),
)
const addAliases = aliasesFor(Job)

export async function writeJobs(
  hub: Hub,
  siteId: string,
  listed: readonly ListedJob[],
  counted = false,
): Promise<JsonBytes[]> {
  const kept = keptBy(hub)
  const items = new Map<string, JsonBytes | undefined>()
  for (const { job_id, version } of listed) {
    const known = kept.get(job_id)
    items.set(job_id, known?.version === version ? known.written : undefined)
  }
  const missing = [...items.keys()].filter((jobId) => !items.get(jobId))
  for (const row of missing.length > 0 ? await selectJobsById(hub.engine.read, siteId, missing) : []) {
    const written = new JsonBytes(Buffer.from(JSON.stringify(addAliases(describeJob(row)))))
    items.set(row.job_id, written)
    kept.set(row.job_id, { version: row.version, written })
  }
  const counts = counted ? await aggregateRequests(hub.engine.read, siteId, [...items.keys()]) : undefined
  // One that was deleted between the two statements is left out.
  return [...items].flatMap(([jobId, item]) => (item && counts ? withCounts(item, counts.get(jobId)) : (item ?? [])))
}

const withCounts = ({ bytes }: JsonBytes, counts: Job['aggregateRequests']): JsonBytes =>
  new JsonBytes(Buffer.concat([bytes.subarray(0, -1), Buffer.from(`,"aggregateRequests":${JSON.stringify(counts)}}`)]))
