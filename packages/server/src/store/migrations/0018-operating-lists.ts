/**
 * Deliveries and tasks as an operator looks for them: by site and state, by job, by the last
 * response, by what fails. Each index begins with what is compared and ends with the order of the
 * list, so that a page costs the same in a large table.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

/** The value is that of the last attempt of a delivery. */
const last = (column: string) =>
  sql`(select a.${sql.ref(column)} from attempts a where a.position = deliveries.position order by a.number desc limit 1)`

export const operatingLists: Migration = {
  name: 'operating-lists',
  breaking: false,
  up: (db, { text, int }) =>
    inOrder(db, [
      sql`alter table deliveries add column last_code ${int}`,
      sql`alter table deliveries add column last_error ${text}`,
      sql`alter table deliveries add column last_attempt_at ${int}`,
      sql`update deliveries set last_code = ${last('response_code')}, last_error = ${last('error')},
        last_attempt_at = ${last('attempted_at')}
        where exists (select 1 from attempts a where a.position = deliveries.position)`,
      sql`drop index deliveries_listener`,
      sql`create index deliveries_listener on deliveries (listener_id, created_at, position)`,
      sql`create index deliveries_site on deliveries (site_id, state, created_at, position)`,
      sql`create index deliveries_job on deliveries (job_id, created_at, position)`,
      sql`create index deliveries_code on deliveries (site_id, last_code, created_at, position)
        where last_code is not null`,
      // Few rows: a delivery that arrives at the first attempt is never in it.
      sql`create index deliveries_failing on deliveries (site_id, listener_id, last_code, last_error, created_at,
        last_attempt_at, position) where state <> 'DELIVERED' and (state = 'PARKED' or attempts > 0)`,
      sql`alter table tasks add column job_id ${text}`,
      // The key is deliver:LISTENER:JOB, with 22 characters for the listener.
      sql`update tasks set job_id = substr(key, 32) where name = 'deliver' and key is not null`,
      sql`create index tasks_site on tasks (site_id, name, parked, due_at, task_id)`,
      sql`create index tasks_job on tasks (job_id) where job_id is not null`,
      sql`create index tasks_parked on tasks (due_at, task_id) where parked = 1`,
    ]),
}
