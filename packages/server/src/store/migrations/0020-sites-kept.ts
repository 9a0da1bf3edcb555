/**
 * When a client last called, when a site's removal began, when a job was archived; lists of clients
 * and sites by age.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const sitesKept: Migration = {
  name: 'sites-kept',
  // A node that does not know it would add clients to a site that is being removed.
  breaking: true,
  up: (db, { int }) =>
    inOrder(db, [
      sql`alter table clients add column last_used_at ${int}`,
      sql`create index clients_created on clients (created_at, client_id)`,
      sql`create index clients_of_site on clients (site_id, created_at, client_id)`,
      sql`alter table sites add column removing_at ${int}`,
      sql`create index sites_created on sites (created_at, site_id)`,
      sql`alter table jobs add column archived_at ${int}`,
      // An archived job does not change, so this is when it was archived.
      sql`update jobs set archived_at = modified_at where archive_status = 'ARCHIVED'`,
      sql`create index jobs_retained on jobs (archived_at, job_id) where archived_at is not null`,
      sql`create index jobs_retained_of_site on jobs (site_id, archived_at, job_id) where archived_at is not null`,
    ]),
}
