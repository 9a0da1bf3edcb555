/**
 * A mark in a database that is being filled by a restore or a move: a table that exists only until
 * the last step. A hub does not open a marked database, so half a copy never looks like a whole
 * one.
 */

import { sql } from 'kysely'
import type { Database, Db } from './database.ts'

export type Unfinished = {
  readonly what: 'restore' | 'move'
  /** The backup, or where the files are moved to. */
  readonly detail: string
}

const unfinishedTable = 'unfinished_copy'

const looks = {
  sqlite: sql`select 1 as one from sqlite_schema where name = ${sql.lit(unfinishedTable)}`,
  postgres: sql`select 1 as one where to_regclass(${sql.lit(unfinishedTable)}) is not null`,
}

export async function readUnfinished({ name, read }: Database): Promise<Unfinished | undefined> {
  if ((await looks[name].execute(read)).rows.length === 0) return undefined
  const { rows } =
    await sql<Unfinished>`select what, detail from ${sql.table(unfinishedTable)}`.execute(read)
  return rows[0]
}

export async function markUnfinished(tx: Db, { what, detail }: Unfinished): Promise<void> {
  await sql`create table ${sql.table(unfinishedTable)} (what text not null, detail text not null)`.execute(
    tx,
  )
  await sql`insert into ${sql.table(unfinishedTable)} (what, detail) values (${what}, ${detail})`.execute(
    tx,
  )
}

export async function markFinished(tx: Db): Promise<void> {
  await sql`drop table ${sql.table(unfinishedTable)}`.execute(tx)
}
