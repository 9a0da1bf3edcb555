/**
 * Units of the memory can be found by their translation: a fuzzy match that was confirmed as it was
 * offered is a finding.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const memoryTargets: Migration = {
  name: 'memory-targets',
  breaking: false,
  up: (db) =>
    inOrder(db, [
      // Whole texts may be longer than an entry of an index.
      sql`create index memory_units_target on memory_units (memory_id, (substr(target, 1, 32)), (length(target)))`,
    ]),
}
