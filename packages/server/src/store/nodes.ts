/**
 * The nodes of one database: each says now and then that it lives. Only for counting (the throttle is shared when there
 * are several) and for an operator's eyes; leases, not this table, decide who may run a task.
 */
import type { Db, Engine } from './engine.ts'

/** How often a node says that it lives. */
export const beatMs = 5_000
/** Unseen for longer, it is taken for dead. */
const deadAfterMs = 4 * beatMs
const forgottenAfterMs = 86_400_000

export type Node = { readonly nodeId: string; readonly version: string; readonly startedAt: number }

/** Writes that the node lives, and forgets those dead for a day. */
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
