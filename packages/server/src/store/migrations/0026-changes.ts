/**
 * What changed last is found by an index, for the console's event stream; open jobs by their due
 * date, for its counts. The first two grow at their end only, so that a write costs little more.
 */
import { openJobStatuses } from '@dragoman/contract'
import { sql } from 'kysely'
import { inOrder, listed, type Migration } from './migration.ts'

export const changes: Migration = {
  name: 'changes',
  breaking: false,
  up: (db) =>
    inOrder(db, [
      sql`create index jobs_modified on jobs (modified_at)`,
      sql`create index attempts_made on attempts (attempted_at)`,
      sql`create index jobs_open_due on jobs (site_id, archived, due_at, status, job_id)
        where archived = 0 and due_at is not null and status in (${listed(openJobStatuses)})`,
    ]),
}
