/**
 * Requests that take the place of older ones, what was carried over to them, and the hash of a
 * content as it was sent.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const newerSources: Migration = {
  name: 'newer-sources',
  // A node without it submits a job without cancelling what its requests supersede.
  breaking: false,
  up: (db, { text, keyedEnd }) =>
    inOrder(db, [
      sql`alter table requests add column supersedes ${text}`,
      sql`alter table requests add column superseded_by ${text}`,
      sql`alter table requests add column cancel_cause ${text}`,
      sql`alter table status_updates add column superseded_by ${text}`,
      sql`alter table source_contents add column sha256 ${text}`,
      sql`create index requests_native on requests (source_native_id)`,
      sql`create index requests_by_id on requests (request_id)`,
      sql`create index requests_superseding on requests (job_id) where supersedes is not null`,
      sql`create table carried (
        site_id ${text} not null,
        job_id ${text} not null,
        request_id ${text} not null,
        texts ${text} not null,
        primary key (job_id, request_id),
        foreign key (job_id, request_id) references requests (job_id, request_id) on delete cascade
      ) ${keyedEnd}`,
    ]),
}
