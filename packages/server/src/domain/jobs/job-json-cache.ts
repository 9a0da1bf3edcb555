/**
 * Caches the JSON of listed jobs with the version of their row. Every page reads the current
 * versions, so the cache is correct on any number of nodes.
 */
import { aliasesFor, Job, JsonBytes } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import type { JobRow } from '../../store/tables.ts'
import type { Caller } from '../access/caller.ts'
import { aggregateRequests, describeJob } from './describe-job.ts'
import { selectJob, selectJobsById, selectVersion } from './job-rows.ts'
import type { ListedJob } from './list-rows.ts'

type Entry = { readonly version: number; readonly json: JsonBytes }

const maxBytes = 24 * 1024 ** 2
const cacheOf = perHub(
  () =>
    new LRUCache<string, Entry>({
      maxSize: maxBytes,
      sizeCalculation: ({ json }) => json.bytes.length,
    }),
)
const addAliases = aliasesFor(Job)

export async function writeJobs(
  hub: Hub,
  caller: Pick<Caller, 'siteId' | 'work'>,
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
  for (const row of missing.length > 0
    ? await selectJobsById(hub.db.read, caller.siteId, missing)
    : []) {
    items.set(row.job_id, write(hub, row))
  }
  const counts = counted
    ? await aggregateRequests(hub.db.read, caller, [...items.keys()])
    : undefined
  // A job deleted between the two statements is left out.
  return [...items].flatMap(([jobId, item]) =>
    item && counts ? withCounts(item, counts.get(jobId)) : (item ?? []),
  )
}

/**
 * Returns one job, or undefined if the site has none with this id. For a cached job only its
 * version is read.
 */
export async function writeJob(
  hub: Hub,
  caller: Pick<Caller, 'siteId' | 'work'>,
  jobId: string,
  counted = false,
): Promise<JsonBytes | undefined> {
  const { read } = hub.db
  const { siteId } = caller
  const known = cacheOf(hub).get(jobId)
  const isFresh =
    known !== undefined && (await selectVersion(read, siteId, jobId)) === known.version
  const row = isFresh ? undefined : await selectJob(read, siteId, jobId)
  const json = isFresh ? known.json : row && write(hub, row)
  if (!json || !counted) return json
  return withCounts(json, (await aggregateRequests(read, caller, [jobId])).get(jobId))
}

function write(hub: Hub, row: JobRow): JsonBytes {
  const json = new JsonBytes(Buffer.from(JSON.stringify(addAliases(describeJob(hub, row)))))
  cacheOf(hub).set(row.job_id, { version: row.version, json })
  return json
}

const withCounts = ({ bytes }: JsonBytes, counts: Job['aggregateRequests']): JsonBytes =>
  new JsonBytes(
    Buffer.concat([
      bytes.subarray(0, -1),
      Buffer.from(`,"aggregateRequests":${JSON.stringify(counts)}}`),
    ]),
  )
