/**
 * SQL of the timeline of a job: each kind of event in the order of its time and key or the reverse,
 * from an index, after a key. The bodies of calls and deliveries stay where they are.
 */
import type { TimelineQuery } from '@dragoman/contract'
import { type RawBuilder, type SelectQueryBuilder, type Simplify, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import type { PageBounds } from '../../../store/filtered-page.ts'
import { pageAfter } from '../../../store/page.ts'
import type { Tables } from '../../../store/tables.ts'
import { stateAt } from '../../../store/tasks/task-states.ts'
import { withoutIndex } from '../../../store/without-index.ts'

type Query<T extends keyof Tables, O> = SelectQueryBuilder<Tables, T, O>
/** A page, in either order, of everything or of some of it. */
export type TimelinePart = PageBounds & {
  readonly descending?: boolean
  readonly only?: TimelineQuery['only']
}
type Only = { readonly [O in NonNullable<TimelineQuery['only']>]?: RawBuilder<SqlBool> }

/** The job whose events are read, and the time now, which decides on the state of a task. */
export type EventsOf = { readonly siteId: string; readonly jobId: string; readonly now: number }
type Read<O> = (db: Db, of: EventsOf, part: TimelinePart) => Promise<Simplify<O>[]>

/** Reads a table: the rows of the job after the key. The job's index serves it, not the site's. */
const ofJob =
  <T extends keyof Tables, O>(
    rowsOf: (db: Db, now: number) => Query<T, O>,
    order: readonly string[],
    only: Only = {},
  ): Read<O> =>
  (db, { siteId, jobId, now }, part) => {
    const tied = (rowsOf(db, now) as unknown as Query<'moves', O>)
      .where('job_id', '=', jobId)
      .where(withoutIndex<string>(db, 'site_id'), '=', siteId)
    return pageOf(tied, order, part, only).execute()
  }

function pageOf<T extends keyof Tables, O>(
  query: Query<T, O>,
  order: readonly string[],
  { after, limit, descending = false, only }: TimelinePart,
  conditions: Only,
): Query<T, O> {
  const condition = only && conditions[only]
  const some = condition ? query.where(condition) : query
  const terms = order.map((column) => ({ column, descending }))
  return pageAfter(some, terms, after).limit(limit)
}

/** The site of a job. No site: an operator may ask about a job of any; an admin's is compared. */
export async function siteOfJob(db: Db, jobId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select('site_id')
    .where('job_id', '=', jobId)
    .executeTakeFirst()
  return row?.site_id
}

export const callsOfJob = ofJob(
  (db) =>
    db
      .selectFrom('calls')
      .select([
        'call_id',
        'trace_id',
        'called_at',
        'method',
        'route',
        'ids',
        'client_id',
        'status',
        'error_code',
      ])
      .select('duration_us')
      // A person who looks at a job in the console does nothing to it, even if the hub refuses a
      // read.
      .where(sql<SqlBool>`not (method = 'GET' and route like '/console/%')`),
  ['called_at', 'call_id'],
  { changes: sql`(method <> 'GET' or status >= 400)`, errors: sql`status >= 400` },
)

export const upstreamCallsOfJob = ofJob(
  (db) => db.selectFrom('upstream_calls').selectAll(),
  ['called_at', 'call_id'],
  {
    changes: sql`(method <> 'GET' or status is null or status >= 400)`,
    errors: sql`(status is null or status >= 400)`,
  },
)

export const filesOfJob = ofJob(
  (db) =>
    db
      .selectFrom('files')
      .select(['file_id', 'name', 'state', 'kind', 'size', 'created_at', 'cause_id']),
  ['created_at', 'file_id'],
)

export const quotesOfJob = ofJob(
  (db) => db.selectFrom('job_quotes').select(['job_id', 'quote', 'quoted_at', 'cause_id']),
  ['quoted_at', 'job_id'],
)

export const movesOfJob = ofJob(
  (db) => db.selectFrom('moves').selectAll(),
  ['moved_at', 'move_id'],
  {
    errors: sql`move = 'fail'`,
  },
)

export const updatesOfJob = ofJob(
  (db) => db.selectFrom('status_updates').selectAll(),
  ['updated_at', 'update_id'],
  {
    errors: sql`has_error = 1`,
  },
)

/** Few at a time, so they are sorted. */
export const tasksOfJob = ofJob(
  (db, now) =>
    db
      .selectFrom('tasks')
      .select(['task_id', 'name', 'due_at', 'attempts', 'created_at', 'cause_id', 'last_error'])
      .select(stateAt(now).as('state')),
  ['created_at', 'task_id'],
  { errors: sql`last_error is not null` },
)

export const deliveriesOfJob = ofJob(
  (db) =>
    db
      .selectFrom('deliveries')
      .select([
        'position',
        'delivery_id',
        'listener_id',
        'event_type',
        'request_ids',
        'sequence',
        'state',
      ])
      .select(['created_at', 'next_attempt_at', 'cause_id', 'uri']),
  ['created_at', 'position'],
  { errors: sql`state = 'PARKED'` },
)

/** No site: an attempt belongs to its delivery, whose job the caller has found in its site. */
export const attemptsOfJob = (db: Db, { jobId }: EventsOf, part: TimelinePart) =>
  pageOf(
    db
      .selectFrom('attempts')
      .select([
        'attempts.position',
        'number',
        'attempted_at',
        'duration_ms',
        'response_code',
        'error',
      ])
      .select((eb) =>
        (['delivery_id', 'listener_id', 'cause_id'] as const).map((column) =>
          eb
            .selectFrom('deliveries')
            .select(`deliveries.${column}`)
            .whereRef('deliveries.position', '=', 'attempts.position')
            .as(column),
        ),
      )
      .where('job_id', '=', jobId),
    ['attempted_at', 'position', 'number'],
    part,
    { errors: sql`(response_code is null or response_code not between 200 and 299)` },
  ).execute()

/** Every move of requests, oldest first, to draw their states over time. */
export const requestMovesOfJob = (db: Db, siteId: string, jobId: string) =>
  db
    .selectFrom('moves')
    .select(['request_ids', 'to_status', 'moved_at'])
    .where('job_id', '=', jobId)
    .where(withoutIndex<string>(db, 'site_id'), '=', siteId)
    .where('request_ids', 'is not', null)
    .orderBy('moved_at')
    .orderBy('move_id')
    .execute()

export const requestLanguages = (db: Db, siteId: string, jobId: string) =>
  db
    .selectFrom('requests')
    .select(['request_id', 'target_language', 'created_at', 'last_try'])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .orderBy('position')
    .execute()

/** The requests with these ids, or whose translation is one of these files. */
export const requestsNamed = (
  db: Db,
  siteId: string,
  jobId: string,
  wanted: { readonly requestIds: readonly string[]; readonly fileIds: readonly string[] },
) =>
  db
    .selectFrom('requests')
    .select(['request_id', 'request_name', 'target_language', 'reject_note', 'translation_file_id'])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .where((eb) =>
      eb.or([
        ...(wanted.requestIds.length > 0 ? [eb('request_id', 'in', [...wanted.requestIds])] : []),
        ...(wanted.fileIds.length > 0
          ? [eb('translation_file_id', 'in', [...wanted.fileIds])]
          : []),
      ]),
    )
    .execute()

/** Which of these calls are entries of the job's timeline. */
export const callsNamed = (db: Db, siteId: string, jobId: string, traceIds: readonly string[]) =>
  db
    .selectFrom('calls')
    .select('trace_id')
    .where('trace_id', 'in', [...traceIds])
    .where(withoutIndex<string>(db, 'job_id'), '=', jobId)
    .where(withoutIndex<string>(db, 'site_id'), '=', siteId)
    .execute()
