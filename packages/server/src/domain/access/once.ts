/**
 * `Idempotency-Key` (contract, section 3): a call with a key takes effect once. The key is claimed
 * first, in its own transaction, and a claim whose node is gone expires. The answer is saved in the
 * same transaction as the effect, so a crash leaves both or neither. A refused call releases its
 * key; so does a call that the database failed, as soon as the database responds again.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { HubError, limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { writeInTurns } from '../../turns/json-in-turns.ts'
import type { Call } from './caller.ts'
import * as rows from './once-rows.ts'

/** How long a key stays claimed if its process died: as long as a lease of a task. */
const heldMs = 20_000
/** A call that takes longer holds on to its claim. */
const renewMs = 5_000
/** The pauses between attempts to release a key; together about as long as it is held. */
const releaseMs = [100, 300, 600, 1_000, 2_000, 5_000, 5_000, 5_000]

type Keep = (tx: Db, answer: unknown) => Promise<void>

/**
 * Runs the one transaction of a verb whose call may have a key. The result of `work` is the answer.
 */
export function once<T>(hub: Hub, call: Call, work: (tx: Db) => Promise<T>): Promise<T> {
  return underKey(hub, call, (keep) =>
    hub.db.transact(async (tx) => {
      const answer = await work(tx)
      await keep(tx, answer)
      return answer
    }),
  )
}

/**
 * The same around a call that changes nothing when it is repeated, as a PUT or a PATCH: the answer
 * is saved after the effect. If the process dies in between, the repeated call finds the effect.
 */
export function onceAround<T>(hub: Hub, call: Call, work: () => Promise<T>): Promise<T> {
  return underKey(hub, call, async (keep) => {
    const answer = await work()
    await hub.db.transact((tx) => keep(tx, answer))
    return answer
  })
}

async function underKey<T>(hub: Hub, call: Call, work: (keep: Keep) => Promise<T>): Promise<T> {
  const { once: key, caller } = call
  if (!key) return work(async () => {})
  const now = hub.clock.now()
  const { siteId, clientId } = caller
  const id = { siteId, clientId, path: key.path, key: key.key }
  const claim = { bodyHash: key.bodyHash, now, until: now + heldMs }
  const claimed = hub.db.transact((tx) => rows.claimKey(tx, id, claim))
  const known = await claimed.catch((error: unknown) => {
    // The claim may have been committed all the same, and nobody works under it.
    if (hub.db.isBusy(error)) void releaseLater(hub, id, now)
    throw error
  })
  if (known) {
    if (known.body_hash !== key.bodyHash)
      throw new HubError('IDEMPOTENCY_CONFLICT', { hours: limits.idempotencyMs / 3_600_000 })
    if (known.answer === null) throw new HubError('IDEMPOTENCY_IN_PROGRESS', {}, { retryAfter: 1 })
    return JSON.parse(hub.vault.open('answer', known.answer)) as T
  }
  const letGo = holdOn(hub, id, now)
  try {
    return await work(async (tx, answer) => {
      const sealed = hub.vault.seal('answer', await written(answer))
      // The call took longer than its claim, and another call has the key now. Undo the effect.
      if (!(await rows.keepAnswer(tx, id, now, sealed)))
        throw new HubError('IDEMPOTENCY_IN_PROGRESS', {}, { retryAfter: 1 })
    })
  } catch (error) {
    await release(hub, id, now).catch((failed: unknown) => {
      if (hub.db.isBusy(failed)) void releaseLater(hub, id, now)
    })
    throw error
  } finally {
    letGo()
  }
}

/**
 * Renews the claim until the returned function is called. If that fails for long, another call may
 * take the key.
 */
function holdOn(hub: Hub, id: rows.KeyId, since: number): () => void {
  let isOver = false
  let timer: NodeJS.Timeout
  const wait = () => {
    timer = setTimeout(() => void renew(), renewMs).unref()
  }
  const renew = async () => {
    await hub.db
      .transact((tx) => rows.renewKey(tx, id, since, hub.clock.now() + heldMs))
      .catch((error: unknown) =>
        hub.log.warn({ err: error }, 'the claim of an Idempotency-Key could not be renewed'),
      )
    if (!isOver) wait()
  }
  wait()
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

/** The answer to a call with thousands of requests is long. */
async function written(answer: unknown): Promise<string> {
  const { items, ...rest } = (answer ?? {}) as { items?: unknown }
  if (!Array.isArray(items)) return JSON.stringify(answer)
  const write = (from: number, until: number) => [
    JSON.stringify(items.slice(from, until)).slice(1, -1),
  ]
  let list = ''
  for await (const text of writeInTurns(items.length, ',', write)) list += text
  return `${JSON.stringify({ ...rest, items: [] }).slice(0, -2)}${list}]}`
}

/** Does nothing if the effect was committed after all: then the key has its answer. */
const release = (hub: Hub, id: rows.KeyId, since: number): Promise<void> =>
  hub.db.transact((tx) => rows.freeKey(tx, id, since))

async function releaseLater(hub: Hub, id: rows.KeyId, since: number): Promise<void> {
  for (const ms of releaseMs) {
    await delay(ms, undefined, { ref: false })
    try {
      return await release(hub, id, since)
    } catch (error) {
      if (!hub.db.isBusy(error)) return
    }
  }
}

/** Part of the sweep: removes expired keys. */
export const forgetOldKeys = (hub: Hub): Promise<void> =>
  hub.db.transact((tx) => rows.forgetKeys(tx, hub.clock.now() - limits.idempotencyMs))
