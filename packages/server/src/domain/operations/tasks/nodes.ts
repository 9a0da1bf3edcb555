/**
 * The nodes of the hub, for its operators (contract, section 12). A node that has stopped cleanly
 * is not among them.
 */
import {
  type Endpoints,
  findingRules,
  formatTime,
  type Input,
  type Node,
  type nodeStates,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { readPage } from '../../../store/filtered-page.ts'
import { selectNodes } from '../../../store/nodes.ts'
import type { Page } from '../../../store/page.ts'
import { type Call, noSite } from '../../access/caller.ts'
import { countRunning } from './task-count-rows.ts'

export type NodeState = {
  readonly nodeId: string
  readonly host: string
  readonly version: string
  readonly state: (typeof nodeStates)[number]
  readonly startedAt: number
  readonly seenAt: number
  readonly skewMs: number | null
}

export async function nodesOf(hub: Hub, db: Db): Promise<NodeState[]> {
  const silentSince = hub.clock.now() - findingRules['node-vanished'].after
  const nodes = await selectNodes(db)
  return nodes.map((row) => {
    // This node is alive, even if the sandbox clock has been moved since its last heartbeat.
    const isSilent = row.seen_at < silentSince && row.node_id !== hub.nodeId
    return {
      nodeId: row.node_id,
      host: row.host ?? 'an unknown host',
      version: row.version,
      state: isSilent ? 'vanished' : row.stopping_at === null ? 'running' : 'stopping',
      startedAt: row.started_at,
      seenAt: row.seen_at,
      skewMs: row.skew_ms,
    }
  })
}

export async function listNodes(
  hub: Hub,
  _: Call,
  asked: Input<Endpoints['listNodes']>['query'],
): Promise<Page<Node>> {
  const { read } = hub.db
  const { rows, next } = await readPage(
    { vault: hub.vault, siteId: noSite, name: 'nodes' },
    asked,
    async (_, { after = [], limit }) => {
      const [startedAt, nodeId] = after as [number?, string?]
      const isAfter = (node: NodeState) =>
        startedAt === undefined ||
        node.startedAt < startedAt ||
        (node.startedAt === startedAt && node.nodeId > (nodeId ?? ''))
      return (await nodesOf(hub, read)).filter(isAfter).slice(0, limit)
    },
    ({ startedAt, nodeId }) => [startedAt, nodeId],
  )
  const tasks = await countRunning(read, hub.clock.now())
  const items = rows.map((node) => describe(node, tasks.get(node.nodeId) ?? 0))
  return { items, ...(next !== undefined && { next }) }
}

const describe = ({ skewMs, startedAt, seenAt, ...node }: NodeState, tasks: number): Node => ({
  ...node,
  startedDate: formatTime(startedAt),
  seenDate: formatTime(seenAt),
  ...(skewMs === null ? {} : { clockSkewMs: skewMs }),
  tasks,
})
