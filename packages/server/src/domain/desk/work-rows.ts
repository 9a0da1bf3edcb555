/**
 * SQL of lists of work. Jobs come from the index of those that a provider has, in the order of the
 * list, so a page reads no job that is completed or archived; what a person has claimed comes from
 * an index of its own.
 */
import type { RequestStatus } from '@dragoman/contract'
import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../store/database.ts'

/** `undefined` means all. `languages` are lower-case, with hyphens. */
export type WorkFilter = {
  readonly statuses: readonly RequestStatus[]
  /** The person, or null: nobody has claimed it. */
  readonly assignee?: string | null
  readonly providerIds?: readonly string[] | undefined
  readonly languages?: readonly string[] | undefined
  readonly jobId?: string | undefined
  /** Types of providers that are left out. */
  readonly withoutTypes?: readonly string[] | undefined
}
export type WorkKey = readonly [dueAt: number, jobId: string, position: number]
export type WorkRow = Awaited<ReturnType<typeof selectWork>>[number]

/** As in the index; a job without a due date comes last. */
const due = sql<number>`coalesce(jobs.due_at, 9007199254740991)`
/** Literals, as in the condition of the index. */
const isAtWork = sql<SqlBool>`jobs.archived = 0 and jobs.status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION')`
const listOf = (values: readonly string[]) => sql.join(values.length > 0 ? values : [''])

function workOf(db: Db, siteId: string, filter: WorkFilter) {
  const { statuses, assignee, providerIds, languages, jobId, withoutTypes = [] } = filter
  let work = db
    .selectFrom('jobs')
    .innerJoin('requests', (on) =>
      on
        .onRef('requests.job_id', '=', 'jobs.job_id')
        .onRef('requests.site_id', '=', 'jobs.site_id'),
    )
    .innerJoin('providers', (on) =>
      on
        .onRef('providers.provider_id', '=', 'jobs.provider_id')
        .onRef('providers.site_id', '=', 'jobs.site_id'),
    )
    .where('jobs.site_id', '=', siteId)
    .where(isAtWork)
    .where('requests.status', 'in', [...statuses])
  if (assignee === null)
    work = work.where('requests.assignee', 'is', null).where('requests.is_shared', '=', 0)
  else if (assignee !== undefined)
    work = work.where(
      sql<SqlBool>`(requests.job_id, requests.request_id) in (
        select job_id, request_id from requests where site_id = ${siteId} and assignee = ${assignee}
        union all select job_id, request_id from shares where site_id = ${siteId} and person_id = ${assignee})`,
    )
  if (providerIds) work = work.where(sql<SqlBool>`jobs.provider_id in (${listOf(providerIds)})`)
  if (languages)
    work = work.where(
      sql<SqlBool>`lower(replace(requests.target_language, '_', '-')) in (${listOf(languages)})`,
    )
  if (jobId !== undefined) work = work.where('jobs.job_id', '=', jobId)
  if (withoutTypes.length > 0) work = work.where('providers.type_id', 'not in', [...withoutTypes])
  return work
}

export function selectWork(
  db: Db,
  siteId: string,
  filter: WorkFilter,
  { after, limit }: { readonly after?: WorkKey | undefined; readonly limit: number },
) {
  let work = workOf(db, siteId, filter)
  if (after) {
    const [dueAt, jobId, position] = after
    const isBehind = sql<SqlBool>`(jobs.job_id > ${jobId} or (jobs.job_id = ${jobId} and requests.position > ${position}))`
    // The first bound lets both databases begin in the middle of the index.
    work = work.where(sql<SqlBool>`${due} >= ${dueAt} and (${due} > ${dueAt} or ${isBehind})`)
  }
  return work
    .leftJoin('people', 'people.person_id', 'requests.assignee')
    .select('people.name as assignee_name')
    .select([
      'requests.request_id',
      'requests.job_id',
      'requests.position',
      'requests.request_name',
    ])
    .select([
      'requests.source_language',
      'requests.target_language',
      'requests.status',
      'requests.has_error',
    ])
    .select(['requests.assignee', 'requests.reject_note'])
    .select([
      'jobs.job_name',
      'jobs.due_at',
      'providers.provider_id',
      'providers.name as provider_name',
    ])
    .select(due.as('due'))
    .orderBy(due)
    .orderBy('jobs.job_id')
    .orderBy('requests.position')
    .limit(limit)
    .execute()
}

/** How many there are, up to the limit. */
export async function countWork(
  db: Db,
  siteId: string,
  filter: WorkFilter,
  limit: number,
): Promise<number> {
  const some = workOf(db, siteId, filter).select(sql.lit(1).as('one')).limit(limit).as('some')
  const { many } = await db
    .selectFrom(some)
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow()
  return Number(many)
}

type Claimed = {
  readonly request_id: string
  readonly job_id: string
  readonly assignee: string | null
}

/** The jobs of requests that a provider has. */
export const selectJobsOf = (
  db: Db,
  { siteId, providerId }: { readonly siteId: string; readonly providerId: string },
  requestIds: readonly string[],
): Promise<{ readonly request_id: string; readonly job_id: string }[]> =>
  db
    .selectFrom('requests')
    .innerJoin('jobs', (on) =>
      on
        .onRef('jobs.job_id', '=', 'requests.job_id')
        .onRef('jobs.site_id', '=', 'requests.site_id'),
    )
    .select(['requests.request_id', 'requests.job_id'])
    .where('requests.site_id', '=', siteId)
    .where('jobs.provider_id', '=', providerId)
    .where('requests.request_id', 'in', [...requestIds])
    .execute()

/** What these people have claimed, at most this many. */
export function selectClaimed(
  db: Db,
  siteId: string,
  filter: WorkFilter & { readonly people: readonly string[] },
  limit: number,
): Promise<Claimed[]> {
  return workOf(db, siteId, filter)
    .where('requests.assignee', 'in', filter.people.length > 0 ? [...filter.people] : [''])
    .select(['requests.request_id', 'requests.job_id', 'requests.assignee'])
    .limit(limit)
    .execute()
}

/** The shares that these people have of such work, at most this many. */
export function selectSharedWork(
  db: Db,
  siteId: string,
  filter: WorkFilter & { readonly people: readonly string[] },
  limit: number,
): Promise<{ readonly person_id: string; readonly words: number }[]> {
  return workOf(db, siteId, filter)
    .innerJoin('shares', (on) =>
      on
        .onRef('shares.site_id', '=', 'requests.site_id')
        .onRef('shares.job_id', '=', 'requests.job_id')
        .onRef('shares.request_id', '=', 'requests.request_id'),
    )
    .where('shares.person_id', 'in', filter.people.length > 0 ? [...filter.people] : [''])
    .select(['shares.person_id', 'shares.words'])
    .limit(limit)
    .execute()
}

/** How many targets of each request are ready to be delivered. */
export async function countReady(
  db: Db,
  siteId: string,
  at: readonly { readonly job_id: string; readonly request_id: string }[],
): Promise<ReadonlyMap<string, number>> {
  if (at.length === 0) return new Map()
  const counts = await db
    .selectFrom('drafts')
    .select('request_id')
    .select(({ fn }) => fn.countAll().as('ready'))
    .where('site_id', '=', siteId)
    .where('job_id', 'in', [...new Set(at.map(({ job_id }) => job_id))])
    .where('request_id', 'in', [...new Set(at.map(({ request_id }) => request_id))])
    .where('state', '=', 'TRANSLATED')
    .where('target', 'is not', null)
    .groupBy('request_id')
    .execute()
  return new Map(counts.map(({ request_id, ready }) => [request_id, Number(ready)]))
}

/** The people of the site who can sign in, with their roles, in the order of their names. */
export const selectPeople = (db: Db, siteId: string) =>
  db
    .selectFrom('person_roles')
    .innerJoin('people', 'people.person_id', 'person_roles.person_id')
    .select(['people.person_id', 'people.name', 'person_roles.role'])
    .select(['person_roles.providers', 'person_roles.languages'])
    .where('person_roles.site_id', '=', siteId)
    .where('people.disabled_at', 'is', null)
    .orderBy('people.name')
    .orderBy('people.person_id')
    .execute()

/** Jobs of a provider whose due date is in this span and that have a request that is not over. */
export const selectLate = (
  db: Db,
  siteId: string,
  { from, until, limit }: { readonly from: number; readonly until: number; readonly limit: number },
) =>
  db
    .selectFrom('jobs')
    .select(['jobs.job_id', 'jobs.job_name'])
    .where('jobs.site_id', '=', siteId)
    .where(isAtWork)
    .where(sql<SqlBool>`${due} >= ${from} and ${due} < ${until}`)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('requests')
          .select('requests.request_id')
          .whereRef('requests.job_id', '=', 'jobs.job_id')
          .whereRef('requests.site_id', '=', 'jobs.site_id')
          .where('requests.status', 'not in', ['TRANSLATION_APPROVED', 'CANCELLED']),
      ),
    )
    .orderBy(due)
    .limit(limit)
    .execute()
