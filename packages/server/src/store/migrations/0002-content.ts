/**
 * What a connector moves in and out: files and their uploads, key-value content, support assets, TM
 * updates.
 */
import { sql } from 'kysely'
import { type ColumnTypes, inOrder, type Migration } from './migration.ts'

export const content: Migration = {
  name: 'content',
  breaking: true,
  up: (db, types) => inOrder(db, tables(types)),
}

const tables = ({ text, int, end, busyEnd }: ColumnTypes) => [
  sql`create table files (
    file_id ${text} primary key,
    site_id ${text} not null,
    job_id ${text} not null references jobs on delete cascade,
    name ${text} not null,
    content_type ${text} not null,
    state ${text} not null check (state in ('expected', 'stored')),
    kind ${text} not null check (kind in ('source', 'translation')),
    client_id ${text} not null,
    holds_bytes ${int} not null check (holds_bytes in (0, 1)),
    blob_id ${text} unique,
    size ${int},
    sha256 ${text},
    created_at ${int} not null,
    expires_at ${int},
    cause_id ${text} not null,
    check (state = 'expected' or (blob_id is not null and size is not null and sha256 is not null))
  ) ${end}`,
  sql`create index files_job on files (job_id, holds_bytes)`,
  sql`create index files_expiry on files (expires_at) where expires_at is not null`,
  sql`create table uploads (
    upload_id ${text} primary key,
    file_id ${text} not null unique references files on delete cascade,
    site_id ${text} not null,
    blob_id ${text} not null unique,
    length ${int} not null,
    received ${int} not null,
    progress ${text} not null,
    metadata ${text} not null,
    created_at ${int} not null,
    expires_at ${int} not null,
    writer ${text},
    writer_until ${int},
    wanted ${int} not null default 0,
    check (received <= length)
  ) ${busyEnd}`,
  sql`create table source_contents (
    content_id ${text} primary key,
    site_id ${text} not null,
    job_id ${text} not null references jobs on delete cascade,
    fields ${text} not null,
    bytes ${int} not null,
    created_at ${int} not null,
    modified_at ${int} not null
  ) ${end}`,
  sql`create index source_contents_job on source_contents (job_id)`,
  sql`create table support_assets (
    asset_id ${text} primary key,
    site_id ${text} not null,
    job_id ${text} not null references jobs on delete cascade,
    position ${int} not null,
    file_id ${text} not null references files,
    description ${text},
    source_native_ids ${text},
    source_language ${text},
    target_languages ${text},
    extended_metadata ${text},
    created_at ${int} not null,
    cause_id ${text} not null
  ) ${end}`,
  sql`create unique index support_assets_job on support_assets (job_id, position)`,
  sql`create index support_assets_file on support_assets (file_id)`,
  sql`create table tm_updates (
    tmupdate_id ${text} primary key,
    site_id ${text} not null,
    job_id ${text} not null references jobs on delete cascade,
    position ${int} not null,
    file_id ${text} not null references files,
    source_language ${text} not null,
    target_language ${text} not null,
    extended_metadata ${text},
    created_at ${int} not null,
    cause_id ${text} not null
  ) ${end}`,
  sql`create unique index tm_updates_job on tm_updates (job_id, position)`,
  sql`create index tm_updates_file on tm_updates (file_id)`,
  sql`create index requests_file on requests (file_id) where file_id is not null`,
  sql`create index requests_content on requests (content_id) where content_id is not null`,
]
