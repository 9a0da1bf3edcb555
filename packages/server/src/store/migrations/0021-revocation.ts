/** Tokens and signing keys that were revoked before they expired. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const revocation: Migration = {
  name: 'revocation',
  // A node that does not know it would accept revoked tokens.
  breaking: true,
  up: (db, { text, int, end }) =>
    inOrder(db, [
      sql`create table revoked (
        name ${text} primary key,
        revoked_at ${int} not null,
        expires_at ${int} not null
      ) ${end}`,
      sql`create index revoked_since on revoked (revoked_at)`,
      sql`create index revoked_expiry on revoked (expires_at)`,
    ]),
}
