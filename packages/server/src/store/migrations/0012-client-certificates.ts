/** The certificates by which a client proves itself. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const clientCertificates: Migration = {
  name: 'client-certificates',
  // A node that does not know it would let a client in without its certificate.
  breaking: true,
  up: (db, { text }) => inOrder(db, [sql`alter table clients add column certificates ${text}`]),
}
