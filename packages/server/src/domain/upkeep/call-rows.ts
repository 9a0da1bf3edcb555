/** SQL of the call log. No site first: it is the operator's, and a call whose caller is not known has no site. */
import type { Insertable } from 'kysely'
import type { Db } from '../../store/engine.ts'
import type { Tables } from '../../store/tables.ts'

export type NewCallRow = Insertable<Tables['calls']>

export async function insertCalls(tx: Db, rows: readonly NewCallRow[]): Promise<void> {
  await tx.insertInto('calls').values(rows).execute()
}

/** Removes up to `many` of the oldest rows that were called before `before`; gives back how many. */
export async function deleteCallsBefore(tx: Db, before: number, many: number): Promise<number> {
  const old = tx.selectFrom('calls').select('call_id').where('called_at', '<', before).orderBy('called_at').limit(many)
  const { numDeletedRows } = await tx.deleteFrom('calls').where('call_id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Removes up to `many` of the oldest rows, down to and with this one. */
export async function deleteCallsUpTo(tx: Db, callId: number, many: number): Promise<number> {
  const old = tx.selectFrom('calls').select('call_id').where('call_id', '<=', callId).orderBy('call_id').limit(many)
  const { numDeletedRows } = await tx.deleteFrom('calls').where('call_id', 'in', old).executeTakeFirst()
  return Number(numDeletedRows)
}

/** The newest row that is one too many when `keep` are kept. */
export async function firstCallBeyond(db: Db, keep: number): Promise<number | undefined> {
  const query = db.selectFrom('calls').select('call_id').orderBy('call_id', 'desc').limit(1).offset(keep)
  return (await query.executeTakeFirst())?.call_id
}
