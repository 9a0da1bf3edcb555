/**
 * What happened is found by an index: calls and acts by each filter, newest first, and everything
 * of a job, oldest first. A filter that is not an id has two: for all sites and, led by the site,
 * for its admin. Some hold a condition that is always true: only a query that repeats it can use
 * them, which is how SQLite is kept from the wrong one. Every call writes a row, so the indexes of
 * errors and of unusual statuses leave most of them out.
 */
import { sql } from 'kysely'
import { type ColumnTypes, inOrder, type Migration } from './migration.ts'

export const logLists: Migration = {
  name: 'log-lists',
  // Rows of a node without it lack the job, and are not found by it.
  breaking: false,
  up: (db, types) => inOrder(db, [...columns(types), ...calls, ...acts, ...ofJob]),
}

/** Null in the rows of both chains so far: a hash does not cover columns that are null. */
const columns = ({ text }: ColumnTypes) => [
  sql`alter table calls add column job_id ${text}`,
  sql`alter table audit add column was ${text}`,
  sql`alter table audit add column is_now ${text}`,
  sql`alter table attempts add column job_id ${text}`,
  sql`update attempts set job_id = (select d.job_id from deliveries d where d.position = attempts.position)`,
]

const calls = [
  sql`create index calls_called on calls (called_at, call_id)`,
  sql`create index calls_trace on calls (trace_id, call_id)`,
  sql`create index calls_site on calls (site_id, called_at, call_id) where site_id <> ''`,
  sql`create index calls_client on calls (client_id, called_at, call_id) where client_id is not null`,
  sql`create index calls_job on calls (job_id, called_at, call_id) where job_id is not null`,
  sql`create index calls_route on calls (route, called_at, call_id) where route <> ''`,
  sql`create index calls_site_route on calls (site_id, route, called_at, call_id) where site_id is not null`,
  sql`create index calls_code on calls (error_code, called_at, call_id) where error_code <> ''`,
  sql`create index calls_site_code on calls (site_id, error_code, called_at, call_id) where error_code is not null`,
  sql`create index calls_status on calls (status, called_at, call_id) where status <> 200 and status >= 0`,
  sql`create index calls_site_status on calls (site_id, status, called_at, call_id) where status <> 200`,
]

const acts = [
  sql`create index audit_acted on audit (acted_at, audit_id)`,
  sql`create index audit_site on audit (site_id, acted_at, audit_id) where site_id <> ''`,
  sql`create index audit_client on audit (client_id, acted_at, audit_id) where client_id is not null`,
  sql`create index audit_thing_id on audit (thing_id, acted_at, audit_id)`,
  sql`create index audit_thing on audit (thing, acted_at, audit_id) where thing <> ''`,
  sql`create index audit_site_thing on audit (site_id, thing, acted_at, audit_id)`,
  sql`create index audit_verb on audit (verb, acted_at, audit_id) where verb <> ''`,
  sql`create index audit_site_verb on audit (site_id, verb, acted_at, audit_id)`,
]

const ofJob = [
  sql`drop index moves_job`,
  sql`create index moves_job on moves (job_id, moved_at, move_id)`,
  sql`create index status_updates_time on status_updates (job_id, updated_at, update_id)`,
  sql`create index attempts_job on attempts (job_id, attempted_at, position, number) where job_id is not null`,
  sql`create index files_created on files (job_id, created_at, file_id)`,
]
