/**
 * Polls status updates (specification, "Events"): every 60 minutes by default, oldest first. An
 * update is acknowledged only after its handler has succeeded; if acknowledging fails, the update
 * is not handled twice. A failed one is repeated, and holds back later ones of its job.
 */
import type { StatusUpdate } from '@dragoman/contract/wire'
import type { Calls, Each } from './client.ts'
import { pause } from './clock.ts'
import type { KeptTexts } from './kept-texts.ts'

export type PollOptions = {
  readonly everyMs?: number
  readonly signal?: AbortSignal
  /**
   * Includes updates that a listener acknowledged implicitly: continues reading the hub's whole
   * ledger.
   */
  readonly ledger?: boolean
  /**
   * Called with failures to fetch or handle; polling continues. Without it the first failure ends
   * polling.
   */
  readonly onError?: (error: unknown, update?: StatusUpdate) => void
}

export type UpdateHandler = (update: StatusUpdate) => Promise<void> | void

export type Polling = {
  /** Resolves when the signal aborts. */
  poll(handle: UpdateHandler, options?: PollOptions): Promise<void>
  /** One round; returns how many updates were handled. */
  pollOnce(handle: UpdateHandler, options?: Omit<PollOptions, 'everyMs'>): Promise<number>
}

/** The specification's default. */
export const usualPollMs = 60 * 60_000
const handledKey = (updateId: string) => `handled ${updateId}`
const sequenceKey = 'sequence'
const acknowledged = 'acknowledged'

export function openPolling(
  calls: Pick<Calls, 'acknowledgeStatusUpdate'>,
  each: Each,
  kept: KeptTexts,
): Polling {
  /**
   * Returns whether it was new. Handled updates are remembered until the round has passed them, or
   * they would be handled again.
   */
  const handleOne = async (
    update: StatusUpdate,
    handle: UpdateHandler,
    signal?: AbortSignal,
  ): Promise<boolean> => {
    const key = handledKey(update.updateId)
    const known = await kept.get(key)
    if (known === acknowledged) return false
    if (known === undefined) {
      await handle(update)
      await kept.set(key, '')
    }
    await calls.acknowledgeStatusUpdate(
      { params: { updateId: update.updateId } },
      signal && { signal },
    )
    return known === undefined
  }

  const pollOnce: Polling['pollOnce'] = async (handle, { signal, ledger, onError } = {}) => {
    const query = ledger
      ? { since: Number((await kept.get(sequenceKey)) ?? 0), acknowledged: 'all' as const }
      : {}
    const heldBack = new Set<string>()
    let handled = 0
    for await (const update of each('listStatusUpdates', { query }, signal && { signal })) {
      signal?.throwIfAborted()
      if (heldBack.has(update.jobId)) continue
      try {
        if (await handleOne(update, handle, signal)) handled += 1
      } catch (error) {
        if (!onError || signal?.aborted) throw error
        heldBack.add(update.jobId)
        onError(error, update)
        continue
      }
      // The ledger position stays before the first failure: later updates are read again, and
      // recognised as handled.
      if (ledger && heldBack.size > 0) {
        await kept.set(handledKey(update.updateId), acknowledged)
        continue
      }
      if (ledger) await kept.set(sequenceKey, String(update.sequence))
      await kept.remove(handledKey(update.updateId))
    }
    return handled
  }

  const poll: Polling['poll'] = async (
    handle,
    { everyMs = usualPollMs, signal, ...options } = {},
  ) => {
    while (!signal?.aborted) {
      try {
        await pollOnce(handle, { ...options, ...(signal && { signal }) })
      } catch (error) {
        if (signal?.aborted) return
        if (!options.onError) throw error
        options.onError(error)
      }
      await pause(everyMs, signal).catch(() => {})
    }
  }
  return { poll, pollOnce }
}
