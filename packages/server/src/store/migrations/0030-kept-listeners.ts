/**
 * How a client names the type of a listener's signature; a deleted listener stays for its
 * deliveries.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const keptListeners: Migration = {
  name: 'kept-listeners',
  // A node that does not know it would list deleted listeners.
  breaking: true,
  up: (db, { text, int }) =>
    inOrder(db, [
      sql`alter table listeners add column auth_name ${text}`,
      sql`alter table listeners add column deleted_at ${int}`,
      sql`create index listeners_deleted on listeners (deleted_at, listener_id) where deleted_at is not null`,
    ]),
}
