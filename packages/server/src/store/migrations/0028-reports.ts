/** Jobs by the time of their submission, for reports. A job is written to this index once. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const reports: Migration = {
  name: 'reports',
  breaking: false,
  up: (db) =>
    inOrder(db, [
      sql`create index jobs_submitted on jobs (site_id, submitted_at, job_id) where submitted_at is not null`,
    ]),
}
