/**
 * The transaction log, which the specification asks of every connector: one entry for each call that was sent, also for
 * those that failed. No entry holds a token, a secret or content.
 */
import { now } from './clock.ts'

export type Transaction = {
  /** UTC, milliseconds. */
  readonly time: string
  readonly method: string
  /** Without the query, in which signatures may stand. */
  readonly path: string
  /** 0 where nothing was answered. */
  readonly status: number
  readonly durationMs: number
  /** Counts from 1; a retry of the same call has the next number. */
  readonly attempt: number
  /** Under which the hub's own log has the call. */
  readonly traceId?: string
}

/** Takes an entry; a promise is not waited for, and its failure is no failure of the call. */
export type LogSink = (entry: Transaction) => void | Promise<void>
export type Log = (call: Omit<Transaction, 'time' | 'durationMs'> & { begun: number }) => void

export function openLog(sink: LogSink | undefined): Log {
  if (!sink) return () => {}
  return ({ begun, ...call }) => {
    const entry = { time: new Date(begun).toISOString(), ...call, durationMs: now() - begun }
    try {
      void Promise.resolve(sink(entry)).catch(() => {})
    } catch {
      // A log that cannot be written must not stop the work.
    }
  }
}
