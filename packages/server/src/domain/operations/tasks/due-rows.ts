/**
 * SQL of what falls due next, each read from its own index. No site: the clock of the sandbox is
 * that of all sites.
 */

import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { lanes } from '../../../store/tasks/lanes.ts'

/** After `after`, up to `until`, the earliest first. */
export type Span = { readonly after: number; readonly until: number; readonly limit: number }

export type DueTask = {
  readonly task_id: number
  readonly name: string
  readonly site_id: string | null
  readonly job_id: string | null
  readonly key: string | null
  readonly due_at: number
  readonly attempts: number
}

/** No site: see above. */
export async function tasksDue(db: Db, { after, until, limit }: Span): Promise<DueTask[]> {
  const found: DueTask[] = []
  for (const lane of Object.values(lanes))
    found.push(
      ...(await db
        .selectFrom('tasks')
        .select(['task_id', 'name', 'site_id', 'job_id', 'key', 'due_at', 'attempts'])
        .where(sql<SqlBool>`parked = 0 and lane = ${sql.lit(lane)}`)
        .where('due_at', '>', after)
        .where('due_at', '<=', until)
        .orderBy('due_at')
        .orderBy('task_id')
        .limit(limit)
        .execute()),
    )
  return found.sort((a, b) => a.due_at - b.due_at || a.task_id - b.task_id).slice(0, limit)
}

export type DueJob = {
  readonly job_id: string
  readonly site_id: string
  readonly job_name: string
  readonly at: number
}

/** Open jobs by their due date. No site: see above. */
export function jobsDue(db: Db, { after, until, limit }: Span): Promise<DueJob[]> {
  return db
    .selectFrom('jobs')
    .select(['job_id', 'site_id', 'job_name', 'due_at as at'])
    .where(
      sql<SqlBool>`archived = 0 and due_at is not null and status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION')`,
    )
    .where('due_at', '>', after)
    .where('due_at', '<=', until)
    .$narrowType<{ at: number }>()
    .orderBy('due_at')
    .limit(limit)
    .execute()
}

/** Active jobs by the time they are archived. No site: see above. */
export function jobsToArchive(db: Db, { after, until, limit }: Span): Promise<DueJob[]> {
  return db
    .selectFrom('jobs')
    .select(['job_id', 'site_id', 'job_name', 'archival_at as at'])
    .where('archive_status', '=', 'ACTIVE')
    .where('archival_at', '>', after)
    .where('archival_at', '<=', until)
    .orderBy('archival_at')
    .limit(limit)
    .execute()
}

/** Old secrets that stop working. */
export function secretsEnding(
  db: Db,
  { after, until, limit }: Span,
): Promise<{ client_id: string; at: number }[]> {
  return db
    .selectFrom('client_secrets')
    .select(['client_id', 'expires_at as at'])
    .where('expires_at', 'is not', null)
    .where('expires_at', '>', after)
    .where('expires_at', '<=', until)
    .$narrowType<{ at: number }>()
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}

/** The delivery that a queue of a listener sends next. No site: both ids are unique in the hub. */
export function nextDelivery(
  db: Db,
  listenerId: string,
  jobId: string,
): Promise<{ delivery_id: string; sequence: number | null; attempts: number } | undefined> {
  return db
    .selectFrom('deliveries')
    .select(['delivery_id', 'sequence', 'attempts'])
    .where('listener_id', '=', listenerId)
    .where('job_id', '=', jobId)
    .where('state', '<>', 'DELIVERED')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
}
