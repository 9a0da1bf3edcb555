/**
 * The site stands in every key that had the client alone: Idempotency-Keys, the numbers of status
 * updates, listeners. A client id says whose something is only together with its site: it can be
 * removed here and added there, and an outside issuer may use one id in two sites at once.
 */
import { sql } from 'kysely'
import { type ColumnTypes, inOrder, type Migration } from './migration.ts'

export const siteInKeys: Migration = {
  name: 'site-in-keys',
  // A node that does not know it would write keys and numbers without a site.
  breaking: true,
  up: (db, types) => inOrder(db, [...idempotency(types), ...counters(types), ...indexes]),
}

/**
 * A key was its client's of that time. Where the client has a row, it is that row's site, unless
 * the key is older: then it was made in the site that the id was removed from, and goes. A client
 * of an outside issuer has no row; the call log tells where it called, and a key whose site cannot
 * be told goes.
 */
const idempotency = ({ text, int, end }: ColumnTypes) => [
  sql`create table idempotency_by_site (
    site_id ${text} not null,
    client_id ${text} not null,
    path ${text} not null,
    key ${text} not null,
    body_hash ${text} not null,
    answer ${text},
    running_until ${int} not null,
    created_at ${int} not null,
    primary key (site_id, client_id, path, key)
  ) ${end}`,
  sql`insert into idempotency_by_site
    select owner.site_id, i.client_id, i.path, i.key, i.body_hash, i.answer, i.running_until, i.created_at
    from idempotency i join (
      select client_id, site_id, created_at from clients
      union all
      select client_id, min(site_id), 0 from calls
        where site_id is not null and client_id is not null and client_id not in (select client_id from clients)
        group by client_id having min(site_id) = max(site_id)
    ) owner on owner.client_id = i.client_id and owner.created_at <= i.created_at`,
  sql`drop table idempotency`,
  sql`alter table idempotency_by_site rename to idempotency`,
  sql`create index idempotency_created on idempotency (created_at)`,
]

/**
 * Each site in which the client has anything goes on from the number that the client had: none is
 * given out twice.
 */
const counters = ({ text, int, busyEnd }: ColumnTypes) => [
  sql`create table counters_by_site (
    site_id ${text} not null,
    client_id ${text} not null,
    last ${int} not null,
    primary key (site_id, client_id)
  ) ${busyEnd}`,
  sql`insert into counters_by_site
    select place.site_id, c.client_id, c.last from update_counters c join (
      select site_id, client_id from clients
      union select site_id, client_id from status_updates
      union select site_id, creator_id from jobs
    ) place on place.client_id = c.client_id`,
  sql`drop table update_counters`,
  sql`alter table counters_by_site rename to update_counters`,
]

const indexes = [
  sql`drop index status_updates_sequence`,
  sql`create unique index status_updates_sequence on status_updates (site_id, client_id, sequence)`,
  // The open ones of a client and, by its beginning, of a site.
  sql`drop index status_updates_open`,
  sql`drop index status_updates_site`,
  sql`create index status_updates_open on status_updates (site_id, client_id, sequence) where acknowledged_at is null`,
  sql`drop index listeners_type`,
  sql`create unique index listeners_type on listeners (site_id, client_id, type) where side = 'connector'`,
  sql`drop index listeners_client`,
  sql`create index listeners_client on listeners (site_id, client_id, created_at, listener_id)`,
  sql`drop index listeners_provider`,
  sql`create index listeners_provider on listeners (site_id, provider_id) where side = 'provider'`,
]
