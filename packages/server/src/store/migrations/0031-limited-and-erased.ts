/**
 * Roles of people that are limited to providers and languages: JSON lists, null without a limit.
 * And rows of the logs whose content the hub erased, with a proof: null in all others, and a hash
 * does not cover columns that are null.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const limitedAndErased: Migration = {
  name: 'limited-and-erased',
  // A node that does not know it would show a translator the whole site, and report erased rows as
  // changed.
  breaking: true,
  up: (db, { text }) =>
    inOrder(db, [
      sql`alter table person_roles add column providers ${text}`,
      sql`alter table person_roles add column languages ${text}`,
      sql`alter table calls add column erased ${text}`,
      sql`alter table audit add column erased ${text}`,
    ]),
}
