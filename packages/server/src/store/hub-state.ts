/**
 * Small facts about the whole hub, by name: the profile it was created for, the check of its master
 * key, the sandbox's clock.
 */
import type { Database, Db } from './database.ts'
import { lock } from './lock.ts'

/**
 * The text that tells whether a master key is the right one, and keys that outlive a change of it.
 */
export const vaultCheckName = 'vault_check'
export const carriedName = 'carried_keys'

export async function readHubState(db: Db, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('hub_state')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value
}

export async function writeHubState(tx: Db, name: string, value: string): Promise<void> {
  await tx
    .insertInto('hub_state')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** The value, locked until the transaction ends; empty if there was none. */
export async function lockHubState(tx: Db, name: string): Promise<string> {
  await tx
    .insertInto('hub_state')
    .values({ name, value: '' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const row = await lock(
    tx,
    tx.selectFrom('hub_state').select('value').where('name', '=', name),
  ).executeTakeFirst()
  return row?.value ?? ''
}

/** Writes the value unless there is one; returns the stored one, whichever node was first. */
export async function writeHubStateOnce(
  db: Database,
  name: string,
  value: string,
): Promise<string> {
  return db.transact(async (tx) => {
    await tx
      .insertInto('hub_state')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute()
    return (await readHubState(tx, name)) ?? value
  })
}
