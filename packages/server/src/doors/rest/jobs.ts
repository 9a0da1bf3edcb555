/** Handlers of the job endpoints, one line each. */

import { countJobWords } from '../../domain/handover/quoting/count-job.ts'
import { quoteJob } from '../../domain/handover/quoting/quote-job.ts'
import { archiveJob, unarchiveJob } from '../../domain/jobs/archive-job.ts'
import { changeJob, deleteJob } from '../../domain/jobs/change-job.ts'
import { completeJob, reopenJob } from '../../domain/jobs/close-job.ts'
import { createJob } from '../../domain/jobs/create-job.ts'
import { findJob } from '../../domain/jobs/find-job.ts'
import { listArchivedJobs, listJobs } from '../../domain/jobs/list-jobs.ts'
import { cancelJob } from '../../domain/jobs/managing/cancel-job.ts'
import { copyJob } from '../../domain/jobs/managing/copy-job.ts'
import { planJob } from '../../domain/jobs/managing/plan-job.ts'
import type { Handlers } from './bind.ts'

export const jobHandlers = {
  createJob: (hub, call, { body }) => createJob(hub, call, body),
  listJobs: (hub, call, { query }) => listJobs(hub, call, query),
  listArchivedJobs: (hub, call, { query }) => listArchivedJobs(hub, call, query),
  findJob: (hub, call, { params, query }) => findJob(hub, call, params.jobId, query),
  changeJob: (hub, call, { params, body }) => changeJob(hub, call, params.jobId, body),
  replaceJob: (hub, call, { params, body }) => changeJob(hub, call, params.jobId, body),
  deleteJob: (hub, call, { params }) => deleteJob(hub, call, params.jobId),
  completeJob: (hub, call, { params }) => completeJob(hub, call, params.jobId),
  reopenJob: (hub, call, { params }) => reopenJob(hub, call, params.jobId),
  archiveJob: (hub, call, { params }) => archiveJob(hub, call, params.jobId),
  unarchiveJob: (hub, call, { params }) => unarchiveJob(hub, call, params.jobId),
  planJob: (hub, call, { params, body }) => planJob(hub, call, params.jobId, body),
  cancelJob: (hub, call, { params, body }) => cancelJob(hub, call, params.jobId, body),
  copyJob: (hub, call, { params, body }) => copyJob(hub, call, params.jobId, body),
  quoteJob: (hub, call, { params }) => quoteJob(hub, call, params.jobId),
  countJobWords: (hub, call, { params }) => countJobWords(hub, call, params.jobId),
} satisfies Partial<Handlers>
