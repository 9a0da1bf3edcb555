/** Metadata counts among the bytes that a site keeps, that of jobs from before as well. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const metadataBytes: Migration = {
  name: 'metadata-bytes',
  // A node without it would not count metadata that it stores, and not give back what it removes.
  breaking: true,
  up: (db) =>
    inOrder(db, [
      sql`delete from site_bytes`,
      sql`insert into site_bytes (site_id, shard, bytes)
        select site_id, 0, cast(sum(bytes) as bigint) from (
          select site_id, size as bytes from files where size is not null
          union all select site_id, bytes from source_contents
          union all select site_id, octet_length(prices) from price_lists
          union all select site_id, octet_length(extended_metadata) from jobs where extended_metadata is not null
          union all select site_id, octet_length(extended_metadata) from requests where extended_metadata is not null
          union all select site_id, octet_length(extended_metadata) from support_assets where extended_metadata is not null
          union all select site_id, octet_length(extended_metadata) from tm_updates where extended_metadata is not null
        ) as kept group by site_id`,
    ]),
}
