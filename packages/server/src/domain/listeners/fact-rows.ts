/**
 * SQL of the facts of attempts: the headers that were sent and the response. No site: upkeep over
 * all sites, from the newest attempt to the oldest.
 */

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import { isPostgres } from '../../store/lock.ts'

const bytesOf = (db: Db, column: string): RawBuilder<number> =>
  isPostgres(db)
    ? sql<number>`coalesce(octet_length(${sql.ref(column)}), 0)`
    : sql<number>`coalesce(length(cast(${sql.ref(column)} as blob)), 0)`
const hasFacts = sql<SqlBool>`(call_headers is not null or answer_head is not null)`
const noFacts = { call_headers: null, answer_head: null } as const

/**
 * The facts of the newest attempts below a position: their size, and the lowest position of those
 * attempts.
 */
export async function sumFacts(
  db: Db,
  below: number,
  many: number,
): Promise<{ bytes: number; lowest: number } | undefined> {
  const row = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('attempts')
        .select([
          'position',
          sql<number>`${bytesOf(db, 'call_headers')} + ${bytesOf(db, 'answer_head')}`.as('bytes'),
        ])
        .where('position', '<', below)
        .orderBy('position', 'desc')
        .limit(many)
        .as('newest'),
    )
    .select(({ fn }) => [fn.sum<number>('bytes').as('bytes'), fn.min('position').as('lowest')])
    .executeTakeFirst()
  return row?.lowest == null ? undefined : { bytes: Number(row.bytes), lowest: row.lowest }
}

/** Clears the facts between two positions, the first included, and returns of how many attempts. */
export async function clearFacts(tx: Db, from: number, below: number): Promise<number> {
  const done = await tx
    .updateTable('attempts')
    .set(noFacts)
    .where('position', '>=', from)
    .where('position', '<', below)
    .where(hasFacts)
    .executeTakeFirst()
  return Number(done.numUpdatedRows)
}

/**
 * Clears the facts of old attempts of deliveries that still wait. Those of the others are removed
 * with their delivery.
 */
export async function clearOldFacts(tx: Db, before: number, many: number): Promise<number> {
  const done = await tx
    .updateTable('attempts')
    .set(noFacts)
    .where(sql<SqlBool>`(position, number) in (select a.position, a.number from deliveries d
      join attempts a on a.position = d.position
      where d.state <> 'DELIVERED' and d.created_at < ${before} and a.attempted_at < ${before}
        and (a.call_headers is not null or a.answer_head is not null) limit ${many})`)
    .executeTakeFirst()
  return Number(done.numUpdatedRows)
}
