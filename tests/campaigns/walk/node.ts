/** Nodes that can die: in this process, which is cheap, or in one of their own, which is SIGKILL. */
import { startServer } from '@dragoman/server'
import { readConfig } from '../../../packages/server/src/config/config.ts'
import type { Hub } from '../../../packages/server/src/hub.ts'
import { openLog } from '../../../packages/server/src/process/log.ts'
import type { Env } from '../../hub.ts'
import { startFaultNode } from '../round-node.ts'

export type WalkNode = {
  readonly url: string
  isDead(): boolean
  /** It dies at this point from now on; undefined: not any more. */
  arm(points: number | undefined): Promise<void>
  close(): Promise<void>
}
export type StartNode = (env: Env) => Promise<WalkNode>

/**
 * In this process. It dies at a transaction: what it has not committed is rolled back, and it
 * writes nothing afterwards.
 */
export const startHere: StartNode = async (env) => {
  let left: number | undefined
  let dead = false
  const point = () => {
    if (left !== undefined) {
      left -= 1
      dead ||= left <= 0
    }
    if (dead) throw new Error('This node is dead.')
  }
  const wrap = (hub: Hub): Hub => ({
    ...hub,
    db: {
      ...hub.db,
      transact: async (work) => {
        point()
        const result = await hub.db.transact(async (tx) => {
          const found = await work(tx)
          point()
          return found
        })
        point()
        return result
      },
    },
  })
  const server = await startServer(readConfig(env), { log: openLog('silent'), wrap })
  return {
    url: server.url,
    isDead: () => dead,
    arm: async (points) => {
      left = points
    },
    close: () => server.close(),
  }
}

/** The built hub in a process of its own, which kills itself. */
export const startProcessNode: StartNode = async (env) => {
  const node = await startFaultNode({ ...env, FAULT_PLAIN: '1' })
  if (!node) throw new Error('The hub died though nothing was armed.')
  return {
    url: node.url,
    isDead: () => !node.isAlive(),
    arm: async (points) => {
      // It may die before it hears of it.
      const told = points === undefined ? node.arm() : node.armAfter(points)
      await Promise.race([told.catch(() => {}), node.exited])
    },
    close: () => node.close(),
  }
}
