/**
 * The memory of a site: units of each pair of languages and the pieces they are found by; what
 * became of TM updates; quotes.
 */
import { sql } from 'kysely'
import { type ColumnTypes, inOrder, type Migration } from './migration.ts'

export const memory: Migration = {
  name: 'memory',
  breaking: false,
  up: (db, types) => inOrder(db, tables(types)),
}

const tables = ({ text, int, id, end, keyedEnd }: ColumnTypes) => [
  sql`create table memories (
    memory_id ${id},
    site_id ${text} not null,
    source_language ${text} not null,
    target_language ${text} not null,
    last_unit ${int} not null
  ) ${end}`,
  sql`create unique index memories_pair on memories (site_id, source_language, target_language)`,
  sql`create table memory_units (
    memory_id ${int} not null,
    unit_id ${int} not null,
    source_hash ${text} not null,
    source ${text} not null,
    target ${text} not null,
    context ${text},
    origin ${text} not null,
    changed_at ${int} not null,
    primary key (memory_id, unit_id)
  ) ${keyedEnd}`,
  sql`create unique index memory_units_source on memory_units (memory_id, source_hash)`,
  sql`create table memory_postings (
    memory_id ${int} not null,
    piece ${int} not null,
    unit_id ${int} not null,
    signature ${int} not null,
    primary key (memory_id, piece, unit_id)
  ) ${keyedEnd}`,
  sql`alter table tm_updates add column import_status ${text}`,
  sql`alter table tm_updates add column import_error ${text}`,
  sql`alter table tm_updates add column units_read ${int} not null default 0`,
  sql`alter table tm_updates add column units_added ${int} not null default 0`,
  sql`alter table tm_updates add column units_changed ${int} not null default 0`,
  sql`alter table tm_updates add column units_skipped ${int} not null default 0`,
  sql`create table job_quotes (
    job_id ${text} primary key references jobs on delete cascade,
    site_id ${text} not null,
    quote ${text} not null,
    quoted_at ${int} not null,
    cause_id ${text} not null
  ) ${end}`,
]
