/**
 * SQL of the reports. Each statement reads a bounded part from an index and begins after the last
 * row of the part before.
 */
import type { Db } from '../../../store/database.ts'
import type { PageBounds } from '../../../store/filtered-page.ts'
import { ascending, pageAfter } from '../../../store/page.ts'
import { withoutIndex } from '../../../store/without-index.ts'

/** The first moment is included, the last is excluded. */
export type Span = { readonly from: number; readonly to: number }

const ofJob = [
  'job_id',
  'provider_id',
  'status',
  'archived',
  'submitted_at',
  'modified_at',
  'due_at',
] as const

/** Jobs by the time of their submission. */
export function selectSubmitted(
  db: Db,
  siteId: string,
  { from, to }: Span,
  { after, limit }: PageBounds,
) {
  const jobs = db
    .selectFrom('jobs')
    .select(ofJob)
    .where('site_id', '=', siteId)
    .where('submitted_at', 'is not', null)
    .where('submitted_at', '>=', from)
    .where('submitted_at', '<', to)
  return pageAfter(jobs, ascending('submitted_at', 'job_id'), after).limit(limit).execute()
}

/** Jobs by their due date: archived ones, or the others. */
export function selectDue(
  db: Db,
  siteId: string,
  { archived, from, to }: Span & { readonly archived: number },
  { after, limit }: PageBounds,
) {
  const jobs = db
    .selectFrom('jobs')
    .select(ofJob)
    .where('site_id', '=', siteId)
    .where('archived', '=', archived)
    .where('due_at', '>=', from)
    .where('due_at', '<', to)
    .where('submitted_at', 'is not', null)
  return pageAfter(jobs, ascending('due_at', 'job_id'), after).limit(limit).execute()
}

export function selectMoves(
  db: Db,
  siteId: string,
  jobIds: readonly string[],
  { after, limit }: PageBounds,
) {
  const moves = db
    .selectFrom('moves')
    .select(['move_id', 'job_id', 'request_ids', 'move', 'from_status', 'to_status', 'moved_at'])
    .where('job_id', 'in', jobIds)
    .where(withoutIndex<string>(db, 'site_id'), '=', siteId)
  return pageAfter(moves, ascending('job_id', 'moved_at', 'move_id'), after)
    .limit(limit)
    .execute()
}

export function selectRequests(
  db: Db,
  siteId: string,
  jobIds: readonly string[],
  { after, limit }: PageBounds,
) {
  const requests = db
    .selectFrom('requests')
    .select(['request_id', 'job_id', 'position', 'target_language', 'word_count'])
    .where('job_id', 'in', jobIds)
    .where(withoutIndex<string>(db, 'site_id'), '=', siteId)
  return pageAfter(requests, ascending('job_id', 'position'), after).limit(limit).execute()
}

export const selectQuotes = (db: Db, siteId: string, jobIds: readonly string[]) =>
  db
    .selectFrom('job_quotes')
    .select(['job_id', 'quote'])
    .where('job_id', 'in', jobIds)
    .where(withoutIndex<string>(db, 'site_id'), '=', siteId)
    .execute()

/** The codes of jobs on one level; a submitted job has at most one. */
export const selectCodes = (db: Db, siteId: string, level: number, jobIds: readonly string[]) =>
  db
    .selectFrom('job_codes')
    .select(['job_id', 'code_id'])
    .where('job_id', 'in', jobIds)
    .where('level', '=', level)
    .where(withoutIndex<string>(db, 'site_id'), '=', siteId)
    .execute()

export const selectProviderNames = (db: Db, siteId: string, ids: readonly string[]) =>
  db
    .selectFrom('providers')
    .select(['provider_id as id', 'name'])
    .where('site_id', '=', siteId)
    .where('provider_id', 'in', ids)
    .execute()

export const selectCodeNames = (db: Db, siteId: string, ids: readonly string[]) =>
  db
    .selectFrom('analysis_codes')
    .select(['code_id as id', 'code', 'label'])
    .where('site_id', '=', siteId)
    .where('code_id', 'in', ids)
    .execute()

export const selectJobNames = (db: Db, siteId: string, ids: readonly string[]) =>
  db
    .selectFrom('jobs')
    .select(['job_id as id', 'job_name as name'])
    .where('job_id', 'in', ids)
    .where(withoutIndex<string>(db, 'site_id'), '=', siteId)
    .execute()

/** What engines cost by day: the rows of all jobs together (`*`), or those of each job. */
export function selectEngineUsage(
  db: Db,
  siteId: string,
  { from, to, ofJobs }: Span & { readonly ofJobs: boolean },
  { after, limit }: PageBounds,
) {
  const usage = db
    .selectFrom('engine_usage')
    .select(['day', 'provider_id', 'job_id', 'unit', 'estimated', 'billed', 'saved', 'requests'])
    .where('site_id', '=', siteId)
    .where('day', '>=', from)
    .where('day', '<', to)
    .where('job_id', ofJobs ? '!=' : '=', '*')
  return pageAfter(usage, ascending('day', 'provider_id', 'job_id', 'unit'), after)
    .limit(limit)
    .execute()
}
