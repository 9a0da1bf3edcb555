/** SQL of the idempotency keys. A key belongs to one client of one site, and to one path. */
import { limits } from '@dragoman/contract'
import type { Db } from '../../store/engine.ts'

export type KeyPlace = {
  readonly siteId: string
  readonly clientId: string
  readonly path: string
  readonly key: string
}

/** Takes the key when it is free, past its day, or held by a call that died; otherwise gives back who has it. */
export async function claimKey(db: Db, place: KeyPlace, bodyHash: string, now: number, until: number) {
  const fresh = { body_hash: bodyHash, answer: null, running_until: until, created_at: now }
  const taken = await db
    .insertInto('idempotency')
    .values({ site_id: place.siteId, client_id: place.clientId, path: place.path, key: place.key, ...fresh })
    .onConflict((conflict) =>
      conflict
        .columns(['site_id', 'client_id', 'path', 'key'])
        .doUpdateSet(fresh)
        .where((eb) =>
          eb.or([
            eb('idempotency.created_at', '<=', now - limits.idempotencyMs),
            eb.and([eb('idempotency.answer', 'is', null), eb('idempotency.running_until', '<=', now)]),
          ]),
        ),
    )
    .returning('key')
    .executeTakeFirst()
  if (taken) return undefined
  return db
    .selectFrom('idempotency')
    .select(['body_hash', 'answer'])
    .where('site_id', '=', place.siteId)
    .where('client_id', '=', place.clientId)
    .where('path', '=', place.path)
    .where('key', '=', place.key)
    .executeTakeFirst()
}

export async function keepAnswer(db: Db, place: KeyPlace, until: number, answer: string): Promise<boolean> {
  const kept = await held(db, place, until).set({ answer }).executeTakeFirst()
  return kept.numUpdatedRows > 0n
}

export async function freeKey(db: Db, place: KeyPlace, until: number): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('site_id', '=', place.siteId)
    .where('client_id', '=', place.clientId)
    .where('path', '=', place.path)
    .where('key', '=', place.key)
    .where('running_until', '=', until)
    .where('answer', 'is', null)
    .execute()
}

/** All that a client of a site has. */
export async function removeKeys(db: Db, siteId: string, clientId: string): Promise<void> {
  await db.deleteFrom('idempotency').where('site_id', '=', siteId).where('client_id', '=', clientId).execute()
}

/** No site: upkeep over all sites. */
export async function forgetKeys(db: Db, before: number): Promise<void> {
  await db.deleteFrom('idempotency').where('created_at', '<=', before).execute()
}

const held = (db: Db, place: KeyPlace, until: number) =>
  db
    .updateTable('idempotency')
    .where('site_id', '=', place.siteId)
    .where('client_id', '=', place.clientId)
    .where('path', '=', place.path)
    .where('key', '=', place.key)
    .where('running_until', '=', until)
    .where('answer', 'is', null)
