/** Contract, section 4: jobs. */
import { Job, JobChange, JobQuery, JobsQuery, NewJob, Submission } from '../schemas/job.ts'
import { path } from '../schemas/parts.ts'
import { Quote } from '../schemas/quote.ts'
import { rows } from './row.ts'

const aJob = { tag: 'Jobs', scope: 'content', params: path('jobId'), answers: Job } as const

export const jobEndpoints = rows({
  createJob: {
    call: 'POST /jobs',
    says: 'Create a job',
    tag: 'Jobs',
    scope: 'content',
    body: NewJob,
    answers: Job,
    status: 201,
    fails: ['INVALID_LANGUAGE', 'PROVIDER_NOT_FOUND', 'PROVIDER_DISABLED', 'METADATA_INVALID'],
  },
  listJobs: {
    call: 'GET /jobs',
    says: 'List the active jobs',
    tag: 'Jobs',
    scope: 'content',
    query: JobsQuery,
    answers: Job,
    collection: 'jobs',
    fails: ['INVALID_FILTER'],
  },
  listArchivedJobs: {
    call: 'GET /jobs/archived',
    says: 'List the archived jobs',
    tag: 'Jobs',
    scope: 'content',
    query: JobsQuery,
    answers: Job,
    collection: 'jobs',
    fails: ['INVALID_FILTER'],
  },
  findJob: { ...aJob, call: 'GET /jobs/{jobId}', says: 'Read a job', query: JobQuery, fails: ['JOB_NOT_FOUND'] },
  changeJob: {
    ...aJob,
    call: 'PATCH /jobs/{jobId}',
    says: 'Change a job that has not been submitted',
    body: JobChange,
    fails: [
      'JOB_NOT_FOUND',
      'JOB_ALREADY_SUBMITTED',
      'JOB_ARCHIVED',
      'INVALID_LANGUAGE',
      'PROVIDER_NOT_FOUND',
      'METADATA_INVALID',
    ],
  },
  replaceJob: {
    ...aJob,
    call: 'PUT /jobs/{jobId}',
    says: 'Change a job that has not been submitted',
    body: JobChange,
    fails: [
      'JOB_NOT_FOUND',
      'JOB_ALREADY_SUBMITTED',
      'JOB_ARCHIVED',
      'INVALID_LANGUAGE',
      'PROVIDER_NOT_FOUND',
      'METADATA_INVALID',
    ],
    deprecated: 'PATCH /jobs/{jobId}',
  },
  deleteJob: {
    ...aJob,
    call: 'DELETE /jobs/{jobId}',
    says: 'Delete a job that is not in progress',
    fails: ['JOB_NOT_FOUND', 'JOB_IN_PROGRESS', 'JOB_ARCHIVED'],
  },
  submitJob: {
    ...aJob,
    call: 'PUT /jobs/{jobId}/submit',
    says: 'Submit a job to a provider',
    body: Submission,
    bodyOptional: true,
    fails: [
      'JOB_NOT_FOUND',
      'JOB_EMPTY',
      'JOB_ARCHIVED',
      'FILE_NOT_UPLOADED',
      'PROVIDER_REQUIRED',
      'PROVIDER_NOT_FOUND',
      'PROVIDER_DISABLED',
      'LANGUAGES_UNSUPPORTED',
      'METADATA_INVALID',
      'ANALYSIS_CODE_INVALID',
      'QUOTA_EXCEEDED',
      'INVALID_TRANSITION',
    ],
  },
  completeJob: {
    ...aJob,
    call: 'PUT /jobs/{jobId}/complete',
    says: 'Complete a job; it accepts no further translations',
    fails: ['JOB_NOT_FOUND', 'INVALID_TRANSITION', 'JOB_ARCHIVED'],
  },
  reopenJob: {
    ...aJob,
    call: 'PUT /jobs/{jobId}/intranslation',
    says: 'Reopen a completed job; it accepts translations again',
    fails: ['JOB_NOT_FOUND', 'INVALID_TRANSITION', 'JOB_ARCHIVED'],
  },
  archiveJob: {
    ...aJob,
    call: 'PUT /jobs/{jobId}/archive',
    says: 'Archive a job; returns at once and finishes in the background',
    fails: ['JOB_NOT_FOUND', 'INVALID_TRANSITION'],
  },
  unarchiveJob: {
    ...aJob,
    call: 'PUT /jobs/{jobId}/unarchive',
    says: 'Unarchive a job; returns at once and finishes in the background',
    fails: ['JOB_NOT_FOUND', 'INVALID_TRANSITION'],
  },
  quoteJob: {
    ...aJob,
    call: 'GET /jobs/{jobId}/quote',
    says: 'Count the words of a job and price them',
    answers: Quote,
    fails: ['JOB_NOT_FOUND', 'JOB_ARCHIVED', 'PRICE_LIST_NOT_FOUND', 'FILE_NOT_UPLOADED', 'FMS_UNAVAILABLE'],
  },
})
