/**
 * The round writes less. Requests and contents are keyed by their job first: those of one call lie together in every index,
 * however many others there are, where random ids alone would touch a page each. Requests that move together are one line
 * of the history; what changes with every move, and what nobody asks by, is in no index. That their job exists is known
 * before they are written, under its lock: no row of theirs asks for it again.
 */
import { requestStatuses } from '@dragoman/contract'
import { sql } from 'kysely'
import { type ColumnTypes, inOrder, listed, type Migration } from './migration.ts'

export const lighterMoves: Migration = {
  name: 'lighter-moves',
  breaking: true,
  up: (db, types) => inOrder(db, [...requests(types), ...contents(types), ...moves(types)]),
}

const requests = ({ text, int, busyEnd }: ColumnTypes) => [
  sql`create table requests_by_job (
    request_id ${text} not null,
    site_id ${text} not null,
    job_id ${text} not null,
    position ${int} not null,
    request_name ${text} not null,
    status ${text} not null check (status in (${listed(requestStatuses)})),
    has_error ${int} not null check (has_error in (0, 1)),
    error_message ${text},
    source_native_id ${text} not null,
    source_language ${text} not null,
    target_native_id ${text},
    target_language ${text} not null,
    created_at ${int} not null,
    modified_at ${int} not null,
    word_count ${int},
    file_id ${text},
    content_id ${text},
    provider_reference ${text},
    reject_note ${text},
    extended_metadata ${text},
    cause_id ${text} not null,
    translation_file_id ${text},
    translation_content_id ${text},
    incoming_file_id ${text},
    incoming_content_id ${text},
    primary key (job_id, request_id)
  ) ${busyEnd}`,
  // The columns stand in the order in which they came to be.
  sql`insert into requests_by_job select * from requests`,
  sql`drop table requests`,
  sql`alter table requests_by_job rename to requests`,
  sql`create unique index requests_position on requests (job_id, position)`,
  sql`create index requests_file on requests (file_id) where file_id is not null`,
]

const contents = ({ text, int, end }: ColumnTypes) => [
  sql`create table contents_by_job (
    content_id ${text} not null,
    site_id ${text} not null,
    job_id ${text} not null,
    fields ${text} not null,
    bytes ${int} not null,
    created_at ${int} not null,
    modified_at ${int} not null,
    primary key (job_id, content_id)
  ) ${end}`,
  sql`insert into contents_by_job select * from source_contents`,
  sql`drop table source_contents`,
  sql`alter table contents_by_job rename to source_contents`,
]

const moves = ({ text }: ColumnTypes) => [
  sql`alter table moves add column request_ids ${text}`,
  // Ids of ours are letters, digits, hyphens and underscores.
  sql`update moves set request_ids = '["' || request_id || '"]' where request_id is not null`,
  sql`alter table moves drop column request_id`,
]
