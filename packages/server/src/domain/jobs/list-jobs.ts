/** The active or the archived jobs of a site, filtered, ordered, a page at a time. */
import { type Job, limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { type Key, type OrderTerm, openCursor, type Page, sealCursor } from '../../store/page.ts'
import type { JobRow } from '../../store/tables.ts'
import type { Call } from '../access/caller.ts'
import { aggregateRequests, describeJob } from './describe-job.ts'
import { parseFilter } from './filter.ts'
import { selectJobs } from './job-rows.ts'
import { orderTerms } from './order.ts'

export type JobListing = {
  filter?: string
  orderBy?: string
  navNext?: string
  pageSize?: number
  aggregateRequests?: boolean
}

export const listJobs = (hub: Hub, call: Call, asked: JobListing) => list(hub, call, 'jobs', asked)
export const listArchivedJobs = (hub: Hub, call: Call, asked: JobListing) => list(hub, call, 'archived', asked)

async function list(hub: Hub, call: Call, which: 'jobs' | 'archived', asked: JobListing): Promise<Page<Job>> {
  const { siteId } = call.caller
  const db = hub.engine.read
  const cursor = asked.navNext ? openCursor(hub.vault, siteId, which, asked.navNext, asked) : undefined
  const { filter, orderBy } = cursor ?? asked
  const terms = orderTerms(orderBy)
  const limit = asked.pageSize ?? limits.pageItems
  const rows = await selectJobs(db, siteId, {
    archived: which === 'archived',
    ...(filter ? { filter: parseFilter(filter) } : {}),
    terms,
    ...(cursor ? { after: cursor.key } : {}),
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const counts = asked.aggregateRequests
    ? await aggregateRequests(
        db,
        siteId,
        page.map((row) => row.job_id),
      )
    : undefined
  const items = page.map((row) => describeJob(row, counts?.get(row.job_id)))
  const last = page.at(-1)
  if (rows.length <= limit || !last) return { items }
  const next = { list: which, key: keyOf(last, terms), ...(filter ? { filter } : {}), ...(orderBy ? { orderBy } : {}) }
  return { items, next: sealCursor(hub.vault, siteId, next) }
}

const keyOf = (row: JobRow, terms: readonly OrderTerm[]): Key =>
  terms.map((term) => row[term.column as keyof JobRow] as string | number | null)
