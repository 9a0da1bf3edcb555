/**
 * What the findings look at: the host, the clock and the stop of a node, and an index for each
 * rule. The indexes are partial, so that they hold only what may become a finding; the site is in
 * them so that those of one site are found without their rows.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const findings: Migration = {
  name: 'findings',
  breaking: false,
  up: (db, { text, int }) =>
    inOrder(db, [
      sql`alter table nodes add column host ${text}`,
      sql`alter table nodes add column skew_ms ${int}`,
      sql`alter table nodes add column stopping_at ${int}`,
      sql`create index tasks_failing on tasks (name, task_id, site_id) where parked = 0 and last_error is not null`,
      sql`create index deliveries_parked on deliveries (listener_id, created_at) where state = 'PARKED'`,
      sql`create index listeners_failing on listeners (failing_since, site_id, listener_id) where failing_since is not null`,
      sql`create index jobs_sending on jobs (submitted_at, site_id, job_id) where archived = 0 and status = 'SENDING'`,
      sql`create index jobs_unacknowledged on jobs (submitted_at, site_id, job_id)
        where archived = 0 and status = 'SENT_TO_PROVIDER' and acknowledged = 0`,
      sql`create index jobs_overdue on jobs (due_at, site_id, job_id)
        where archived = 0 and due_at is not null and status in ('SENT_TO_PROVIDER', 'IN_TRANSLATION')`,
      sql`create index client_secrets_end on client_secrets (expires_at, client_id) where expires_at is not null`,
    ]),
}
