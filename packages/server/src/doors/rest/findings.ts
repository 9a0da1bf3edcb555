/** Handlers of findings and nodes, one line each. */
import { listFindings } from '../../domain/findings/list-findings.ts'
import { remedyFinding } from '../../domain/findings/remedy-finding.ts'
import { listNodes } from '../../domain/operations/nodes.ts'
import type { Handlers } from './bind.ts'

export const findingHandlers = {
  listFindings: (hub, call, { query }) => listFindings(hub, call, query),
  remedyFinding: (hub, call, { params }) => remedyFinding(hub, call, params.findingId),
  listNodes: (hub, call, { query }) => listNodes(hub, call, query),
} satisfies Partial<Handlers>
