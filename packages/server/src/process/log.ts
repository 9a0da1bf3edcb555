/**
 * The log: JSON lines on standard error; standard output has only the ready line. Every line is
 * scrubbed, repeated warnings are counted, and a log that cannot be written (disk full, reader
 * gone) never stops the hub.
 */
import {
  type Bindings,
  type ChildLoggerOptions,
  destination,
  type LogFn,
  type Logger,
  type LoggerOptions,
  pino,
} from 'pino'
import { scrub, scrubText } from './scrub.ts'

/**
 * Lines per minute with the same message, from `warn` on: callers can trigger some of them at will.
 */
const maxAlike = 100
const minuteMs = 60_000
const maxMessages = 1_000
const warn = 40

/** Reports how many lines were left out, by message, when the minute ends. */
function openRepeats(elapsed: () => number) {
  let since = elapsed()
  let said = new Map<string, number>()
  return {
    turn: (): { message: string; repeats: number }[] => {
      if (elapsed() - since < minuteMs) return []
      const over = [...said].filter(([, lines]) => lines > maxAlike)
      since = elapsed()
      said = new Map()
      return over.map(([message, lines]) => ({ message, repeats: lines - maxAlike }))
    },
    isTooMany: (message: string): boolean => {
      const lines = (said.get(message) ?? 0) + 1
      if (lines > 1 || said.size < maxMessages) said.set(message, lines)
      return lines > maxAlike
    },
  }
}

const optionsWith = (
  repeats: ReturnType<typeof openRepeats>,
  flush: () => void,
): LoggerOptions => ({
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: (value) => value },
  formatters: {
    level: (level) => ({ level }),
    log: (record) => scrub(record) as Record<string, unknown>,
  },
  hooks: {
    logMethod(args: unknown[], write: LogFn, level: number) {
      const [first, ...rest] = args
      if (level >= warn) {
        for (const { message, repeats: many } of repeats.turn())
          write.apply(this, [{ repeats: many }, message])
        const message = [first, rest[0]].find((part) => typeof part === 'string')
        if (repeats.isTooMany(scrubText(String(message ?? first)))) return
      }
      const said = rest.map((part) => (typeof part === 'string' ? scrubText(part) : scrub(part)))
      const spoken = typeof first === 'string' ? scrubText(first) : first
      // pino would copy a bare error's message to the line unscrubbed.
      const line =
        first instanceof Error
          ? [{ err: first }, ...(said.length > 0 ? said : [scrubText(first.message)])]
          : undefined
      write.apply(this, (line ?? [spoken, ...said]) as Parameters<LogFn>)
      if (level >= warn) flush()
    },
  },
})

type Options = {
  readonly elapsed?: () => number
  /**
   * Lines are written together: after at most this many milliseconds, once there are 4 KiB, with
   * the next warning, and when the process exits. A write for each line takes 5 % of the processor
   * time of a read by id. 0 writes each at once.
   */
  readonly gatherMs?: number
}

/** `to` is a file descriptor or a path; standard error by default. */
export function openLog(level: string, to: number | string = 2, options: Options = {}): Logger {
  const { elapsed = () => performance.now(), gatherMs = 0 } = options
  const gathers = gatherMs > 0
  const lines = destination({
    dest: to,
    sync: true,
    ...(gathers && { minLength: 4_096, periodicFlush: gatherMs }),
  })
  lines.on('error', () => {})
  // flushSync() would try for ever where nothing can be written.
  const flush = () => lines.flush()
  if (gathers) process.once('exit', flush)
  const log = pino({ ...optionsWith(openRepeats(elapsed), flush), level }, lines)
  const child = log.child
  // pino's formatters do not see a child's bindings; grandchildren inherit this function.
  log.child = function (this: Logger, bindings: Bindings, ...more: [ChildLoggerOptions?]) {
    return Reflect.apply(child, this, [scrub(bindings), ...more])
  } as typeof log.child
  return log
}
