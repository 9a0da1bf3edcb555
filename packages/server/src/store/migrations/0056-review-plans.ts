/** The seed of the sample that a job's reviewers were given, for what is delivered (`mark`). */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const reviewPlans: Migration = {
  name: 'review-plans',
  breaking: false,
  up: (db, { text, keyedEnd }) =>
    inOrder(db, [
      sql`create table review_plans (
        job_id ${text} not null primary key references jobs (job_id) on delete cascade,
        site_id ${text} not null,
        mark ${text} not null,
        seed ${text} not null
      ) ${keyedEnd}`,
    ]),
}
