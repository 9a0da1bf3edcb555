/**
 * A file may have several uploads at once: TUS partial uploads, which a final one joins. An upload
 * may learn its length later.
 */
import { sql } from 'kysely'
import { type ColumnTypes, inOrder, type Migration } from './migration.ts'

export const parallelUploads: Migration = {
  name: 'parallel-uploads',
  // A node that does not know it would take a partial upload for the whole file.
  breaking: true,
  up: (db, types) => inOrder(db, rebuilt(types)),
}

/** Built anew, because SQLite cannot drop the UNIQUE of a column. */
const rebuilt = ({ text, int, busyEnd }: ColumnTypes) => [
  sql`create table uploads_in_parts (
    upload_id ${text} primary key,
    file_id ${text} not null references files on delete cascade,
    site_id ${text} not null,
    blob_id ${text} not null unique,
    sealed ${int} not null default 0 check (sealed in (0, 1)),
    concat ${text},
    length ${int} not null,
    deferred ${int} not null default 0 check (deferred in (0, 1)),
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
  sql`insert into uploads_in_parts (upload_id, file_id, site_id, blob_id, sealed, length, received, progress, metadata,
      created_at, expires_at, writer, writer_until, wanted)
    select upload_id, file_id, site_id, blob_id, sealed, length, received, progress, metadata,
      created_at, expires_at, writer, writer_until, wanted from uploads`,
  sql`drop table uploads`,
  sql`alter table uploads_in_parts rename to uploads`,
  sql`create index uploads_file on uploads (file_id)`,
]
