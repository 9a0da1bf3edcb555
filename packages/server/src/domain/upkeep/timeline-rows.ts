/**
 * SQL of the timeline of a job: each kind of event in the order of its time and key, from an index, after a key. The bodies
 * of calls and deliveries stay where they are.
 */
import type { SelectQueryBuilder } from 'kysely'
import type { Db } from '../../store/engine.ts'
import type { Part } from '../../store/filtered-page.ts'
import { pageAfter } from '../../store/page.ts'
import type { Tables } from '../../store/tables.ts'
import { stateAt } from '../../store/tasks/task-states.ts'
import { withoutIndex } from '../../store/without-index.ts'

type Query<T extends keyof Tables, O> = SelectQueryBuilder<Tables, T, O>

/** The rows of the job after the key, oldest first. The job's index serves it, not the site's. */
function ofJob<T extends keyof Tables, O>(
  db: Db,
  query: Query<T, O>,
  [siteId, jobId]: readonly [string, string],
  order: readonly string[],
  { after, limit }: Part,
): Query<T, O> {
  const tied = (query as unknown as Query<'moves', O>)
    .where('job_id', '=', jobId)
    .where(withoutIndex<string>(db, 'site_id'), '=', siteId)
  const terms = order.map((column) => ({ column, descending: false }))
  return pageAfter(tied, terms, after).limit(limit) as unknown as Query<T, O>
}

/** The site of a job. No site: an operator may ask about a job of any; an admin's is compared. */
export async function siteOfJob(db: Db, jobId: string): Promise<string | undefined> {
  const row = await db.selectFrom('jobs').select('site_id').where('job_id', '=', jobId).executeTakeFirst()
  return row?.site_id
}

export const callsOfJob = (db: Db, siteId: string, jobId: string, part: Part) =>
  ofJob(
    db,
    db
      .selectFrom('calls')
      .select(['call_id', 'trace_id', 'called_at', 'method', 'route', 'ids', 'client_id', 'status', 'error_code'])
      .select('duration_us'),
    [siteId, jobId],
    ['called_at', 'call_id'],
    part,
  ).execute()

export const filesOfJob = (db: Db, siteId: string, jobId: string, part: Part) =>
  ofJob(
    db,
    db.selectFrom('files').select(['file_id', 'name', 'state', 'kind', 'size', 'created_at', 'cause_id']),
    [siteId, jobId],
    ['created_at', 'file_id'],
    part,
  ).execute()

export const quotesOfJob = (db: Db, siteId: string, jobId: string, part: Part) =>
  ofJob(
    db,
    db.selectFrom('job_quotes').select(['job_id', 'quote', 'quoted_at', 'cause_id']),
    [siteId, jobId],
    ['quoted_at', 'job_id'],
    part,
  ).execute()

export const movesOfJob = (db: Db, siteId: string, jobId: string, part: Part) =>
  ofJob(db, db.selectFrom('moves').selectAll(), [siteId, jobId], ['moved_at', 'move_id'], part).execute()

export const updatesOfJob = (db: Db, siteId: string, jobId: string, part: Part) =>
  ofJob(db, db.selectFrom('status_updates').selectAll(), [siteId, jobId], ['updated_at', 'update_id'], part).execute()

/** Few at a time, so they are sorted. */
export const tasksOfJob = (db: Db, siteId: string, jobId: string, now: number, part: Part) =>
  ofJob(
    db,
    db
      .selectFrom('tasks')
      .select(['task_id', 'name', 'due_at', 'attempts', 'created_at', 'cause_id', 'last_error'])
      .select(stateAt(now).as('state')),
    [siteId, jobId],
    ['created_at', 'task_id'],
    part,
  ).execute()

export const deliveriesOfJob = (db: Db, siteId: string, jobId: string, part: Part) =>
  ofJob(
    db,
    db
      .selectFrom('deliveries')
      .select(['position', 'delivery_id', 'listener_id', 'event_type', 'request_ids', 'sequence', 'state'])
      .select(['created_at', 'next_attempt_at', 'cause_id']),
    [siteId, jobId],
    ['created_at', 'position'],
    part,
  ).execute()

/** No site: an attempt belongs to its delivery, whose job the caller has found in its site. */
export const attemptsOfJob = (db: Db, jobId: string, part: Part) =>
  pageAfter(
    db
      .selectFrom('attempts')
      .select(['attempts.position', 'number', 'attempted_at', 'duration_ms', 'response_code', 'error'])
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
    ['attempted_at', 'position', 'number'].map((column) => ({ column, descending: false })),
    part.after,
  )
    .limit(part.limit)
    .execute()
