/** Price lists count among the bytes that a site keeps, those that were saved before as well. */
import { sql } from 'kysely'
import { inOrder, type Migration } from './migration.ts'

export const priceListBytes: Migration = {
  name: 'price-list-bytes',
  breaking: false,
  up: (db) =>
    inOrder(db, [
      sql`delete from site_bytes`,
      sql`insert into site_bytes (site_id, shard, bytes)
        select site_id, 0, cast(sum(bytes) as bigint) from (
          select site_id, size as bytes from files where size is not null
          union all select site_id, bytes from source_contents
          union all select site_id, octet_length(prices) from price_lists
        ) as kept group by site_id`,
    ]),
}
