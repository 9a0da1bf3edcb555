/**
 * The queue in front of the call log: a call adds its row and returns. Rows are written after at
 * most a second, or once 500 are queued; a row shared by several calls is written when its minute
 * ends. If the database cannot keep up, the oldest rows are dropped and counted: the log never
 * delays or fails a call.
 */
import {
  maxBatchCalls,
  type RecordedCall,
  recordCalls,
} from '../../domain/views/history/record-calls.ts'
import type { Hub } from '../../hub.ts'
import { type Fate, isOver, openTally, type RowBudget } from './call-tally.ts'

export type CallLog = {
  /** Returns what happens to the call. Never throws, never waits. */
  add(call: RecordedCall): Fate
  /** Writes the queued rows. Never rejects. */
  flush(): Promise<void>
  /** Flushes once more; calls added later are dropped. */
  close(): Promise<void>
}

export type CallLogOptions = {
  everyMs?: number
  batch?: number
  maxRows?: number
  maxAMinute?: RowBudget
  dropped?: (many: number) => void
  /** Called for each row that stands for several calls. */
  shared?: (call: RecordedCall) => void
}

/** Characters of bodies in the queue. */
const maxText = 16 * 1024 ** 2
const textOf = (call: RecordedCall): number =>
  (call.callBody?.length ?? 0) + (call.answerBody?.length ?? 0)

export function openCallLog(hub: Hub, options: CallLogOptions = {}): CallLog {
  const {
    everyMs = 1_000,
    batch = maxBatchCalls,
    maxRows = 10_000,
    dropped = () => {},
    shared = () => {},
  } = options
  const tally = openTally(hub, options.maxAMinute)
  let queue: RecordedCall[] = []
  let text = 0
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined
  let closed = false
  /** After an error only the timer retries. */
  let resting = false

  const drop = (): void => {
    let many = 0
    while (queue.length - many > maxRows || text > maxText) {
      const oldest = queue[many]
      if (!oldest) break
      text -= textOf(oldest)
      many += 1
    }
    if (many === 0) return
    queue = queue.slice(many)
    dropped(many)
  }

  const release = (): void => {
    const released = tally.release(closed)
    for (const call of released) if ((call.count ?? 1) > 1 || isOver(call)) shared(call)
    // They are older than the queued ones.
    if (released.length > 0) queue = [...released, ...queue]
  }

  const write = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    release()
    // Rows that arrive meanwhile wait for the next batch: a busy hub would else write and flush a
    // few rows at a time, which takes three times the processor time per row.
    for (let left = queue.length; left > 0 && queue.length > 0; ) {
      const calls = queue.slice(0, Math.min(left, maxBatchCalls))
      queue = queue.slice(calls.length)
      left -= calls.length
      try {
        await recordCalls(hub, calls)
        for (const call of calls) text -= textOf(call)
        resting = false
      } catch (error) {
        hub.log.warn({ err: error, calls: calls.length }, 'the call log could not be written')
        // Rows that the database rejects for their content would be rejected again.
        if (closed || !hub.db.isBusy(error)) {
          for (const call of calls) text -= textOf(call)
          dropped(calls.length)
        } else {
          resting = true
          queue = [...calls, ...queue]
          drop()
          return
        }
      }
    }
  }

  const flush = (): Promise<void> => {
    flushing ??= write().finally(() => {
      flushing = undefined
      if (queue.length > 0 || !tally.isEmpty) wait()
    })
    return flushing
  }

  const wait = (): void => {
    if (timer || closed) return
    timer = setTimeout(flush, everyMs)
    timer.unref()
  }

  return {
    add: (call) => {
      if (closed) {
        dropped(1)
        return 'own'
      }
      const fate = tally.take(call)
      if (fate === 'own') {
        queue.push(call)
        text += textOf(call)
        if (queue.length > maxRows || text > maxText) drop()
      }
      if (queue.length >= batch && !flushing && !resting) void flush()
      else wait()
      return fate
    },
    flush: async () => {
      await flushing
      await flush()
    },
    close: async () => {
      closed = true
      await flushing
      await flush()
      clearTimeout(timer)
    },
  }
}
