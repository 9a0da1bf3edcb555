/** SQL of the bytes a site stores. */
import type { Db } from '../../store/database.ts'
import { prepared } from '../../store/prepared.ts'
import type { Tables } from '../../store/tables.ts'

const add = prepared<Tables['site_bytes'], unknown>((db, row) =>
  db
    .insertInto('site_bytes')
    .values({ site_id: row.site_id, shard: row.shard, bytes: row.bytes })
    .onConflict((conflict) =>
      conflict
        .columns(['site_id', 'shard'])
        .doUpdateSet((eb) => ({ bytes: eb('site_bytes.bytes', '+', eb.ref('excluded.bytes')) })),
    ),
)

export async function addToShard(
  db: Db,
  siteId: string,
  shard: number,
  bytes: number,
): Promise<void> {
  await add(db, { site_id: siteId, shard, bytes })
}

const sum = prepared<{ siteId: string }, { bytes: string | number | bigint | null }>(
  (db, { siteId }) =>
    db
      .selectFrom('site_bytes')
      .select((eb) => eb.fn.sum('bytes').as('bytes'))
      .where('site_id', '=', siteId),
)

export async function sumShards(db: Db, siteId: string): Promise<number> {
  const [row] = await sum(db, { siteId })
  return Math.max(0, Number(row?.bytes ?? 0))
}
