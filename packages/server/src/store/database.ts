/**
 * The port of the database. One schema and one set of Kysely queries serve both databases; all
 * differences are in this object. A result of `transact` is durable: committed and flushed before
 * the promise resolves.
 */
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'
import type { Lane } from './tasks/lanes.ts'

/** A reader or an open transaction: what every `*-rows.ts` function takes. */
export type Db = Kysely<Tables>

export type CopyFormat = 'SQLite' | 'PostgreSQL'

/** All rows at one moment. */
export type DatabaseCopy = {
  /** The database that can read the file. */
  readonly format: CopyFormat
  /** Shows exactly the rows of the copy. */
  readonly rows: Db
  /** The copy as a file. */
  bytes(): AsyncIterable<Uint8Array>
}

export type Database = {
  readonly name: 'sqlite' | 'postgres'
  /** For reads outside a transaction. On SQLite it is a second, read-only connection. */
  readonly read: Db
  /**
   * One transaction, all or nothing; restarted when the database reports a conflict, so `work` must
   * have no effect outside `tx`. SQLite has one writer: never await network or files inside.
   */
  transact<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Whether transactions run in parallel; SQLite runs one at a time. */
  readonly hasManyWriters: boolean
  /**
   * Whether this process is certainly the only node, so that leases of earlier processes are void.
   */
  readonly isAlone: boolean
  /** Called inside a transaction that adds tasks: wakes every node's runner if it commits. */
  tasksAdded(tx: Db, lanes?: readonly Lane[]): Promise<void>
  /**
   * Calls `wake` when tasks were added, here or on another node, with their lanes. Only a hint:
   * polling finds every task.
   */
  onTasksAdded(wake: (lanes: readonly Lane[]) => void): Promise<() => Promise<void>>
  /** A unique key is already taken, by a concurrent writer for example. */
  isConflict(error: unknown): boolean
  /**
   * The database cannot answer now (connection lost, locked, disk full): the caller may retry
   * later.
   */
  isBusy(error: unknown): boolean
  /**
   * Copies the database beside running writers, without holding them up. The copy is gone when
   * `work` ends.
   */
  withCopy<T>(work: (copy: DatabaseCopy) => Promise<T>): Promise<T>
  /** Runs a real query; throws if the database does not answer. */
  ready(): Promise<void>
  close(): Promise<void>
}
