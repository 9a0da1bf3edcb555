/** How fast a client may call, and from where: each where it is not as usual. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const clientLimits: Migration = {
  name: 'client-limits',
  // A node that does not know it would let a client in from anywhere.
  breaking: true,
  up: (db, { int, text }) =>
    inOrder(db, [
      sql`alter table clients add column rate_limit ${int}`,
      sql`alter table clients add column allow_from ${text}`,
    ]),
}
