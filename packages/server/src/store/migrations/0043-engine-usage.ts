/**
 * What the engines of providers cost, by provider, job and UTC day, and the limits of a provider.
 * The row of the job `*` is the sum of all jobs of the day: limits are checked on it, so that calls
 * from several nodes wait for each other on one row.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const engineUsage: Migration = {
  name: 'engine-usage',
  breaking: false,
  up: (db, { text, int, end }) =>
    inOrder(db, [
      sql`alter table providers add column limits ${text}`,
      sql`create table engine_usage (
        provider_id ${text} not null,
        job_id ${text} not null,
        day ${int} not null,
        unit ${text} not null,
        site_id ${text} not null,
        estimated ${int} not null,
        billed ${int},
        characters ${int} not null,
        saved ${int} not null,
        requests ${int} not null,
        held_at ${int},
        held_by ${text},
        held_because ${text},
        primary key (provider_id, job_id, day, unit)
      ) ${end}`,
      sql`create index engine_usage_days on engine_usage (site_id, day)`,
      sql`create index engine_usage_held on engine_usage (site_id, day) where held_at is not null`,
    ]),
}
