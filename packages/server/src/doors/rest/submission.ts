/** Handlers of submission, review and status updates. */

import { invokeProvider, submitJob } from '../../domain/handover/submit-job.ts'
import { mustFindJob } from '../../domain/jobs/find-job.ts'
import { downloadTranslations } from '../../domain/jobs/requests/archives/download-translations.ts'
import { retrieveContent, retrieveFile } from '../../domain/jobs/requests/retrieve.ts'
import { approveRequests, rejectRequests } from '../../domain/jobs/requests/review-requests.ts'
import { acknowledgeUpdate, listUpdates } from '../../domain/listeners/updates/updates.ts'
import { formOf, locationOf } from '../transfer/addresses.ts'
import type { Handlers } from './bind.ts'

export const submissionHandlers = {
  submitJob: (hub, call, { params, body }) => submitJob(hub, call, params.jobId, body),
  invokeProvider: (hub, call, { params, body }) =>
    invokeProvider(hub, call, params.providerId, body.jobId),
  approveRequests: (hub, call, { params, body }) =>
    approveRequests(hub, call, params.jobId, body.requestIds),
  rejectRequests: (hub, call, { params, body }) => rejectRequests(hub, call, params.jobId, body),
  retrieveFile: async (hub, call, { params }, web) =>
    locationOf(web.publicUrl, await retrieveFile(hub, call, params, formOf(web.accept))),
  downloadTranslations: (hub, call, { params, query }) =>
    downloadTranslations(hub, call, params.jobId, query),
  retrieveContent: (hub, call, { params }) =>
    retrieveContent(hub, call, params.jobId, params.requestId),
  listStatusUpdates: (hub, call, { query }) => listUpdates(hub, call, query),
  acknowledgeStatusUpdate: (hub, call, { params }) => acknowledgeUpdate(hub, call, params.updateId),
  listJobStatusUpdates: async (hub, call, { params, query }) => {
    await mustFindJob(hub.db.read, call.caller.siteId, params.jobId)
    return listUpdates(hub, call, query, params.jobId)
  },
} satisfies Partial<Handlers>
