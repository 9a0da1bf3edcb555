/**
 * How long the calls of a site took, by day and route: sums of the call log, for the report
 * latency.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const callTimes: Migration = {
  name: 'call-times',
  // A node without it records calls that the report does not count.
  breaking: false,
  up: (db, { text, int, keyedEnd }) =>
    inOrder(db, [
      sql`create table call_times (
        site_id ${text} not null,
        day ${int} not null,
        route ${text} not null,
        ms ${int} not null,
        times ${int} not null,
        primary key (site_id, day, route, ms)
      ) ${keyedEnd}`,
      sql`insert into call_times
        select site_id, called_at / 86400000, method || ' ' || route, (duration_us / count + 500) / 1000, sum(count) from calls
        where site_id <> '' and route not like '/console/%'
        group by site_id, called_at / 86400000, method || ' ' || route, (duration_us / count + 500) / 1000`,
    ]),
}
