/** A site has rules that choose the provider of a job, and a job knows which rule chose its own. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const routing: Migration = {
  name: 'routing',
  // A node without it asks for a provider.
  breaking: false,
  up: (db, { text }) =>
    inOrder(db, [
      sql`alter table sites add column routing ${text}`,
      sql`alter table jobs add column routed_by ${text}`,
    ]),
}
