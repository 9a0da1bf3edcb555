/**
 * A job is sent on to another service: the hubs it passed, where it is, and what each thing of it
 * is called there.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const upstream: Migration = {
  name: 'upstream',
  // A node without it takes the provider for one that others work for.
  breaking: false,
  up: (db, { text, keyedEnd }) =>
    inOrder(db, [
      sql`alter table jobs add column hops ${text}`,
      sql`alter table jobs add column upstream ${text}`,
      sql`create table upstream_links (
        site_id ${text} not null,
        job_id ${text} not null references jobs on delete cascade,
        kind ${text} not null,
        our_id ${text} not null,
        their_id ${text} not null,
        taken ${text},
        failed ${text},
        told ${text},
        primary key (job_id, kind, our_id)
      ) ${keyedEnd}`,
      sql`create index upstream_links_job on upstream_links (their_id) where kind = 'job'`,
    ]),
}
