/**
 * The queue before the call log: a call adds its row and goes on. Rows are written a second later at the latest, or
 * when 200 have gathered; calls that share a row, when their minute is over. When the database cannot follow, the oldest
 * rows are dropped and counted: a log never slows or fails a call.
 */
import { mostCallsAtOnce, type RecordedCall, recordCalls } from '../../domain/upkeep/record-calls.ts'
import type { Hub } from '../../hub.ts'
import { type Fate, isOver, type Most, openTally } from './call-tally.ts'

export type CallLog = {
  /** Says what becomes of the call. Never throws, never waits. */
  add(call: RecordedCall): Fate
  /** Writes what has gathered. Never rejects. */
  flush(): Promise<void>
  /** The last flush; what is added later is dropped. */
  close(): Promise<void>
}

export type CallLogOptions = {
  everyMs?: number
  batch?: number
  mostRows?: number
  mostAMinute?: Most
  dropped?: (many: number) => void
  /** Told of each row that stands for several calls. */
  shared?: (call: RecordedCall) => void
}

/** Of bodies in the queue, in characters. */
const mostText = 16 * 1024 ** 2
const textOf = (call: RecordedCall): number => (call.callBody?.length ?? 0) + (call.answerBody?.length ?? 0)

export function openCallLog(hub: Hub, options: CallLogOptions = {}): CallLog {
  const { everyMs = 1_000, batch = 200, mostRows = 10_000, dropped = () => {}, shared = () => {} } = options
  const tally = openTally(hub, options.mostAMinute)
  let queue: RecordedCall[] = []
  let text = 0
  let timer: NodeJS.Timeout | undefined
  let flushing: Promise<void> | undefined
  let closed = false
  /** After trouble the timer alone tries again. */
  let resting = false

  const drop = (): void => {
    let many = 0
    while (queue.length - many > mostRows || text > mostText) {
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
    // They are older than what waits.
    if (released.length > 0) queue = [...released, ...queue]
  }

  const write = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    release()
    while (queue.length > 0) {
      const calls = queue.slice(0, mostCallsAtOnce)
      queue = queue.slice(mostCallsAtOnce)
      try {
        await recordCalls(hub, calls)
        for (const call of calls) text -= textOf(call)
        resting = false
      } catch (error) {
        hub.log.warn({ err: error, calls: calls.length }, 'the call log could not be written')
        // Rows that the database refuses for themselves would be refused again.
        if (closed || !hub.engine.isBusy(error)) {
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
        if (queue.length > mostRows || text > mostText) drop()
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
