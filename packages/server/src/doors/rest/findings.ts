/** Handlers of findings and nodes, one line each. */
import { listFindings } from '../../domain/operations/findings/list-findings.ts'
import { remedyFinding } from '../../domain/operations/findings/remedy-finding.ts'
import { listNodes } from '../../domain/operations/tasks/nodes.ts'
import type { Handlers } from './bind.ts'

export const findingHandlers = {
  listFindings: (hub, call, { query }) => listFindings(hub, call, query),
  remedyFinding: (hub, call, { params }) => remedyFinding(hub, call, params.findingId),
  listNodes: (hub, call, { query }) => listNodes(hub, call, query),
} satisfies Partial<Handlers>
