/**
 * The nodes of one database: each writes a heartbeat. Used only to count them (the throttle is shared if there are several) and
 * to show them to operators; leases, not this table, decide which node runs a task.
 */
import type { Db, Engine } from './engine.ts'

/** How often a node writes its heartbeat. */
export const beatMs = 5_000
/** A node not seen for this long counts as dead. */
const deadAfterMs = 4 * beatMs
const forgottenAfterMs = 86_400_000

export type Node = { readonly nodeId: string; readonly version: string; readonly startedAt: number }

/** Writes this node's heartbeat, and deletes nodes that have been dead for a day. */
export async function beatNode(engine: Engine, node: Node, now: number): Promise<void> {
  await engine.transact(async (tx) => {
    await tx
      .insertInto('nodes')
      .values({ node_id: node.nodeId, version: node.version, started_at: node.startedAt, seen_at: now })
      .onConflict((conflict) => conflict.column('node_id').doUpdateSet({ seen_at: now }))
      .execute()
    await tx
      .deleteFrom('nodes')
      .where('seen_at', '<', now - forgottenAfterMs)
      .execute()
  })
}

export async function removeNode(engine: Engine, nodeId: string): Promise<void> {
  await engine.transact((tx) => tx.deleteFrom('nodes').where('node_id', '=', nodeId).execute())
}

export async function countLiveNodes(db: Db, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('nodes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('seen_at', '>', now - deadAfterMs)
    .executeTakeFirstOrThrow()
  return Number(count)
}
