/** Calls that the console's page of a job makes, besides the endpoints of the REST interface. */
import { JobLanes } from '../schemas/console/job-lanes.ts'
import { roles } from '../schemas/console/role.ts'
import { path } from '../schemas/parts.ts'
import { rows } from './row.ts'

export const consoleJobEndpoints = rows({
  findJobLanes: {
    work: true,
    tag: 'Console',
    scope: ['admin', 'operator'],
    roles,
    call: 'GET /jobs/{jobId}/lanes',
    says: 'Read the states of the requests of a job over time, by language',
    params: path('jobId'),
    answers: JobLanes,
    fails: ['JOB_NOT_FOUND'],
  },
})
