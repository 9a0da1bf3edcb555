/**
 * What a person should know of a translation: what differs from its source, who insisted on it, why
 * it is not there yet.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const deliveryFacts: Migration = {
  name: 'delivery-facts',
  breaking: false,
  up: (db, { text, int }) =>
    inOrder(db, [
      sql`alter table requests add column warnings ${text}`,
      sql`alter table requests add column forced ${int} not null default 0 check (forced in (0, 1))`,
      sql`alter table requests add column last_try ${text}`,
    ]),
}
