/**
 * The calls of a job to its upstream, for the timeline; and whole calls of both sides, where a
 * provider records them.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const upstreamCalls: Migration = {
  name: 'upstream-calls',
  breaking: false,
  up: (db, { text, int, id, end }) =>
    inOrder(db, [
      sql`create table upstream_calls (
        call_id ${id},
        site_id ${text} not null,
        job_id ${text} not null references jobs on delete cascade,
        called_at ${int} not null,
        method ${text} not null,
        path ${text} not null,
        status ${int},
        error ${text},
        duration_us ${int} not null,
        tries ${int} not null,
        trace_id ${text},
        cause_id ${text} not null
      ) ${end}`,
      sql`create index upstream_calls_job on upstream_calls (job_id, called_at, call_id)`,
      sql`create table recorded_calls (
        call_id ${id},
        site_id ${text} not null,
        job_id ${text} not null references jobs on delete cascade,
        called_at ${int} not null,
        side ${text} not null,
        look ${text},
        call ${text} not null,
        bytes ${int} not null
      ) ${end}`,
      sql`create index recorded_calls_job on recorded_calls (job_id, called_at, call_id)`,
    ]),
}
