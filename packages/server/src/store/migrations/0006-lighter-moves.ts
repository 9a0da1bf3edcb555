/**
 * The round writes less. Requests and contents are keyed by their job first: those of one call lie
 * together in every index, however many others there are, where random ids alone would touch a page
 * each. Requests that move together are one line of the history; what changes with every move, and
 * what nobody asks by, is in no index.
 */
import { requestStatuses } from '@dragoman/contract'
import { type RawBuilder, sql } from 'kysely'
import { type ColumnTypes, inOrder, listed, type Migration } from './migration.ts'

type Sql = RawBuilder<unknown>

export const lighterMoves: Migration = {
  name: 'lighter-moves',
  breaking: true,
  up: (db, types) => {
    const requests = requestsAnew(types, sql`requests_by_job`, ofJob)
    return inOrder(db, [
      ...requests,
      ...contentsAnew(types, sql`contents_by_job`, ofJob),
      ...moves(types),
    ])
  },
}

const ofJob = sql` references jobs on delete cascade`

/** The table once more, with `ofJob` behind the column of the job. */
export const requestsAnew = ({ text, int, busyEnd }: ColumnTypes, name: Sql, ofJob: Sql) => [
  sql`create table ${name} (
    request_id ${text} not null,
    site_id ${text} not null,
    job_id ${text} not null${ofJob},
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
  sql`insert into ${name} select * from requests`,
  sql`drop table requests`,
  sql`alter table ${name} rename to requests`,
  sql`create unique index requests_position on requests (job_id, position)`,
  sql`create index requests_file on requests (file_id) where file_id is not null`,
]

export const contentsAnew = ({ text, int, end }: ColumnTypes, name: Sql, ofJob: Sql) => [
  sql`create table ${name} (
    content_id ${text} not null,
    site_id ${text} not null,
    job_id ${text} not null${ofJob},
    fields ${text} not null,
    bytes ${int} not null,
    created_at ${int} not null,
    modified_at ${int} not null,
    primary key (job_id, content_id)
  ) ${end}`,
  sql`insert into ${name} select * from source_contents`,
  sql`drop table source_contents`,
  sql`alter table ${name} rename to source_contents`,
]

const moves = ({ text }: ColumnTypes) => [
  sql`alter table moves add column request_ids ${text}`,
  // Ids of ours are letters, digits, hyphens and underscores.
  sql`update moves set request_ids = '["' || request_id || '"]' where request_id is not null`,
  sql`alter table moves drop column request_id`,
]
