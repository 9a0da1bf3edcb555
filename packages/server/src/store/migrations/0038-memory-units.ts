/**
 * Units of the memory can be changed by hand, by their version; TMX files can be imported without a
 * job.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const memoryUnits: Migration = {
  name: 'memory-units',
  // A node that does not know it leaves the version of a unit as it was when an import changes the
  // translation.
  breaking: true,
  up: (db, { text, int, end }) =>
    inOrder(db, [
      sql`alter table memory_units add column version ${int} not null default 1`,
      sql`alter table memory_units add column changed_by ${text}`,
      sql`create table memory_imports (
        import_id ${text} primary key,
        site_id ${text} not null,
        source_language ${text},
        target_language ${text},
        state ${text} not null check (state in ('QUEUED', 'RUNNING', 'DONE', 'FAILED')),
        error ${text},
        file_id ${text},
        blob_id ${text},
        size ${int},
        blob_key ${text},
        units_read ${int} not null default 0,
        units_added ${int} not null default 0,
        units_changed ${int} not null default 0,
        units_skipped ${int} not null default 0,
        units_total ${int},
        created_at ${int} not null,
        cause_id ${text} not null
      ) ${end}`,
      sql`create index memory_imports_site on memory_imports (site_id)`,
      sql`create index memory_imports_blob on memory_imports (blob_id) where blob_id is not null`,
    ]),
}
