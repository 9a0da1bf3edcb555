/** Content at rest can be sealed: the keys of sites and of what is sealed, and which files are. */
import { sql } from 'kysely'
import { type ColumnTypes, inOrder, type Migration } from './migration.ts'

export const sealedContent: Migration = {
  name: 'sealed-content',
  // A node that does not know it would give out sealed bytes as they lie.
  breaking: true,
  up: (db, types) => inOrder(db, tables(types)),
}

const tables = ({ text, int, end, keyedEnd }: ColumnTypes) => [
  sql`create table site_keys (
    site_id ${text} not null,
    version ${int} not null,
    sealed_key ${text} not null,
    created_at ${int} not null,
    primary key (site_id, version)
  ) ${keyedEnd}`,
  sql`create table content_keys (
    key_of ${text} primary key,
    site_id ${text} not null,
    job_id ${text} not null references jobs on delete cascade,
    site_key ${int} not null,
    sealed_key ${text} not null
  ) ${end}`,
  sql`create index content_keys_job on content_keys (job_id)`,
  sql`create index content_keys_site on content_keys (site_id, site_key)`,
  sql`alter table files add column sealed ${int} not null default 0 check (sealed in (0, 1))`,
  sql`alter table uploads add column sealed ${int} not null default 0 check (sealed in (0, 1))`,
]
