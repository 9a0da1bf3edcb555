/** SQL of the audit log. No site first: acts of the hub or the operator may belong to no site. */
import type { Db } from '../../../store/database.ts'
import { type InsertMany, insertMany } from '../../../store/many-rows.ts'

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
  was: 'text',
  is_now: 'text',
  trace_id: 'text',
  hash: 'text',
  person_id: 'text',
  erased: 'text',
})

export type OldAct = { audit_id: number; hash: string }

export type PruneLimits = { readonly before: number; readonly upTo: number; readonly many: number }

/**
 * Among the `many` oldest rows, the newest one that is before that time or up to that number. No
 * site: the log is pruned for all sites.
 */
export async function lastToPrune(
  db: Db,
  { before, upTo, many }: PruneLimits,
): Promise<OldAct | undefined> {
  const oldest = await db
    .selectFrom('audit')
    .select(['audit_id', 'hash', 'acted_at'])
    .orderBy('audit_id')
    .limit(many)
    .execute()
  const staying = oldest.findIndex(
    ({ audit_id, acted_at }) => acted_at >= before && audit_id > upTo,
  )
  return oldest[(staying < 0 ? oldest.length : staying) - 1]
}

/** No site: the log is pruned for all sites. */
export async function deleteUpTo(tx: Db, auditId: number): Promise<void> {
  await tx.deleteFrom('audit').where('audit_id', '<=', auditId).execute()
}
