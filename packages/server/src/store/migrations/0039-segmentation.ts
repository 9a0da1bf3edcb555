/** A job says whether running text is cut into sentences, and by which rules. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const segmentation: Migration = {
  name: 'segmentation',
  // A node that does not know it counts and prices such a job by paragraphs.
  breaking: true,
  up: (db, { text }) =>
    inOrder(db, [
      sql`alter table jobs add column segmentation ${text} check (segmentation in ('SENTENCES', 'PARAGRAPHS'))`,
      sql`alter table jobs add column cut_rule ${text}`,
    ]),
}
