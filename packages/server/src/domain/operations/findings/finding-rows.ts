/**
 * SQL of the rules about tasks, listeners, jobs and clients. Each reads the oldest few from a
 * partial index that holds only what may become a finding. No site: without one, an operator sees
 * all sites.
 */

import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import type { Tables } from '../../../store/tables.ts'
import { withoutIndex } from '../../../store/without-index.ts'
import type { Look } from './finder.ts'

/** More than this many are not counted. */
const maxCounted = 10_000

/**
 * The columns that name the site and the thing of a row, and those that the oldest are found by.
 */
type Columns = { readonly site?: string; readonly thing: string; readonly order: readonly string[] }

/**
 * The first rows of what is looked for, and how many more there are, as far as they are counted.
 */
async function some<T extends keyof Tables, Row>(
  { db, siteId, thingId, limit }: Look,
  { site = 'site_id', thing, order }: Columns,
  query: SelectQueryBuilder<Tables, T, Row>,
): Promise<{ readonly rows: Row[]; readonly more: number }> {
  const wanted = query
    .$if(siteId !== undefined, (all) =>
      all.where(sql<SqlBool>`${withoutIndex(db, site)} = ${siteId}`),
    )
    .$if(thingId !== undefined, (all) =>
      all.where(sql<SqlBool>`${sql.ref(thing)} = ${thingId}`),
    ) as typeof query
  const ordered = order.reduce((all, column) => all.orderBy(sql.ref(column)), wanted)
  const rows = await ordered.limit(limit + 1).execute()
  if (rows.length <= limit) return { rows: rows as Row[], more: 0 }
  const counted = wanted
    .clearSelect()
    .select(sql.lit(1).as('one'))
    .limit(maxCounted + limit)
  const { many } = await db
    .selectFrom(counted.as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('many'))
    .executeTakeFirstOrThrow()
  return { rows: rows.slice(0, limit) as Row[], more: Number(many) - limit }
}

export const parkedTasks = (look: Look) =>
  some(
    look,
    { thing: 'task_id', order: ['due_at', 'task_id'] },
    look.db
      .selectFrom('tasks')
      .select(['task_id', 'site_id', 'name', 'attempts', 'last_error', 'due_at'])
      .where(sql<SqlBool>`parked = 1`),
  )

/** Tasks of one name whose last try failed and that are retried, oldest first. */
export const failingTasks = (
  { db, siteId }: Pick<Look, 'db' | 'siteId'>,
  name: string,
  many: number,
) =>
  db
    .selectFrom('tasks')
    .select(['task_id', 'name', 'site_id', 'key', 'payload', 'created_at', 'due_at', 'last_error'])
    .where(sql<SqlBool>`parked = 0 and last_error is not null`)
    .where('name', '=', name)
    .$if(siteId !== undefined, (query) =>
      query.where(withoutIndex<string>(db, 'site_id'), '=', siteId ?? ''),
    )
    .orderBy('task_id')
    .limit(many)
    .execute()

/** Enabled listeners with parked deliveries. */
export const listenersWithParked = (look: Look) =>
  some(
    look,
    { thing: 'listener_id', order: ['listener_id'] },
    look.db
      .selectFrom('listeners')
      .select(['listener_id', 'site_id', 'client_id'])
      .where('disabled', '=', 0)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('deliveries')
            .select('position')
            .whereRef('deliveries.listener_id', '=', 'listeners.listener_id')
            .where(sql<SqlBool>`deliveries.state = 'PARKED'`),
        ),
      ),
  )

/**
 * The parked deliveries of a listener: how many, as far as they are counted, and the time of the
 * oldest.
 */
export async function measureParked(
  db: Db,
  siteId: string,
  listenerId: string,
): Promise<{ count: number; since: number }> {
  const parked = db
    .selectFrom('deliveries')
    .select('created_at')
    .where(withoutIndex<string>(db, 'site_id'), '=', siteId)
    .where('listener_id', '=', listenerId)
    .where(sql<SqlBool>`state = 'PARKED'`)
    .orderBy('created_at')
    .limit(maxCounted)
  const row = await db
    .selectFrom(parked.as('parked'))
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min<number | null>('created_at').as('since'),
    ])
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), since: Number(row.since ?? 0) }
}

/** Listeners that have failed since before that time; those that the hub disabled have a reason. */
export const failingListeners = (
  look: Look,
  { disabled, before }: { disabled: 0 | 1; before: number },
) =>
  some(
    look,
    { thing: 'listener_id', order: ['failing_since', 'site_id', 'listener_id'] },
    look.db
      .selectFrom('listeners')
      .select(['listener_id', 'site_id', 'client_id', 'failing_since', 'disabled_reason'])
      .where(sql<SqlBool>`failing_since is not null`)
      .where('failing_since', '<=', before)
      .where('disabled', '=', disabled)
      .$narrowType<{ failing_since: number }>(),
  )

/** Jobs that are SENDING since before that time. */
export const sendingJobs = (look: Look, before: number) =>
  some(
    look,
    { thing: 'job_id', order: ['submitted_at', 'site_id', 'job_id'] },
    look.db
      .selectFrom('jobs')
      .select(['job_id', 'site_id', 'submitted_at'])
      .where(sql<SqlBool>`archived = 0 and status = 'SENDING'`)
      .where('submitted_at', '<=', before)
      .$narrowType<{ submitted_at: number }>(),
  )

/**
 * Jobs that a provider of one of these types has had since before that time, neither acknowledged
 * nor started.
 */
export const unacknowledgedJobs = (look: Look, typeIds: readonly string[], before: number) =>
  some(
    look,
    {
      site: 'jobs.site_id',
      thing: 'jobs.job_id',
      order: ['jobs.submitted_at', 'jobs.site_id', 'jobs.job_id'],
    },
    look.db
      .selectFrom('jobs')
      .innerJoin('providers', 'providers.provider_id', 'jobs.provider_id')
      .select(['jobs.job_id', 'jobs.site_id', 'jobs.submitted_at', 'jobs.provider_id'])
      .where(
        sql<SqlBool>`jobs.archived = 0 and jobs.status = 'SENT_TO_PROVIDER' and jobs.acknowledged = 0`,
      )
      .where('jobs.submitted_at', '<=', before)
      .where('providers.type_id', 'in', [...typeIds])
      .$narrowType<{ submitted_at: number; provider_id: string }>(),
  )

/** Jobs with a provider that are past their due date, without any change since before that time. */
export const overdueJobs = (look: Look, now: number, quietSince: number) =>
  some(
    look,
    { thing: 'job_id', order: ['due_at', 'site_id', 'job_id'] },
    look.db
      .selectFrom('jobs')
      .select(['job_id', 'site_id', 'due_at', 'activity_at', 'status'])
      .where(
        sql<SqlBool>`archived = 0 and due_at is not null and status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION')`,
      )
      .where('due_at', '<=', now)
      .where('activity_at', '<=', quietSince)
      .$narrowType<{ due_at: number }>(),
  )

/** Questions of before that time without an answer, at jobs that go on. */
export const openQuestions = (look: Look, before: number) =>
  some(
    look,
    {
      site: 'comments.site_id',
      thing: 'comments.job_id',
      order: ['comments.created_at', 'comments.site_id', 'comments.comment_id'],
    },
    look.db
      .selectFrom('comments')
      .innerJoin('jobs', (join) =>
        join
          .onRef('jobs.job_id', '=', 'comments.job_id')
          .onRef('jobs.site_id', '=', 'comments.site_id'),
      )
      .select(['comments.comment_id', 'comments.job_id', 'comments.site_id'])
      .select(['comments.created_at', 'comments.addressee'])
      .where(sql<SqlBool>`comments.kind = 'QUESTION' and comments.answered_at is null`)
      .where('comments.created_at', '<=', before)
      .where('jobs.archived', '=', 0)
      .where('jobs.status', 'not in', ['COMPLETED', 'CANCELLED']),
  )

/** Enabled clients with a secret that ends before that time and has not ended yet. */
export const endingSecrets = (look: Look, now: number, before: number) =>
  some(
    look,
    {
      site: 'clients.site_id',
      thing: 'client_secrets.secret_id',
      order: ['client_secrets.expires_at', 'client_secrets.client_id'],
    },
    look.db
      .selectFrom('client_secrets')
      .innerJoin('clients', 'clients.client_id', 'client_secrets.client_id')
      .select([
        'clients.client_id',
        'clients.site_id',
        'client_secrets.secret_id',
        'client_secrets.expires_at',
      ])
      .where(sql<SqlBool>`client_secrets.expires_at is not null`)
      .where('client_secrets.expires_at', '>', now)
      .where('client_secrets.expires_at', '<=', before)
      .where('clients.disabled_at', 'is', null)
      .$narrowType<{ expires_at: number }>(),
  )
