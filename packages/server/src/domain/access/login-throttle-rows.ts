/**
 * SQL of failed logins: one row per client id, known or not, and address. No site: an unknown
 * client has none.
 */
import type { Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'

export type Source = { readonly clientId: string; readonly address: string }
export type Tries = { failures: number; since: number; blocked_until: number }

export function triesOf(db: Db, { clientId, address }: Source): Promise<Tries | undefined> {
  return tries(db, clientId, address).executeTakeFirst()
}

/** The same, locked for a change in this transaction. */
export function lockTries(tx: Db, { clientId, address }: Source): Promise<Tries | undefined> {
  return lock(tx, tries(tx, clientId, address)).executeTakeFirst()
}

export async function keepTries(
  tx: Db,
  { clientId, address }: Source,
  values: Tries,
): Promise<void> {
  await tx
    .insertInto('guesses')
    .values({ client_id: clientId, address, ...values })
    .onConflict((conflict) => conflict.columns(['client_id', 'address']).doUpdateSet(values))
    .execute()
}

export async function deleteTries(tx: Db, { clientId, address }: Source): Promise<void> {
  await tx
    .deleteFrom('guesses')
    .where('client_id', '=', clientId)
    .where('address', '=', address)
    .execute()
}

/** Deletes the tries from every address. */
export async function deleteTriesOf(tx: Db, clientId: string): Promise<void> {
  await tx.deleteFrom('guesses').where('client_id', '=', clientId).execute()
}

export async function deleteOldTries(tx: Db, before: number): Promise<void> {
  await tx.deleteFrom('guesses').where('since', '<=', before).execute()
}

const tries = (db: Db, clientId: string, address: string) =>
  db
    .selectFrom('guesses')
    .select(['failures', 'since', 'blocked_until'])
    .where('client_id', '=', clientId)
    .where('address', '=', address)
