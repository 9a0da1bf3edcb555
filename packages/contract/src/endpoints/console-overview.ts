/**
 * The console's search, its counts of jobs and of what needs attention, and its lists of work for
 * the people at the desk.
 */
import { CallCounts, CallCountsQuery } from '../schemas/console/call-counts.ts'
import {
  FindQuery,
  FoundThing,
  JobCounts,
  JobCountsQuery,
  OpenCounts,
} from '../schemas/console/overview.ts'
import { roles } from '../schemas/console/role.ts'
import {
  SegmentMatch,
  SegmentMatchesQuery,
  WorkItem,
  WorkPeople,
  WorkPeopleQuery,
  WorkQuery,
} from '../schemas/console/work.ts'
import { path } from '../schemas/parts.ts'
import { rows } from './row.ts'

const overview = { tag: 'Console', scope: 'any' } as const

export const overviewEndpoints = rows({
  findThings: {
    work: true,
    ...overview,
    call: 'GET /find',
    says: 'Find things by any id, jobs by words of their name, references and labels, the newest first, providers, clients and people by their name',
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
  countCalls: {
    tag: 'Console',
    scope: 'admin',
    roles: ['developer', 'admin', 'operator'],
    call: 'GET /calls/counts',
    says: 'Count the calls that match a filter, and those of them that failed, by error code',
    query: CallCountsQuery,
    answers: CallCounts,
    fails: [],
  },
  countOpen: {
    work: true,
    ...overview,
    call: 'GET /counts',
    says: 'Count what needs attention: open jobs, your work, failing deliveries, findings',
    answers: OpenCounts,
    fails: [],
  },
})

const work = { tag: 'Console', scope: 'provider', work: true } as const

export const workEndpoints = rows({
  listWork: {
    ...work,
    roles: ['translator', 'reviewer', 'provider-manager', 'manager', 'admin'],
    call: 'GET /work',
    says: 'List your work, work that nobody has claimed, or work that waits for your review, by due date',
    query: WorkQuery,
    answers: WorkItem,
    collection: 'work',
    fails: ['INVALID_LANGUAGE'],
  },
  listWorkPeople: {
    ...work,
    roles: ['provider-manager', 'admin'],
    call: 'GET /work/people',
    says: 'List the people who can be given work of a provider, with what each has to do',
    query: WorkPeopleQuery,
    answers: WorkPeople,
    fails: ['PROVIDER_NOT_FOUND'],
  },
  listSegmentMatches: {
    ...work,
    roles: ['translator', 'provider-manager', 'admin'],
    params: path('providerId', 'jobId', 'assetTaskId'),
    call: 'GET /work/{providerId}/{jobId}/{assetTaskId}/matches',
    says: 'List how well the memory knows each segment of an asset task',
    query: SegmentMatchesQuery,
    answers: SegmentMatch,
    collection: 'matches',
    fails: [
      'PROVIDER_NOT_FOUND',
      'JOB_NOT_FOUND',
      'JOB_ARCHIVED',
      'REQUEST_NOT_FOUND',
      'NO_SEGMENTS',
      'FMS_UNAVAILABLE',
    ],
  },
})
