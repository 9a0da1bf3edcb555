/** How a file is read: the format of each request, and what a job says of what is text. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const formats: Migration = {
  name: 'formats',
  breaking: false,
  up: (db, { text }) =>
    inOrder(db, [
      sql`alter table requests add column format ${text}`,
      sql`alter table jobs add column format_options ${text}`,
    ]),
}
