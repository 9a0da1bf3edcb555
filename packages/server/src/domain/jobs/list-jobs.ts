/** Lists the active or archived jobs of a site: filtered, ordered and paged. */
import { type JsonBytes, limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import {
  type Key,
  mustMatch,
  type OrderTerm,
  openCursor,
  type Page,
  sealCursor,
} from '../../store/page.ts'
import type { JobRow } from '../../store/tables.ts'
import type { Call, Caller } from '../access/caller.ts'
import { type Filter, filterText, parseFilter } from './filter.ts'
import { writeJobs } from './job-json-cache.ts'
import { type ListedJob, type SentPage, selectJobs, selectSentJobs } from './list-rows.ts'
import { filterFields, providerFilterFields } from './lists/filter-fields.ts'
import { orderTerms } from './lists/order.ts'
import { withWork } from './work.ts'

export type JobListing = {
  filter?: string
  statusCode?: readonly string[]
  labels?: readonly string[]
  providerId?: readonly string[]
  jobId?: readonly string[]
  orderBy?: string
  navNext?: string
  pageSize?: number
  aggregateRequests?: boolean
}

export const listJobs = (hub: Hub, call: Call, asked: JobListing) => list(hub, call, 'jobs', asked)
export const listArchivedJobs = (hub: Hub, call: Call, asked: JobListing) =>
  list(hub, call, 'archived', asked)

async function list(
  hub: Hub,
  call: Call,
  which: 'jobs' | 'archived',
  asked: JobListing,
): Promise<Page<JsonBytes>> {
  const { siteId } = call.caller
  const wanted = filterText(asked)
  const sent = {
    ...(wanted === undefined ? {} : { filter: wanted }),
    ...(asked.orderBy === undefined ? {} : { orderBy: asked.orderBy }),
  }
  const cursor = asked.navNext
    ? mustMatch(openCursor(hub.vault, siteId, which, asked.navNext), sent)
    : undefined
  const { filter, orderBy } = cursor ?? sent
  const terms = orderTerms(orderBy)
  const limit = asked.pageSize ?? limits.pageItems
  const among = withWork(
    call.caller,
    filter ? parseFilter(filter, filter === asked.filter) : undefined,
  )
  const rows = await selectJobs(hub.db.read, siteId, {
    archived: which === 'archived',
    ...(among ? { filter: among } : {}),
    terms,
    ...(cursor ? { after: cursor.key } : {}),
    limit: limit + 1,
  })
  const page = rows.slice(0, limit)
  const items = await writeJobs(hub, call.caller, page, asked.aggregateRequests)
  const last = page.at(-1)
  if (rows.length <= limit || !last) return { items }
  const next = {
    list: which,
    key: keyOf(last, terms),
    ...(filter ? { filter } : {}),
    ...(orderBy ? { orderBy } : {}),
  }
  return { items, next: sealCursor(hub.vault, siteId, next) }
}

/**
 * Ids of the newest jobs that a person may see and a filter matches, among those created since
 * then.
 */
export async function newestJobs(
  db: Db,
  caller: Caller,
  filter: Filter,
  {
    archived,
    since,
    limit,
  }: { readonly archived: boolean; readonly since: number; readonly limit: number },
): Promise<string[]> {
  const isNew: Filter = {
    is: 'term',
    field: filterFields.createdDate,
    operator: 'ge',
    value: since,
  }
  const among = withWork(caller, { is: 'and', parts: [isNew, filter] })
  const page = { archived, ...(among && { filter: among }), terms: orderTerms(undefined), limit }
  return (await selectJobs(db, caller.siteId, page)).map((job) => job.job_id)
}

const keyOf = (row: ListedJob, terms: readonly OrderTerm[]): Key =>
  terms.map((term) => row[term.column] ?? null)

/**
 * A page of the jobs that were sent to a provider, oldest first. The filter has the provider's
 * names.
 */
export const readSentJobs = (
  db: Db,
  siteId: string,
  { filter, ...page }: Omit<SentPage, 'filter'> & { readonly filter?: string },
): Promise<JobRow[]> =>
  selectSentJobs(db, siteId, {
    ...page,
    ...(filter && { filter: parseFilter(filter, true, providerFilterFields) }),
  })
