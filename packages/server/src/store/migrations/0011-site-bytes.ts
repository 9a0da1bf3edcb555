/**
 * How many bytes a site keeps: files and inline content, counted with every change in one of
 * several rows.
 */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const siteBytes: Migration = {
  name: 'site-bytes',
  // A node that does not know it would not count.
  breaking: true,
  up: (db, { text, int, busyEnd }) =>
    inOrder(db, [
      sql`create table site_bytes (
        site_id ${text} not null,
        shard ${int} not null,
        bytes ${int} not null,
        primary key (site_id, shard)
      ) ${busyEnd}`,
      sql`insert into site_bytes (site_id, shard, bytes)
        select site_id, 0, cast(sum(bytes) as bigint) from (
          select site_id, size as bytes from files where size is not null
          union all select site_id, bytes from source_contents
        ) as kept group by site_id`,
    ]),
}
