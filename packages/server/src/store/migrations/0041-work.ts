/**
 * Work of people is found by an index: the jobs that a provider has, by due date (those without one
 * last), and what a person has claimed. No index names the state of a request, so that moves of
 * requests stay as cheap as they are.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const work: Migration = {
  name: 'work',
  breaking: false,
  up: (db) =>
    inOrder(db, [
      sql`create index jobs_at_work on jobs (site_id, (coalesce(due_at, 9007199254740991)), job_id)
        where archived = 0 and status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION')`,
      sql`create index requests_claimed on requests (assignee, job_id, position) where assignee is not null`,
    ]),
}
