/**
 * What the desk knows of deliveries: which version of the segments the last one made, what it
 * replaced, and the targets of the one before.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const deliveredDesk: Migration = {
  name: 'delivered-desk',
  // A node without it leaves what the desk had over a translation that comes as a file, as before.
  breaking: false,
  up: (db, { text, int, keyedEnd }) =>
    inOrder(db, [
      sql`alter table requests add column desk_version ${int}`,
      sql`alter table drafts add column previous_review ${text}`,
      sql`alter table drafts add column replaced ${text}`,
      sql`alter table drafts add column delivered_kept ${text}`,
      sql`alter table drafts add column target_digest ${text}`,
      sql`create index drafts_by_digest on drafts (job_id, request_id, target_digest)
        where target_digest is not null`,
      sql`create table former_targets (
        site_id ${text} not null,
        job_id ${text} not null,
        request_id ${text} not null,
        texts ${text} not null,
        primary key (job_id, request_id),
        foreign key (job_id, request_id) references requests (job_id, request_id) on delete cascade
      ) ${keyedEnd}`,
      // What was delivered or judged before is no draft.
      sql`update requests set desk_version = (select max(version) from drafts
          where drafts.job_id = requests.job_id and drafts.request_id = requests.request_id)
        where (job_id, request_id) in (select job_id, request_id from drafts
          where delivered is not null or review is not null)`,
    ]),
}
