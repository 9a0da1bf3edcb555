/**
 * SQL of the work of a provider: what is open or running by due date, from the index of jobs at
 * work; what was delivered by its time, the newest first, from an index of deliveries.
 */
import type { RequestStatus, WorkState } from '@dragoman/contract'
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import type { Tables } from '../../../store/tables.ts'

export type ProviderWorkFilter = {
  readonly providerId: string
  readonly states: readonly WorkState[]
  /** Who has it, or a share of it. */
  readonly personId?: string | undefined
  /** Besides what this person has, only what nobody has. */
  readonly seenBy?: string | undefined
  /** Lower-case, with hyphens. */
  readonly languages?: readonly string[] | undefined
  readonly since?: number | undefined
  readonly until?: number | undefined
}
/** By its due date, or by its delivery with the newest first. */
export type ProviderWorkKey = readonly [time: number, jobId: string, position: number]
export type ProviderWorkRow = Awaited<ReturnType<typeof selectProviderWork>>[number]

const running: readonly RequestStatus[] = ['SENT_TO_PROVIDER', 'IN_TRANSLATION']
const delivered: readonly RequestStatus[] = ['REVIEW_TRANSLATION', 'TRANSLATION_APPROVED']

type Eb = ExpressionBuilder<Tables, 'requests' | 'jobs'>
const isHeld = sql<SqlBool>`(requests.assignee is not null or requests.is_shared = 1)`
const isFree = sql<SqlBool>`(requests.assignee is null and requests.is_shared = 0)`

const inState = (eb: Eb, state: WorkState) => {
  switch (state) {
    case 'OPEN':
      return eb.and([eb('requests.status', 'in', running), isFree])
    case 'RUNNING':
      return eb.and([eb('requests.status', 'in', running), isHeld])
    case 'REJECTED':
      return eb('requests.status', '=', 'TRANSLATION_REJECTED')
    case 'DELIVERED':
      return eb('requests.status', 'in', delivered)
  }
}

const hasPart = (eb: Eb, personId: string) =>
  eb.or([
    eb('requests.assignee', '=', personId),
    eb.and([
      eb('requests.is_shared', '=', 1),
      eb.exists(
        eb
          .selectFrom('shares')
          .select('shares.person_id')
          .whereRef('shares.site_id', '=', 'requests.site_id')
          .whereRef('shares.job_id', '=', 'requests.job_id')
          .whereRef('shares.request_id', '=', 'requests.request_id')
          .where('shares.person_id', '=', personId),
      ),
    ]),
  ])

/** As in the index; a job without a due date comes last. */
const due = sql<number>`coalesce(jobs.due_at, 9007199254740991)`
/** As in the condition of the index. */
const isAtWork = sql<SqlBool>`jobs.archived = 0 and jobs.status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION')`
/** The delivery, else the claim, else the hand-over. */
const worked = sql<number>`coalesce(requests.delivered_at, requests.claimed_at, jobs.submitted_at)`

export function selectProviderWork(
  db: Db,
  siteId: string,
  filter: ProviderWorkFilter,
  { after, limit }: { readonly after?: ProviderWorkKey | undefined; readonly limit: number },
) {
  const { providerId, states, personId, seenBy, languages, since, until } = filter
  const byDelivery = states.every((state) => state === 'DELIVERED')
  const time = byDelivery ? sql<number>`requests.delivered_at` : due
  let work = db
    .selectFrom('requests')
    .innerJoin('jobs', (on) =>
      on
        .onRef('jobs.job_id', '=', 'requests.job_id')
        .onRef('jobs.site_id', '=', 'requests.site_id'),
    )
    .where('requests.site_id', '=', siteId)
    .where('jobs.site_id', '=', siteId)
    .where('jobs.provider_id', '=', providerId)
    .where((eb) => eb.or(states.map((state) => inState(eb, state))))
  if (byDelivery) work = work.where('requests.delivered_at', 'is not', null)
  else if (!states.includes('DELIVERED')) work = work.where(isAtWork)
  if (personId !== undefined) work = work.where((eb) => hasPart(eb, personId))
  if (seenBy !== undefined)
    work = work.where((eb) =>
      eb.or([hasPart(eb, seenBy), eb.and([isFree, eb('requests.status', 'not in', delivered)])]),
    )
  if (languages)
    work = work.where(
      sql<SqlBool>`lower(replace(requests.target_language, '_', '-')) in (${sql.join(languages.length > 0 ? languages : [''])})`,
    )
  // Of deliveries, the bound is that of the index.
  const bound = byDelivery ? time : worked
  if (since !== undefined) work = work.where(bound, '>=', since)
  if (until !== undefined) work = work.where(bound, '<', until)
  if (after) {
    const [at, jobId, position] = after
    const isBehind = sql<SqlBool>`(jobs.job_id > ${jobId} or (jobs.job_id = ${jobId} and requests.position > ${position}))`
    work = work.where(
      byDelivery
        ? sql<SqlBool>`${time} <= ${at} and (${time} < ${at} or ${isBehind})`
        : sql<SqlBool>`${time} >= ${at} and (${time} > ${at} or ${isBehind})`,
    )
  }
  return work
    .selectAll('requests')
    .select(['jobs.job_name', 'jobs.due_at'])
    .select(time.as('sorted_at'))
    .orderBy(time, byDelivery ? 'desc' : 'asc')
    .orderBy('jobs.job_id')
    .orderBy('requests.position')
    .limit(limit)
    .execute()
}

export type Written = {
  readonly segments: number
  readonly words: number
  /** Targets of before words were counted. */
  readonly uncounted: number
  readonly changedAt: number | undefined
}

/** Of each request what is TRANSLATED in its drafts, and when the last one was written. */
export async function selectWritten(
  db: Db,
  siteId: string,
  at: readonly { readonly job_id: string; readonly request_id: string }[],
): Promise<ReadonlyMap<string, Written>> {
  if (at.length === 0) return new Map()
  const isDone = sql<SqlBool>`state = 'TRANSLATED'`
  const rows = await db
    .selectFrom('drafts')
    .select('request_id')
    .select(({ fn }) => [
      sql<number>`sum(case when ${isDone} then 1 else 0 end)`.as('segments'),
      sql<number>`sum(case when ${isDone} then coalesce(words, 0) else 0 end)`.as('words'),
      sql<number>`sum(case when ${isDone} and words is null then 1 else 0 end)`.as('uncounted'),
      fn.max<number>('changed_at').as('changed_at'),
    ])
    .where('site_id', '=', siteId)
    .where('job_id', 'in', [...new Set(at.map(({ job_id }) => job_id))])
    .where('request_id', 'in', [...new Set(at.map(({ request_id }) => request_id))])
    .where('target', 'is not', null)
    .groupBy('request_id')
    .execute()
  return new Map(
    rows.map(({ request_id, segments, words, uncounted, changed_at }) => [
      request_id,
      {
        ...{ segments: Number(segments), words: Number(words), uncounted: Number(uncounted) },
        changedAt: changed_at ? Number(changed_at) : undefined,
      },
    ]),
  )
}
