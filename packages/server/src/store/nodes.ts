/**
 * The nodes of one database: each writes a heartbeat. Used only to count them (the throttle is
 * shared if there are several) and to show them to operators; leases, not this table, decide which
 * node runs a task. A node that stops cleanly removes its row; one that vanished leaves it for a
 * day.
 */

import { sql } from 'kysely'
import type { Database, Db } from './database.ts'
import type { NodeRow } from './tables.ts'

/** How often a node writes its heartbeat. */
export const beatMs = 5_000
/** A node not seen for this long counts as dead. */
export const deadAfterMs = 4 * beatMs
const forgottenAfterMs = 86_400_000

export type Node = {
  readonly nodeId: string
  readonly host: string
  readonly version: string
  readonly startedAt: number
}
/**
 * The time of the heartbeat by the hub's clock, and how far that clock is ahead of the machine's.
 */
export type Beat = { readonly now: () => number; readonly offset: () => number }

/** Writes this node's heartbeat, and deletes nodes that have been dead for a day. */
export async function beatNode(db: Database, node: Node, clock: Beat): Promise<void> {
  const skew = await measureSkew(db, clock)
  const now = clock.now()
  await db.transact(async (tx) => {
    await tx
      .insertInto('nodes')
      .values({
        node_id: node.nodeId,
        host: node.host,
        version: node.version,
        started_at: node.startedAt,
        seen_at: now,
        skew_ms: skew,
      })
      .onConflict((conflict) =>
        conflict.column('node_id').doUpdateSet({ seen_at: now, skew_ms: skew }),
      )
      .execute()
    await tx
      .deleteFrom('nodes')
      .where('seen_at', '<', now - forgottenAfterMs)
      .execute()
  })
}

/**
 * How far this machine's clock is ahead of the database's; null if the database is this process.
 * The one place that asks the database for the time: to compare clocks, never to tell the time.
 * What may be the time of the query counts as no difference.
 */
async function measureSkew(db: Database, { now, offset }: Beat): Promise<number | null> {
  if (db.name !== 'postgres') return null
  const machine = () => now() - offset()
  const before = machine()
  const { rows } = await sql<{
    ms: number
  }>`select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(db.read)
  const after = machine()
  const ahead = (before + after) / 2 - Number(rows[0]?.ms)
  return Math.round(Math.sign(ahead) * Math.max(0, Math.abs(ahead) - (after - before) / 2))
}

/** The node has been told to stop and still finishes its work. */
export async function markStopping(db: Database, nodeId: string, now: number): Promise<void> {
  await db.transact((tx) =>
    tx.updateTable('nodes').set({ stopping_at: now }).where('node_id', '=', nodeId).execute(),
  )
}

export async function removeNode(tx: Db, nodeId: string): Promise<void> {
  await tx.deleteFrom('nodes').where('node_id', '=', nodeId).execute()
}

export async function countLiveNodes(db: Db, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('nodes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('seen_at', '>', now - deadAfterMs)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * All nodes that did not stop cleanly, newest first. There are few: the dead are removed after a
 * day.
 */
export const selectNodes = (db: Db): Promise<NodeRow[]> =>
  db.selectFrom('nodes').selectAll().orderBy('started_at', 'desc').orderBy('node_id').execute()
