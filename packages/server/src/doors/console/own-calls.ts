/** Handlers of every call that only the console has, one line each. */
import { findSeenClient } from '../../domain/access/seen-clients.ts'
import { listSegmentMatches } from '../../domain/desk/segment-matches.ts'
import { listWork } from '../../domain/desk/work.ts'
import { listWorkPeople } from '../../domain/desk/work-people.ts'
import { checkMetadata } from '../../domain/engines/metadata-schema.ts'
import { mustFindProvider } from '../../domain/engines/providers.ts'
import { listJobFigures } from '../../domain/handover/quoting/list-figures.ts'
import { tryPriceList } from '../../domain/handover/quoting/try-price-list.ts'
import { countJobs } from '../../domain/jobs/count-jobs.ts'
import { mustFindJob } from '../../domain/jobs/find-job.ts'
import { countProviderWork } from '../../domain/jobs/provider-work.ts'
import { listUsedPairs } from '../../domain/jobs/requests/used-pairs.ts'
import { listListenerStatistics } from '../../domain/listeners/listener-statistics.ts'
import { createListener } from '../../domain/listeners/listeners.ts'
import { sendEdited } from '../../domain/listeners/send-edited.ts'
import { countDeliveries } from '../../domain/listeners/site-deliveries.ts'
import { verifyDelivery } from '../../domain/listeners/verify-delivery.ts'
import { countOpen } from '../../domain/operations/findings/count-open.ts'
import { countCodeUse } from '../../domain/settings/code-use.ts'
import { countCalls } from '../../domain/views/history/count-calls.ts'
import { findJobLanes } from '../../domain/views/history/job-lanes.ts'
import { findThings } from '../../domain/views/search/find-things.ts'
import type { ConsoleHandlers } from './console-handlers.ts'
import { sessionHandlers } from './session.ts'

export const ownHandlers: ConsoleHandlers = {
  ...sessionHandlers,
  // Before a person has chosen a job or another thing.
  findThings: (hub, call, { query }) => findThings(hub, call, query),
  countJobs: (hub, call, { query }) => countJobs(hub, call, query),
  countCalls: (hub, call, { query }) => countCalls(hub, call, query),
  countOpen: (hub, call) => countOpen(hub, call),
  listWork: (hub, call, { query }) => listWork(hub, call, query),
  listWorkPeople: (hub, call, { query }) => listWorkPeople(hub, call, query.providerId),
  listSegmentMatches: (hub, call, { params, query }) =>
    listSegmentMatches(hub, call, params, query),
  listJobFigures: (hub, call, { query }) => listJobFigures(hub, call, query.jobId),
  findJobLanes: (hub, call, { params }) => findJobLanes(hub, call, params.jobId),
  // Deliveries and listeners.
  countDeliveries: (hub, call, { query }) => countDeliveries(hub, call, query),
  verifyDelivery: (hub, call, { params, body }) =>
    verifyDelivery(hub, call, params.deliveryId, body),
  sendEditedDelivery: (hub, call, { params, body }) =>
    sendEdited(hub, call, params.deliveryId, body),
  listListenerStatistics: (hub, call, { query }) => listListenerStatistics(hub, call, query),
  createListenerFor: async (hub, call, { params, body }) => {
    const { clientId } = await findSeenClient(hub, call, params.clientId)
    return createListener(hub, call, 'connector', { input: body, mustFind: mustFindJob, clientId })
  },
  createProviderListenerFor: async (hub, call, { params, body }) => {
    const { clientId } = await findSeenClient(hub, call, params.clientId)
    return createListener(hub, call, 'provider', {
      input: body,
      mustFind: mustFindProvider,
      clientId,
    })
  },
  // Providers, prices and analysis codes.
  countProviderWork: (hub, call) => countProviderWork(hub, call),
  checkMetadata: (_hub, _call, { body }) => checkMetadata(body),
  tryPriceList: (hub, call, { query, body }) => tryPriceList(hub, call, body, query.jobId),
  listUsedPairs: (hub, call) => listUsedPairs(hub, call),
  countCodeUse: (hub, call) => countCodeUse(hub, call),
}
