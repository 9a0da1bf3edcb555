/**
 * SQL of signing keys and of the issuer names used with them. They belong to the hub, not to a
 * site.
 */
import type { Db } from '../../store/database.ts'

export type KeyRow = {
  kid: string
  public_jwk: string
  sealed_private: string
  created_at: number
  retires_at: number
}

const issuerPrefix = 'issuer '

/** Newest first: the first one that has not retired signs. */
export function listKeys(db: Db): Promise<KeyRow[]> {
  return db
    .selectFrom('signing_keys')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('kid')
    .execute()
}

export async function insertKey(tx: Db, key: KeyRow): Promise<void> {
  await tx.insertInto('signing_keys').values(key).execute()
}

/** These keys only verify from now on. */
export async function retireKeys(tx: Db, now: number): Promise<void> {
  await tx
    .updateTable('signing_keys')
    .set({ retires_at: now })
    .where('retires_at', '>', now)
    .execute()
}

/** Returns the ids of all keys, which are gone. */
export async function deleteAllKeys(tx: Db): Promise<string[]> {
  return (await tx.deleteFrom('signing_keys').returning('kid').execute()).map(({ kid }) => kid)
}

/** Returns the ids of the deleted keys. */
export async function deleteKeys(tx: Db, retiredBefore: number): Promise<string[]> {
  const gone = await tx
    .deleteFrom('signing_keys')
    .where('retires_at', '<', retiredBefore)
    .returning('kid')
    .execute()
  return gone.map(({ kid }) => kid)
}

export async function listIssuers(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('hub_state')
    .select('name')
    .where('name', 'like', `${issuerPrefix}%`)
    .execute()
  return rows.map((row) => row.name.slice(issuerPrefix.length))
}

export async function insertIssuer(tx: Db, issuer: string, now: number): Promise<void> {
  await tx
    .insertInto('hub_state')
    .values({ name: issuerPrefix + issuer, value: String(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
