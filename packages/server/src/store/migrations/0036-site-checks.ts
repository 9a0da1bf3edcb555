/** A site says which checks of translations block, warn or do not run. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const siteChecks: Migration = {
  name: 'site-checks',
  // A node without it checks nothing.
  breaking: false,
  up: (db, { text }) => inOrder(db, [sql`alter table sites add column check_settings ${text}`]),
}
