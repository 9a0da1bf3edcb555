/**
 * A team at the desk: texts that are shared between people, when work was claimed and delivered,
 * targets that the hub filled in, and what a provider has filled in at the hand-over.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const teamAtDesk: Migration = {
  name: 'team-at-desk',
  // A node without it knows no shares: it binds people by claims alone, as before.
  breaking: false,
  up: (db, { text, int, keyedEnd }) =>
    inOrder(db, [
      sql`alter table requests add column claimed_at ${int}`,
      sql`alter table requests add column delivered_at ${int}`,
      sql`alter table requests add column is_shared ${int} not null default 0`,
      sql`create index requests_delivered on requests (site_id, delivered_at)
        where delivered_at is not null`,
      sql`update requests set delivered_at = modified_at
        where status in ('REVIEW_TRANSLATION', 'TRANSLATION_APPROVED')`,
      sql`alter table drafts add column words ${int}`,
      sql`alter table drafts add column filled ${text}`,
      sql`alter table providers add column fill ${text}`,
      sql`create table shares (
        site_id ${text} not null,
        job_id ${text} not null,
        request_id ${text} not null,
        from_position ${int} not null,
        to_position ${int} not null,
        person_id ${text} not null,
        words ${int} not null,
        primary key (job_id, request_id, from_position),
        foreign key (job_id, request_id) references requests (job_id, request_id) on delete cascade
      ) ${keyedEnd}`,
      sql`create index shares_of_person on shares (person_id, job_id, request_id)`,
    ]),
}
