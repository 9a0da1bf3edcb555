/** Contract, section 12: what happened. The call log, the timeline of a job, the audit log. */

import { roles } from '../schemas/console/role.ts'
import { Cassette } from '../schemas/operating/cassette.ts'
import {
  AuditEntry,
  AuditQuery,
  CallsQuery,
  GivenTraceId,
  LoggedCall,
  TimelineEntry,
  TimelineQuery,
} from '../schemas/operating/operating-log.ts'
import { path } from '../schemas/parts.ts'
import Type from '../schemas/type.ts'
import { rows } from './row.ts'

const operating = { tag: 'Operating', scope: ['admin', 'operator'] } as const

export const operatingLogEndpoints = rows({
  listCalls: {
    ...operating,
    roles: ['developer', 'admin', 'operator'],
    call: 'GET /calls',
    says: 'List the calls of the site, newest first; for an operator, those of the hub',
    query: CallsQuery,
    answers: LoggedCall,
    collection: 'calls',
    fails: [],
  },
  findCall: {
    ...operating,
    roles: ['developer', 'admin', 'operator'],
    call: 'GET /calls/{traceId}',
    says: 'Read the newest call with this traceId',
    params: Type.Object({ traceId: GivenTraceId }),
    answers: LoggedCall,
    fails: ['CALL_NOT_FOUND'],
  },
  listTimeline: {
    work: true,
    tag: 'Operating',
    scope: ['content', 'admin', 'operator'],
    roles,
    call: 'GET /jobs/{jobId}/timeline',
    says: 'List what happened to a job, oldest or newest first: calls to this hub and to an upstream, moves, updates, deliveries, files, tasks, quotes',
    params: path('jobId'),
    query: TimelineQuery,
    answers: TimelineEntry,
    collection: 'timeline',
    fails: ['JOB_NOT_FOUND'],
  },
  findCassette: {
    tag: 'Operating',
    scope: 'admin',
    call: 'GET /jobs/{jobId}/cassette',
    says: 'Read the recorded calls of a job that was sent to an upstream; empty unless its provider records them',
    params: path('jobId'),
    answers: Cassette,
    fails: ['JOB_NOT_FOUND'],
  },
  listAudit: {
    ...operating,
    call: 'GET /audit',
    says: 'List administrative acts, newest first: who did what to which thing',
    query: AuditQuery,
    answers: AuditEntry,
    collection: 'audit',
    fails: [],
  },
})
