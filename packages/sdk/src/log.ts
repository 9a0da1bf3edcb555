/**
 * The transaction log, which the specification requires of every connector: one entry for each
 * call, including failed ones. No entry holds a token, a secret or content.
 */
import { now } from './clock.ts'

export type Transaction = {
  /** The time is in UTC, with milliseconds. */
  readonly time: string
  readonly method: string
  /** Without the query, which may contain signatures. */
  readonly path: string
  /** 0 if there was no response. */
  readonly status: number
  readonly durationMs: number
  /** Counts from 1; each retry of the same call has the next number. */
  readonly attempt: number
  /** Identifies the call in the hub's own log. */
  readonly traceId?: string
}

/** Receives an entry; a returned promise is not awaited, and its failure does not fail the call. */
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
