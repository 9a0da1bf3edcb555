/**
 * The log: JSON lines on standard error, so that standard output has the ready line alone. Nothing reaches a line before
 * it was scrubbed, and a log that cannot be written (disk full, reader gone) never takes the hub down.
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

const options: LoggerOptions = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  serializers: { err: (value) => value },
  formatters: {
    level: (level) => ({ level }),
    log: (record) => scrub(record) as Record<string, unknown>,
  },
  hooks: {
    logMethod(args: unknown[], write: LogFn) {
      const [first, ...rest] = args
      const said = rest.map((part) => (typeof part === 'string' ? scrubText(part) : scrub(part)))
      const spoken = typeof first === 'string' ? scrubText(first) : first
      // A bare error would give its own message to the line as it stands.
      const line =
        first instanceof Error ? [{ err: first }, ...(said.length > 0 ? said : [scrubText(first.message)])] : undefined
      write.apply(this, (line ?? [spoken, ...said]) as Parameters<LogFn>)
    },
  },
}

/** `to` is a file descriptor or a path; standard error unless told. */
export function openLog(level: string, to: number | string = 2): Logger {
  const lines = destination({ dest: to, sync: true })
  lines.on('error', () => {})
  const log = pino({ ...options, level }, lines)
  const child = log.child
  // pino hands what a child is bound to past its formatters; its own children inherit this one.
  log.child = function (this: Logger, bindings: Bindings, ...more: [ChildLoggerOptions?]) {
    return Reflect.apply(child, this, [scrub(bindings), ...more])
  } as typeof log.child
  return log
}
