/**
 * The port of the database. One schema and one set of Kysely queries serve both engines; what differs is in this object
 * and nowhere else. A value given back by `transact` is durable: committed and flushed before the promise resolves.
 */
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'
import type { Lane } from './tasks/lanes.ts'

/** Either a reader or an open transaction: what every `*-rows.ts` function takes. */
export type Db = Kysely<Tables>

export type Engine = {
  readonly name: 'sqlite' | 'postgres'
  /** For reading outside a transaction. It refuses to write on SQLite, where it is a second, read-only connection. */
  readonly read: Db
  /**
   * One transaction, all or nothing; begun again from the start when the database reports a conflict, so `work` must
   * have no effect outside `tx`. On SQLite there is one writer: never await network or files inside.
   */
  transact<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Whether transactions run side by side; SQLite runs one at a time. */
  readonly hasManyWriters: boolean
  /** Whether this process is sure to be the only node: what another one held, died with it. */
  readonly isAlone: boolean
  /** Called inside a transaction that adds tasks: wakes every node's runner when (and only if) it commits. */
  tasksAdded(tx: Db, lanes?: readonly Lane[]): Promise<void>
  /** Tells `wake` when tasks were added, here or on another node, and where. Only a hint: polling is the truth. */
  onTasksAdded(wake: (lanes: readonly Lane[]) => void): Promise<() => Promise<void>>
  /** Two writers met: a unique key is taken. */
  isConflict(error: unknown): boolean
  /** The database cannot answer now (connection lost, locked, disk full): the caller may try again later. */
  isBusy(error: unknown): boolean
  /** Asks the database a real question; throws when it does not answer. */
  ready(): Promise<void>
  close(): Promise<void>
}
