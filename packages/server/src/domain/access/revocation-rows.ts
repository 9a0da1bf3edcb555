/** SQL of what was revoked. It belongs to the hub: names of tokens and keys are random. */
import type { Db } from '../../store/database.ts'

export type Revoked = { name: string; revoked_at: number; expires_at: number }

/** Returns false if it was there already. */
export async function insertRevoked(tx: Db, row: Revoked): Promise<boolean> {
  const added = await tx
    .insertInto('revoked')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('name')
    .executeTakeFirst()
  return added !== undefined
}

export function selectRevokedSince(db: Db, since: number): Promise<Revoked[]> {
  return db.selectFrom('revoked').selectAll().where('revoked_at', '>=', since).execute()
}

export async function deleteExpired(tx: Db, now: number): Promise<void> {
  await tx.deleteFrom('revoked').where('expires_at', '<', now).execute()
}
