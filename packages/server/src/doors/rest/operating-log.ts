/** Handlers of the call log, the timeline of a job and the audit log, one line each. */

import { findCassette } from '../../domain/upstream/cassette.ts'
import { listTimeline } from '../../domain/views/history/job-timeline.ts'
import { listActs } from '../../domain/views/history/list-acts.ts'
import { findCall, listCalls } from '../../domain/views/history/list-calls.ts'
import type { Handlers } from './bind.ts'

export const operatingLogHandlers = {
  listCalls: (hub, call, { query }) => listCalls(hub, call, query),
  findCall: (hub, call, { params }) => findCall(hub, call, params.traceId),
  listTimeline: (hub, call, { params, query }) => listTimeline(hub, call, params.jobId, query),
  findCassette: (hub, call, { params }) => findCassette(hub, call, params.jobId),
  listAudit: (hub, call, { query }) => listActs(hub, call, query),
} satisfies Partial<Handlers>
