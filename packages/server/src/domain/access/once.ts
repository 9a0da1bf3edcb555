/**
 * `Idempotency-Key` (contract, section 3): a call with a key happens once. The key is claimed first, in a transaction of
 * its own; the answer is stored in the same transaction as the effect, so that a process killed between the two has done
 * neither, and a repeated call finds both or none. A call that was refused gives its key back.
 */
import { HubError, limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import type { Call } from './caller.ts'
import * as rows from './once-rows.ts'

/** How long a claimed key is held for a process that may have died. */
const heldMs = 60_000

/** One transaction of a verb that may carry a key: what `work` gives back is the call's answer. */
export async function once<T>(hub: Hub, call: Call, work: (tx: Db) => Promise<T>): Promise<T> {
  const { once: key, caller } = call
  if (!key) return hub.engine.transact(work)
  const now = hub.clock.now()
  const { siteId, clientId } = caller
  const place = { siteId, clientId, path: key.path, key: key.key }
  const until = now + heldMs
  const known = await hub.engine.transact((tx) => rows.claimKey(tx, place, key.bodyHash, now, until))
  if (known) {
    if (known.body_hash !== key.bodyHash)
      throw new HubError('IDEMPOTENCY_CONFLICT', { hours: limits.idempotencyMs / 3_600_000 })
    if (known.answer === null) throw new HubError('IDEMPOTENCY_IN_PROGRESS', {}, { retryAfter: 1 })
    return JSON.parse(hub.vault.open('answer', known.answer)) as T
  }
  try {
    return await hub.engine.transact(async (tx) => {
      const answer = await work(tx)
      const kept = await rows.keepAnswer(tx, place, until, hub.vault.seal('answer', JSON.stringify(answer)))
      // Somebody else holds the key by now: this call took longer than its claim, so its effect is undone.
      if (!kept) throw new HubError('IDEMPOTENCY_IN_PROGRESS', {}, { retryAfter: 1 })
      return answer
    })
  } catch (error) {
    await hub.engine.transact((tx) => rows.freeKey(tx, place, until)).catch(() => {})
    throw error
  }
}

/** Forgets the keys whose day is over; part of the sweep. */
export const forgetOldKeys = (hub: Hub): Promise<void> =>
  hub.engine.transact((tx) => rows.forgetKeys(tx, hub.clock.now() - limits.idempotencyMs))
