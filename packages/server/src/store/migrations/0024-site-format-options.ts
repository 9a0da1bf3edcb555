/** A site says what is text in its files, for jobs that do not say it themselves. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const siteFormatOptions: Migration = {
  name: 'site-format-options',
  breaking: false,
  up: (db, { text }) => inOrder(db, [sql`alter table sites add column format_options ${text}`]),
}
