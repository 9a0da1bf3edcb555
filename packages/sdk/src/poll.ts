/**
 * Polling of status updates (specification, "Events"): every 60 minutes unless told otherwise, oldest first. An update is
 * acknowledged only when its handler has succeeded; one that was handled but could not be acknowledged is not handled
 * twice. A failed one comes again, and holds back the later ones of its job.
 */
import type { StatusUpdate } from '@dragoman/contract/wire'
import type { Calls, Each } from './client.ts'
import { pause } from './clock.ts'
import type { KeptTexts } from './kept-texts.ts'

export type PollOptions = {
  readonly everyMs?: number
  readonly signal?: AbortSignal
  /** Also updates that a listener acknowledged implicitly: the hub's whole ledger is read on from where we stopped. */
  readonly ledger?: boolean
  /** What could not be asked for or handled; polling goes on. Without it the first failure ends the polling. */
  readonly onError?: (error: unknown, update?: StatusUpdate) => void
}

export type UpdateHandler = (update: StatusUpdate) => Promise<void> | void

export type Polling = {
  /** Until the signal says so; then it resolves. */
  poll(handle: UpdateHandler, options?: PollOptions): Promise<void>
  /** One round; answers how many updates were handled. */
  pollOnce(handle: UpdateHandler, options?: Omit<PollOptions, 'everyMs'>): Promise<number>
}

/** The specification's default. */
export const usualPollMs = 60 * 60_000
const handledKey = (updateId: string) => `handled ${updateId}`
const sequenceKey = 'sequence'

export function openPolling(calls: Pick<Calls, 'acknowledgeStatusUpdate'>, each: Each, kept: KeptTexts): Polling {
  const handleOne = async (update: StatusUpdate, handle: UpdateHandler, signal?: AbortSignal): Promise<boolean> => {
    const key = handledKey(update.updateId)
    const isNew = (await kept.get(key)) === undefined
    if (isNew) await handle(update)
    await kept.set(key, '')
    await calls.acknowledgeStatusUpdate({ params: { updateId: update.updateId } }, signal && { signal })
    await kept.remove(key)
    return isNew
  }

  const pollOnce: Polling['pollOnce'] = async (handle, { signal, ledger, onError } = {}) => {
    const since = ledger ? Number((await kept.get(sequenceKey)) ?? 0) : undefined
    const query = since === undefined ? {} : { since, acknowledged: 'all' as const }
    const heldBack = new Set<string>()
    let handled = 0
    let reached = since
    for await (const update of each('listStatusUpdates', { query }, signal && { signal })) {
      signal?.throwIfAborted()
      if (heldBack.has(update.jobId)) continue
      try {
        if (await handleOne(update, handle, signal)) handled += 1
      } catch (error) {
        if (!onError || signal?.aborted) throw error
        heldBack.add(update.jobId)
        onError(error, update)
      }
      // The mark stays before the first that failed: what comes after it is read again.
      if (reached !== undefined && heldBack.size === 0) {
        reached = update.sequence
        await kept.set(sequenceKey, String(reached))
      }
    }
    return handled
  }

  const poll: Polling['poll'] = async (handle, { everyMs = usualPollMs, signal, ...options } = {}) => {
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
