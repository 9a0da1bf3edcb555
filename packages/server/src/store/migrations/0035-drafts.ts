/** Targets of segments as people and clients write them, and who has claimed a request. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const drafts: Migration = {
  name: 'drafts',
  // A node without it removes a job without giving back the bytes of its drafts; `dragoman check`
  // puts that right.
  breaking: false,
  up: (db, { text, int, keyedEnd }) =>
    inOrder(db, [
      sql`create table drafts (
        site_id ${text} not null,
        job_id ${text} not null,
        request_id ${text} not null,
        segment_id ${text} not null,
        target ${text},
        state ${text} not null,
        version ${int} not null,
        bytes ${int} not null,
        changed_by ${text} not null,
        by_person ${int} not null,
        changed_at ${int} not null,
        delivered ${text},
        previous ${text},
        review ${text},
        kept ${text},
        primary key (job_id, request_id, segment_id),
        foreign key (job_id, request_id) references requests (job_id, request_id) on delete cascade
      ) ${keyedEnd}`,
      sql`create index drafts_of_site on drafts (site_id, job_id)`,
      sql`alter table requests add column assignee ${text}`,
    ]),
}
