/**
 * SQL of sign-in links, passkeys and recovery codes. They belong to people, who belong to no single
 * site.
 */
import type { Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'
import type { PasskeyRow, PersonLinkRow } from '../../store/tables.ts'

export async function insertLink(tx: Db, link: PersonLinkRow): Promise<void> {
  await tx.insertInto('person_links').values(link).execute()
}

export const linkByHash = (db: Db, hash: string): Promise<PersonLinkRow | undefined> =>
  db.selectFrom('person_links').selectAll().where('link_hash', '=', hash).executeTakeFirst()

/** Takes the link, so that nobody can use it again. */
export const takeLink = (tx: Db, hash: string): Promise<PersonLinkRow | undefined> =>
  tx.deleteFrom('person_links').where('link_hash', '=', hash).returningAll().executeTakeFirst()

export async function deleteLinksOf(tx: Db, personId: string): Promise<void> {
  await tx.deleteFrom('person_links').where('person_id', '=', personId).execute()
}

/** Those that make a new person. */
export async function deleteNewLinks(tx: Db): Promise<void> {
  await tx.deleteFrom('person_links').where('person_id', 'is', null).execute()
}

export async function deleteExpiredLinks(tx: Db, now: number): Promise<void> {
  await tx.deleteFrom('person_links').where('expires_at', '<=', now).execute()
}

export const passkeyByCredential = (
  db: Db,
  credentialId: string,
): Promise<PasskeyRow | undefined> =>
  db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst()

export const lockPasskey = (tx: Db, passkeyId: string): Promise<PasskeyRow | undefined> =>
  lock(
    tx,
    tx.selectFrom('passkeys').selectAll().where('passkey_id', '=', passkeyId),
  ).executeTakeFirst()

export const passkeysOf = (db: Db, personIds: readonly string[]): Promise<PasskeyRow[]> =>
  db
    .selectFrom('passkeys')
    .selectAll()
    .where('person_id', 'in', personIds)
    .orderBy('created_at')
    .execute()

/** Returns false if the credential is known already. */
export async function insertPasskey(tx: Db, passkey: PasskeyRow): Promise<boolean> {
  const added = await tx
    .insertInto('passkeys')
    .values(passkey)
    .onConflict((conflict) => conflict.doNothing())
    .returning('passkey_id')
    .executeTakeFirst()
  return added !== undefined
}

export async function notePasskeyUse(
  tx: Db,
  passkeyId: string,
  use: { readonly last_used_at: number; readonly sign_count: number },
): Promise<void> {
  await tx.updateTable('passkeys').set(use).where('passkey_id', '=', passkeyId).execute()
}

export async function deletePasskey(tx: Db, passkeyId: string): Promise<void> {
  await tx.deleteFrom('passkeys').where('passkey_id', '=', passkeyId).execute()
}

export async function replaceCodes(
  tx: Db,
  personId: string,
  hashes: readonly string[],
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('person_id', '=', personId).execute()
  if (hashes.length === 0) return
  await tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ person_id: personId, code_hash })))
    .execute()
}

export async function countCodes(db: Db, personId: string): Promise<number> {
  return (
    await db
      .selectFrom('recovery_codes')
      .select('code_hash')
      .where('person_id', '=', personId)
      .execute()
  ).length
}

export async function hasCode(db: Db, personId: string, hash: string): Promise<boolean> {
  const found = db
    .selectFrom('recovery_codes')
    .select('code_hash')
    .where('person_id', '=', personId)
  return (await found.where('code_hash', '=', hash).executeTakeFirst()) !== undefined
}

/** Returns false if there is no such code: each can be used once. */
export async function takeCode(tx: Db, personId: string, hash: string): Promise<boolean> {
  const taken = await tx
    .deleteFrom('recovery_codes')
    .where('person_id', '=', personId)
    .where('code_hash', '=', hash)
    .returning('code_hash')
    .executeTakeFirst()
  return taken !== undefined
}

/**
 * Everything but the OpenID provider that opens the account. Returns whether there was anything.
 */
export async function deleteCredentials(tx: Db, personId: string): Promise<boolean> {
  const passkeys = await tx
    .deleteFrom('passkeys')
    .where('person_id', '=', personId)
    .returning('passkey_id')
    .execute()
  await replaceCodes(tx, personId, [])
  const password = await tx
    .updateTable('people')
    .set({ password_hash: null, two_steps: 0 })
    .where('person_id', '=', personId)
    .where('password_hash', 'is not', null)
    .returning('person_id')
    .execute()
  return passkeys.length + password.length > 0
}
