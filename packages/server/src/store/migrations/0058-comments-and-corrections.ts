/**
 * A team at the desk: comments and questions of a job, corrections of reviewers, and the listeners
 * that hear of questions.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const commentsAndCorrections: Migration = {
  name: 'comments-and-corrections',
  // A node without it shows no comments, and removes a job without giving back their bytes;
  // `dragoman check` puts that right.
  breaking: false,
  up: (db, { text, int, keyedEnd }) =>
    inOrder(db, [
      sql`create table comments (
        comment_id ${text} not null,
        site_id ${text} not null,
        job_id ${text} not null references jobs on delete cascade,
        position ${int} not null,
        kind ${text} not null,
        addressee ${text} not null,
        side ${text} not null,
        request_id ${text},
        segment_id ${text},
        source_digest ${text},
        text ${text} not null,
        bytes ${int} not null,
        written_by ${text} not null,
        created_at ${int} not null,
        answer ${text},
        answered_by ${text},
        answered_at ${int},
        primary key (job_id, comment_id)
      ) ${keyedEnd}`,
      sql`create index comments_in_order on comments (job_id, position)`,
      sql`create index comments_of_site on comments (site_id, job_id)`,
      sql`create index comments_at_segments on comments (job_id, request_id, segment_id)
        where segment_id is not null`,
      sql`create index comments_by_source on comments (job_id, source_digest)
        where source_digest is not null and answered_at is not null`,
      sql`create index comments_open on comments (created_at)
        where kind = 'QUESTION' and answered_at is null`,
      sql`create table corrections (
        site_id ${text} not null,
        job_id ${text} not null,
        request_id ${text} not null,
        segment_id ${text} not null,
        target ${text},
        base_version ${int} not null,
        delivered ${text},
        delivered_by ${text},
        version ${int} not null,
        bytes ${int} not null,
        changed_by ${text} not null,
        by_person ${int} not null,
        changed_at ${int} not null,
        primary key (job_id, request_id, segment_id),
        foreign key (job_id, request_id) references requests (job_id, request_id) on delete cascade
      ) ${keyedEnd}`,
      sql`create index corrections_of_site on corrections (site_id, job_id)`,
      sql`alter table listeners add column on_comment ${int} not null default 0`,
    ]),
}
