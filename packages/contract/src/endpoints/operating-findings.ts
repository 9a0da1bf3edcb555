/** Contract, section 12: what a person should look at, and the nodes of the hub. */
import { Finding, FindingsQuery, findingPath, Remedied } from '../schemas/operating/finding.ts'
import { Node } from '../schemas/operating/node.ts'
import { PageQuery } from '../schemas/parts.ts'
import { rows } from './row.ts'

const findings = { tag: 'Operating', scope: ['admin', 'operator'] } as const

export const findingEndpoints = rows({
  listFindings: {
    ...findings,
    roles: ['developer', 'manager', 'admin', 'operator'],
    call: 'GET /findings',
    says: 'List what a person should look at, by rule, oldest first; an admin gets the findings of the site, an operator those of the hub',
    query: FindingsQuery,
    answers: Finding,
    collection: 'findings',
    fails: [],
  },
  remedyFinding: {
    ...findings,
    call: 'POST /findings/{findingId}/remedy',
    says: 'Apply the remedy that a finding offers',
    params: findingPath,
    answers: Remedied,
    fails: ['FINDING_NOT_FOUND', 'FINDING_GONE', 'FINDING_WITHOUT_REMEDY'],
  },
  listNodes: {
    call: 'GET /nodes',
    says: 'List the nodes of the hub, newest first',
    tag: 'Operating',
    scope: 'operator',
    query: PageQuery,
    answers: Node,
    collection: 'nodes',
    fails: [],
  },
})
