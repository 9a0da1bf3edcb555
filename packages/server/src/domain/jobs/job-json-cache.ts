/**
 * Caches the JSON of listed jobs with the version of their row. Every page reads the current versions, so the cache is
 * correct on any number of nodes.
 */
import { aliasesFor, Job, JsonBytes } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import { perHub } from '../../caches.ts'
import type { Hub } from '../../hub.ts'
import { aggregateRequests, describeJob } from './describe-job.ts'
import { selectJobsById } from './job-rows.ts'
import type { ListedJob } from './list-rows.ts'

type Entry = { readonly version: number; readonly json: JsonBytes }

const maxBytes = 24 * 1024 ** 2
const cacheOf = perHub(
  () => new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: ({ json }) => json.bytes.length }),
)
const addAliases = aliasesFor(Job)

export async function writeJobs(
  hub: Hub,
  siteId: string,
  listed: readonly ListedJob[],
  counted = false,
): Promise<JsonBytes[]> {
  const cache = cacheOf(hub)
  const items = new Map<string, JsonBytes | undefined>()
  for (const { job_id, version } of listed) {
    const known = cache.get(job_id)
    items.set(job_id, known?.version === version ? known.json : undefined)
  }
  const missing = [...items.keys()].filter((jobId) => !items.get(jobId))
  for (const row of missing.length > 0 ? await selectJobsById(hub.engine.read, siteId, missing) : []) {
    const json = new JsonBytes(Buffer.from(JSON.stringify(addAliases(describeJob(row)))))
    items.set(row.job_id, json)
    cache.set(row.job_id, { version: row.version, json })
  }
  const counts = counted ? await aggregateRequests(hub.engine.read, siteId, [...items.keys()]) : undefined
  // A job deleted between the two statements is left out.
  return [...items].flatMap(([jobId, item]) => (item && counts ? withCounts(item, counts.get(jobId)) : (item ?? [])))
}

const withCounts = ({ bytes }: JsonBytes, counts: Job['aggregateRequests']): JsonBytes =>
  new JsonBytes(Buffer.concat([bytes.subarray(0, -1), Buffer.from(`,"aggregateRequests":${JSON.stringify(counts)}}`)]))
