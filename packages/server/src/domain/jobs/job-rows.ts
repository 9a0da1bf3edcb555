import { type Insertable, sql, type Updateable } from 'kysely'
import type { Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'
import { perForm, prepared } from '../../store/prepared.ts'
import type { JobRow, Tables } from '../../store/tables.ts'
import { isInto } from './work-rows.ts'

export type NewJobRow = Insertable<Tables['jobs']>
export type RowChange = Updateable<Tables['jobs']>
export type LabelRow = { name: string; value: string | null }

const insertRow = perForm((columns: readonly (keyof JobRow)[]) =>
  prepared<JobRow, unknown>((db, row) =>
    db
      .insertInto('jobs')
      .values(Object.fromEntries(columns.map((name) => [name, row[name]])) as NewJobRow),
  ),
)

export async function insertJob(db: Db, row: JobRow, labels: readonly LabelRow[]): Promise<void> {
  await insertRow(Object.keys(row) as (keyof JobRow)[])(db, row)
  await insertLabels(db, row.site_id, row.job_id, labels)
}

const oneJob = (db: Db, siteId: string, jobId: string) =>
  db.selectFrom('jobs').selectAll().where('site_id', '=', siteId).where('job_id', '=', jobId)

type OneJob = { siteId: string; jobId: string }
const selectOne = prepared<OneJob, JobRow>((db, { siteId, jobId }) => oneJob(db, siteId, jobId))
const selectVersionOfOne = prepared<OneJob, { version: number }>((db, { siteId, jobId }) =>
  db.selectFrom('jobs').select('version').where('site_id', '=', siteId).where('job_id', '=', jobId),
)

/** What decides which calls reach the job. */
export type JobState = Pick<JobRow, 'job_id' | 'status' | 'archive_status' | 'provider_id'>
const selectStateOfOne = prepared<OneJob, JobState>((db, { siteId, jobId }) =>
  db
    .selectFrom('jobs')
    .select(['job_id', 'status', 'archive_status', 'provider_id'])
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId),
)

export const selectState = async (
  db: Db,
  siteId: string,
  jobId: string,
): Promise<JobState | undefined> => (await selectStateOfOne(db, { siteId, jobId }))[0]

export const selectJob = async (
  db: Db,
  siteId: string,
  jobId: string,
): Promise<JobRow | undefined> => (await selectOne(db, { siteId, jobId }))[0]

export const selectVersion = async (
  db: Db,
  siteId: string,
  jobId: string,
): Promise<number | undefined> => (await selectVersionOfOne(db, { siteId, jobId }))[0]?.version

/** Locks the job until the transaction ends. */
export const selectJobLocked = (
  tx: Db,
  siteId: string,
  jobId: string,
): Promise<JobRow | undefined> => lock(tx, oneJob(tx, siteId, jobId)).executeTakeFirst()

/** The site is compared as an expression; otherwise SQLite would scan all jobs of the site. */
export function selectJobsById(
  db: Db,
  siteId: string,
  jobIds: readonly string[],
): Promise<JobRow[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('job_id', 'in', [...jobIds])
    .where(sql`site_id || ''`, '=', siteId)
    .execute()
}

export async function updateJob(
  db: Db,
  siteId: string,
  jobId: string,
  change: RowChange,
): Promise<JobRow> {
  return db
    .updateTable('jobs')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function replaceLabels(
  db: Db,
  siteId: string,
  jobId: string,
  labels: readonly LabelRow[],
): Promise<void> {
  await db
    .deleteFrom('job_labels')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .execute()
  await insertLabels(db, siteId, jobId, labels)
}

async function insertLabels(
  db: Db,
  siteId: string,
  jobId: string,
  labels: readonly LabelRow[],
): Promise<void> {
  if (labels.length === 0) return
  const rows = labels.map((label) => ({ site_id: siteId, job_id: jobId, ...label }))
  await db.insertInto('job_labels').values(rows).execute()
}

/** Deletes the job and everything in it. Tables not named here are covered by foreign keys. */
export async function removeJob(db: Db, siteId: string, jobId: string): Promise<void> {
  await db
    .deleteFrom('requests')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .execute()
  await db
    .deleteFrom('source_contents')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .execute()
  await db.deleteFrom('jobs').where('site_id', '=', siteId).where('job_id', '=', jobId).execute()
}

export type StatusCount = { job_id: string; status: string; total: number; with_errors: number }

/** Counts all requests, or those into these languages. */
export async function countRequests(
  db: Db,
  siteId: string,
  jobIds: readonly string[],
  languages?: readonly string[],
): Promise<StatusCount[]> {
  if (jobIds.length === 0) return []
  const counts = await db
    .selectFrom('requests')
    .select(['job_id', 'status'])
    .select((eb) => [eb.fn.countAll().as('total'), eb.fn.sum('has_error').as('with_errors')])
    .where('site_id', '=', siteId)
    .where('job_id', 'in', jobIds)
    .$if(languages !== undefined, (some) => some.where(isInto({ languages })))
    .groupBy(['job_id', 'status'])
    .execute()
  return counts.map((row) => ({
    ...row,
    total: Number(row.total),
    with_errors: Number(row.with_errors),
  }))
}

/** Active jobs that are due for archival. No site: upkeep over all sites. */
export function selectIdleJobs(
  db: Db,
  until: number,
  limit: number,
): Promise<{ site_id: string; job_id: string }[]> {
  return db
    .selectFrom('jobs')
    .select(['site_id', 'job_id'])
    .where('archive_status', '=', 'ACTIVE')
    .where('archival_at', '<=', until)
    .orderBy('archival_at')
    .limit(limit)
    .execute()
}

/** When the next active job is due for archival. No site: upkeep over all sites. */
export async function firstArchival(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select('archival_at')
    .where('archive_status', '=', 'ACTIVE')
    .orderBy('archival_at')
    .limit(1)
    .executeTakeFirst()
  return row?.archival_at
}

export type ArchivedJob = { site_id: string; job_id: string; archived_at: number | null }

/**
 * Jobs archived until then, those first that were archived first. No site: upkeep, or an operator,
 * over all sites.
 */
export function selectArchivedUntil(
  db: Db,
  siteId: string | undefined,
  until: number,
  limit: number,
): Promise<ArchivedJob[]> {
  const all = db
    .selectFrom('jobs')
    .select(['site_id', 'job_id', 'archived_at'])
    .where('archived_at', 'is not', null)
    .where('archived_at', '<=', until)
    .orderBy('archived_at')
    .orderBy('job_id')
    .limit(limit)
  return (siteId === undefined ? all : all.where('site_id', '=', siteId)).execute()
}

/** The bytes of all key-value content of the job, and of the metadata of everything in it. */
export async function sumContentBytes(db: Db, siteId: string, jobId: string): Promise<number> {
  const of = sql`where site_id = ${siteId} and job_id = ${jobId}`
  const { rows } = await sql<{ bytes: number | null }>`
    select cast(sum(bytes) as bigint) as bytes from (
      select bytes from source_contents ${of}
      union all select bytes from drafts ${of}
      union all select bytes from corrections ${of}
      union all select bytes from comments ${of}
      union all select octet_length(extended_metadata) from jobs ${of}
      union all select octet_length(extended_metadata) from requests ${of}
      union all select octet_length(extended_metadata) from support_assets ${of}
      union all select octet_length(extended_metadata) from tm_updates ${of}
    ) as kept`.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}
