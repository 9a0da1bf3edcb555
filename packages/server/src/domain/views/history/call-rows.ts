/**
 * SQL of the call log. No site: the log belongs to the operator, and a call of an unknown caller
 * has no site.
 */

import { sql } from 'kysely'
import type { Db } from '../../../store/database.ts'
import { type InsertMany, insertMany } from '../../../store/many-rows.ts'
import type { Tables } from '../../../store/tables.ts'

export const insertCalls: InsertMany<'calls'> = insertMany('calls', {
  call_id: 'bigint',
  trace_id: 'text',
  called_at: 'bigint',
  method: 'text',
  route: 'text',
  ids: 'text',
  job_id: 'text',
  site_id: 'text',
  client_id: 'text',
  address: 'text',
  status: 'bigint',
  error_code: 'text',
  duration_us: 'bigint',
  bytes_in: 'bigint',
  bytes_out: 'bigint',
  call_body: 'text',
  answer_body: 'text',
  count: 'bigint',
  bytes: 'bigint',
  hash: 'text',
  erased: 'text',
})

/** The sums of some calls are added to those of their days. */
export async function addTimes(tx: Db, rows: readonly Tables['call_times'][]): Promise<void> {
  for (let from = 0; from < rows.length; from += timesAtOnce)
    await tx
      .insertInto('call_times')
      .values(rows.slice(from, from + timesAtOnce))
      .onConflict((conflict) =>
        conflict
          .columns(['site_id', 'day', 'route', 'ms'])
          .doUpdateSet({ times: sql<number>`call_times.times + excluded.times` }),
      )
      .execute()
}

/** Bounded by the number of parameters of a statement. */
const timesAtOnce = 100

export async function forgetTimes(tx: Db, beforeDay: number): Promise<void> {
  await tx.deleteFrom('call_times').where('day', '<', beforeDay).execute()
}

export type OldCall = { call_id: number; hash: string; bytes: number; called_at: number }

/** The oldest rows, oldest first. */
export function selectOldest(db: Db, many: number): Promise<OldCall[]> {
  return db
    .selectFrom('calls')
    .select(['call_id', 'hash', 'bytes', 'called_at'])
    .orderBy('call_id')
    .limit(many)
    .execute()
}

export async function deleteUpTo(tx: Db, callId: number): Promise<void> {
  await tx.deleteFrom('calls').where('call_id', '<=', callId).execute()
}
