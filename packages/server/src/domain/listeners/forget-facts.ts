/**
 * Bounds what the hub stores about attempts besides their outcome (the headers and the first bytes
 * of the response): 30 days, and a number of bytes over all sites; the oldest go first. Runs daily,
 * and whenever a node has written a sixteenth of the bound, because receivers decide how much they
 * answer.
 */
import { limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import type { Db } from '../../store/database.ts'
import { newTraceId } from '../../store/ids.ts'
import type { AttemptRow } from '../../store/tables.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import { clearFacts, clearOldFacts, sumFacts } from './fact-rows.ts'

export const forgetTask = 'forget-delivery-facts'
const batchSize = 500

/** What this node has written since it last asked for the task. */
export const factsWritten = perHub(() => ({ bytes: 0 }))

/** Runs in the transaction that writes the attempts. */
export async function noteFacts(hub: Hub, tx: Db, attempts: readonly AttemptRow[]): Promise<void> {
  const written = factsWritten(hub)
  for (const { call_headers, answer_head } of attempts)
    written.bytes += (call_headers?.length ?? 0) + (answer_head?.length ?? 0)
  if (written.bytes < limits.deliveryFactsBytes / 16) return
  written.bytes = 0
  const now = hub.clock.now()
  await addTasks(hub.db, tx, now, [
    {
      name: forgetTask,
      payload: {},
      key: forgetTask,
      dueAt: now,
      causeId: `schedule:${newTraceId()}`,
    },
  ])
}

/**
 * Looks at the attempts from the newest on, in slices; below the slice that exceeds the bound,
 * facts are cleared.
 */
export async function forgetFacts(
  hub: Hub,
  { maxBytes, sliceSize }: { maxBytes: number; sliceSize: number } = {
    maxBytes: limits.deliveryFactsBytes,
    sliceSize: 2_000,
  },
): Promise<void> {
  const { db } = hub
  const before = hub.clock.now() - limits.deliveryLogMs
  while ((await db.transact((tx) => clearOldFacts(tx, before, batchSize))) === batchSize);
  let bytes = 0
  let below = Number.MAX_SAFE_INTEGER
  for (;;) {
    const slice = await sumFacts(db.read, below, sliceSize)
    if (!slice) return
    bytes += slice.bytes
    // Facts are cleared from some attempt downwards, so a slice without any is the end.
    if (bytes > maxBytes && (await db.transact((tx) => clearFacts(tx, slice.lowest, below))) === 0)
      return
    below = slice.lowest
  }
}
