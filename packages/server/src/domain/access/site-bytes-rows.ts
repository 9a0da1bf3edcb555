/** SQL of the bytes a site stores. */
import type { Db } from '../../store/engine.ts'

export async function addToShard(db: Db, siteId: string, shard: number, bytes: number): Promise<void> {
  await db
    .insertInto('site_bytes')
    .values({ site_id: siteId, shard, bytes })
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'shard']).doUpdateSet((eb) => ({ bytes: eb('site_bytes.bytes', '+', bytes) })),
    )
    .execute()
}

export async function sumShards(db: Db, siteId: string): Promise<number> {
  const row = await db
    .selectFrom('site_bytes')
    .select((eb) => eb.fn.sum('bytes').as('bytes'))
    .where('site_id', '=', siteId)
    .executeTakeFirstOrThrow()
  return Math.max(0, Number(row.bytes ?? 0))
}
