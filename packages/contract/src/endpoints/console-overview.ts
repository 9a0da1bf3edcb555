/** The console's search, and its counts of jobs and of what needs attention. */
import { FindQuery, FoundThing, JobCounts, JobCountsQuery, OpenCounts } from '../schemas/console/overview.ts'
import { roles } from '../schemas/console/role.ts'
import { rows } from './row.ts'

const overview = { tag: 'Console', scope: 'any' } as const

export const overviewEndpoints = rows({
  findThings: {
    work: true,
    ...overview,
    call: 'GET /find',
    says: 'Find things by any id, jobs by the beginning of their name or label, providers, clients and people by their name',
    query: FindQuery,
    answers: FoundThing,
    collection: 'things',
    paged: false,
    fails: [],
  },
  countJobs: {
    work: true,
    ...overview,
    roles: roles.filter((role) => role !== 'operator'),
    call: 'GET /jobs/counts',
    says: 'Count the active jobs by state, and those that are late, due soon, with errors or waiting for review',
    query: JobCountsQuery,
    answers: JobCounts,
    fails: ['INVALID_FILTER'],
  },
  countOpen: {
    work: true,
    ...overview,
    call: 'GET /counts',
    says: 'Count what needs attention: open jobs, failing deliveries, findings',
    answers: OpenCounts,
    fails: [],
  },
})
