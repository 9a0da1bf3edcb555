/** Handlers of what the console shows before a person has chosen a thing, one line each. */
import { countOpen } from '../../domain/findings/count-open.ts'
import { countJobs } from '../../domain/jobs/count-jobs.ts'
import { findThings } from '../../domain/search/find-things.ts'
import type { ConsoleHandlers } from './session.ts'

export const overviewHandlers = {
  findThings: (hub, call, { query }) => findThings(hub, call, query),
  countJobs: (hub, call, { query }) => countJobs(hub, call, query),
  countOpen: (hub, call) => countOpen(hub, call),
} satisfies Partial<ConsoleHandlers>
