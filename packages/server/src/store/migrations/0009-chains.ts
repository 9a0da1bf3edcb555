/**
 * The call log and the audit log are chains: each row carries a hash over itself and the row
 * before. The call log begins anew, since rows that were written without a hash prove nothing. It
 * has no index beside its key: rows stand in the order in which they came.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const chains: Migration = {
  name: 'chains',
  // An older node would write rows without a number and a hash.
  breaking: true,
  up: (db, { text, int, end, busyEnd }) =>
    inOrder(db, [
      sql`create table chains (
        name ${text} primary key,
        last ${int} not null,
        hash ${text} not null,
        anchor ${int} not null,
        anchor_hash ${text} not null,
        bytes ${int} not null,
        seal ${text} not null
      ) ${busyEnd}`,
      sql`insert into chains values ('calls', 0, '', 0, '', 0, ''), ('audit', 0, '', 0, '', 0, '')`,
      sql`create table audit (
        audit_id ${int} primary key,
        acted_at ${int} not null,
        actor ${text} not null,
        client_id ${text},
        site_id ${text},
        verb ${text} not null,
        thing ${text} not null,
        thing_id ${text} not null,
        fields ${text},
        trace_id ${text} not null,
        hash ${text} not null
      ) ${end}`,
      sql`drop table calls`,
      sql`create table calls (
        call_id ${int} primary key,
        trace_id ${text} not null,
        called_at ${int} not null,
        method ${text} not null,
        route ${text} not null,
        ids ${text},
        site_id ${text},
        client_id ${text},
        address ${text} not null,
        status ${int} not null,
        error_code ${text},
        duration_us ${int} not null,
        bytes_in ${int} not null,
        bytes_out ${int} not null,
        call_body ${text},
        answer_body ${text},
        count ${int} not null,
        bytes ${int} not null,
        hash ${text} not null
      ) ${end}`,
    ]),
}
