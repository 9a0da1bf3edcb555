/** Handlers of what the page of a job asks. */
import { findJobLanes } from '../../domain/history/job-lanes.ts'
import type { ConsoleHandlers } from './session.ts'

export const jobHandlers = {
  findJobLanes: (hub, call, { params }) => findJobLanes(hub, call, params.jobId),
} satisfies Partial<ConsoleHandlers>
