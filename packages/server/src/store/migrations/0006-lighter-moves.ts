/**
 * The round writes less: requests that move together are one line of the history; what changes with every move, and what
 * nobody asks by, is in no index. On PostgreSQL a move then finds room beside the row it replaces.
 */
import { sql } from 'kysely'
import { inOrder, type Migration, postgresTypes } from './migration.ts'

export const lighterMoves: Migration = {
  name: 'lighter-moves',
  breaking: true,
  up: async (db, types) => {
    await inOrder(db, [
      sql`drop index requests_status`,
      sql`drop index requests_content`,
      sql`alter table moves add column request_ids ${types.text}`,
      // Ids of ours are letters, digits, hyphens and underscores.
      sql`update moves set request_ids = '["' || request_id || '"]' where request_id is not null`,
      sql`alter table moves drop column request_id`,
    ])
    if (types === postgresTypes) await sql`alter table requests set (fillfactor = 70)`.execute(db)
  },
}
