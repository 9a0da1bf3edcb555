/** A site has a time zone, in which days end. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const siteTimeZone: Migration = {
  name: 'site-time-zone',
  // A node without it takes a date for its midnight in UTC, as before.
  breaking: false,
  up: (db, { text }) => inOrder(db, [sql`alter table sites add column time_zone ${text}`]),
}
