/** SQL of idempotency keys. A key belongs to one client of one site and to one path. */
import { limits } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'

export type KeyId = {
  readonly siteId: string
  readonly clientId: string
  readonly path: string
  readonly key: string
}

const keyOf = ({ siteId, clientId, path, key }: KeyId) => ({
  site_id: siteId,
  client_id: clientId,
  path,
  key,
})

type Claim = { readonly bodyHash: string; readonly now: number; readonly until: number }

/**
 * Claims the key if it is free, expired, or held by a call that died. Otherwise returns its current
 * row.
 */
export async function claimKey(db: Db, id: KeyId, { bodyHash, now, until }: Claim) {
  const fresh = { body_hash: bodyHash, answer: null, running_until: until, created_at: now }
  const taken = await db
    .insertInto('idempotency')
    .values({ ...keyOf(id), ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['site_id', 'client_id', 'path', 'key'])
        .doUpdateSet(fresh)
        .where((eb) =>
          eb.or([
            eb('idempotency.created_at', '<=', now - limits.idempotencyMs),
            eb.and([
              eb('idempotency.answer', 'is', null),
              eb('idempotency.running_until', '<=', now),
            ]),
          ]),
        ),
    )
    .returning('key')
    .executeTakeFirst()
  if (taken) return undefined
  return db
    .selectFrom('idempotency')
    .select(['body_hash', 'answer'])
    .where((eb) => eb.and(keyOf(id)))
    .executeTakeFirst()
}

/** `since` is when the claim was made: another claim of the key has another time. */
export async function keepAnswer(
  db: Db,
  id: KeyId,
  since: number,
  answer: string,
): Promise<boolean> {
  const saved = await db
    .updateTable('idempotency')
    .set({ answer })
    .where((eb) => eb.and({ ...keyOf(id), created_at: since }))
    .where('answer', 'is', null)
    .executeTakeFirst()
  return saved.numUpdatedRows > 0n
}

export async function renewKey(db: Db, id: KeyId, since: number, until: number): Promise<void> {
  await db
    .updateTable('idempotency')
    .set({ running_until: until })
    .where((eb) => eb.and({ ...keyOf(id), created_at: since }))
    .where('answer', 'is', null)
    .execute()
}

export async function freeKey(db: Db, id: KeyId, since: number): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where((eb) => eb.and({ ...keyOf(id), created_at: since }))
    .where('answer', 'is', null)
    .execute()
}

/** Removes all keys of a client. */
export async function removeKeys(db: Db, siteId: string, clientId: string): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('site_id', '=', siteId)
    .where('client_id', '=', clientId)
    .execute()
}

/** No site: upkeep over all sites. */
export async function forgetKeys(db: Db, before: number): Promise<void> {
  await db.deleteFrom('idempotency').where('created_at', '<=', before).execute()
}
