/**
 * Several accounts may have one address: a site's admin who adds an address must not learn that
 * another site has it. The empty account is the first; a further one is named after the site whose
 * admin added it.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const accountsOfSites: Migration = {
  name: 'accounts-of-sites',
  // A node that does not know it signs in the first account of an address only.
  breaking: false,
  up: (db, { text }) =>
    inOrder(db, [
      sql`alter table people add column account ${text} not null default ''`,
      sql`drop index people_email`,
      sql`create unique index people_email on people (email, account) where email is not null`,
    ]),
}
