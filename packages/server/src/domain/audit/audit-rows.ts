/** SQL of the audit log. No site first: what the hub or the operator does may belong to none. */
import type { Db } from '../../store/engine.ts'
import { type InsertMany, insertMany } from '../../store/many-rows.ts'

export const insertActs: InsertMany<'audit'> = insertMany('audit', {
  audit_id: 'bigint',
  acted_at: 'bigint',
  actor: 'text',
  client_id: 'text',
  site_id: 'text',
  verb: 'text',
  thing: 'text',
  thing_id: 'text',
  fields: 'text',
  trace_id: 'text',
  hash: 'text',
})

export type OldAct = { audit_id: number; hash: string }

export type Going = { readonly before: number; readonly upTo: number; readonly many: number }

/** The newest of the oldest rows, up to `many`, that are from before that time or up to that number. No site: the log is pruned for all. */
export async function lastToGo(db: Db, { before, upTo, many }: Going): Promise<OldAct | undefined> {
  const oldest = await db
    .selectFrom('audit')
    .select(['audit_id', 'hash', 'acted_at'])
    .orderBy('audit_id')
    .limit(many)
    .execute()
  const staying = oldest.findIndex(({ audit_id, acted_at }) => acted_at >= before && audit_id > upTo)
  return oldest[(staying < 0 ? oldest.length : staying) - 1]
}

/** No site: the log is pruned for all. */
export async function deleteUpTo(tx: Db, auditId: number): Promise<void> {
  await tx.deleteFrom('audit').where('audit_id', '<=', auditId).execute()
}
