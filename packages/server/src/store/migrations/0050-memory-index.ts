/**
 * The postings of imported units are written some time after the units, in the order of their
 * table.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const memoryIndex: Migration = {
  name: 'memory-index',
  // A node that does not know it removes postings without telling the node that writes some.
  breaking: true,
  up: (db, { int }) => inOrder(db, [sql`alter table memories add column indexed_unit ${int}`]),
}
