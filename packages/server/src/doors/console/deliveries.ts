/** Handlers of what the console asks about deliveries and listeners, one line each. */
import { findSeenClient } from '../../domain/access/seen-clients.ts'
import { mustFindJob } from '../../domain/jobs/find-job.ts'
import { listListenerStatistics } from '../../domain/listeners/listener-statistics.ts'
import { createListener } from '../../domain/listeners/listeners.ts'
import { sendEdited } from '../../domain/listeners/send-edited.ts'
import { countDeliveries } from '../../domain/listeners/site-deliveries.ts'
import { verifyDelivery } from '../../domain/listeners/verify-delivery.ts'
import { mustFindProvider } from '../../domain/providers/providers.ts'
import type { ConsoleHandlers } from './session.ts'

export const consoleDeliveryHandlers = {
  countDeliveries: (hub, call, { query }) => countDeliveries(hub, call, query),
  verifyDelivery: (hub, call, { params, body }) => verifyDelivery(hub, call, params.deliveryId, body),
  sendEditedDelivery: (hub, call, { params, body }) => sendEdited(hub, call, params.deliveryId, body),
  listListenerStatistics: (hub, call, { query }) => listListenerStatistics(hub, call, query),
  createListenerFor: async (hub, call, { params, body }) => {
    const { clientId } = await findSeenClient(hub, call, params.clientId)
    return createListener(hub, call, 'connector', body, mustFindJob, clientId)
  },
  createProviderListenerFor: async (hub, call, { params, body }) => {
    const { clientId } = await findSeenClient(hub, call, params.clientId)
    return createListener(hub, call, 'provider', body, mustFindProvider, clientId)
  },
} satisfies Partial<ConsoleHandlers>
