/** The terms of each site. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const terms: Migration = {
  name: 'terms',
  breaking: false,
  up: (db, { text, int, end }) =>
    inOrder(db, [
      sql`alter table sites add column terms_stamp ${text}`,
      sql`create table terms (
        term_id ${text} primary key,
        site_id ${text} not null,
        definition ${text},
        entries ${text} not null,
        languages ${text} not null,
        texts ${text} not null,
        sort_key ${text} not null,
        same_key ${text} not null,
        content_key ${text} not null,
        bytes ${int} not null,
        version ${int} not null,
        created_at ${int} not null,
        modified_at ${int} not null,
        cause_id ${text} not null
      ) ${end}`,
      sql`create index terms_list on terms (site_id, sort_key, term_id)`,
      sql`create index terms_sizes on terms (site_id, bytes)`,
    ]),
}
