/**
 * Handlers of the listeners of connectors and of providers, one line each; they also find the job
 * or provider.
 */

import { mustFindProvider } from '../../domain/engines/providers.ts'
import { mustFindJob } from '../../domain/jobs/find-job.ts'
import {
  listDeliveries,
  replayDeliveries,
  testListener,
} from '../../domain/listeners/deliveries.ts'
import {
  changeListener,
  createListener,
  deleteListener,
  findListener,
  listListeners,
} from '../../domain/listeners/listeners.ts'
import type { Handlers } from './bind.ts'

export const listenerHandlers = {
  listListeners: (hub, call, { query }) => listListeners(hub, call, 'connector', query),
  createListener: (hub, call, { body }) =>
    createListener(hub, call, 'connector', { input: body, mustFind: mustFindJob }),
  findListener: (hub, call, { params }) => findListener(hub, call, 'connector', params.listenerId),
  changeListener: (hub, call, { params, body }) =>
    changeListener(
      hub,
      call,
      { side: 'connector', ...params },
      { input: body, mustFind: mustFindJob },
    ),
  deleteListener: (hub, call, { params }) =>
    deleteListener(hub, call, 'connector', params.listenerId),
  listDeliveries: (hub, call, { params, query }) =>
    listDeliveries(hub, call, { side: 'connector', ...params }, query),
  replayDeliveries: (hub, call, { params, body }) =>
    replayDeliveries(hub, call, { side: 'connector', ...params }, body),
  testListener: (hub, call, { params }) => testListener(hub, call, 'connector', params.listenerId),
} satisfies Partial<Handlers>

export const providerListenerHandlers = {
  listProviderListeners: (hub, call, { query }) => listListeners(hub, call, 'provider', query),
  createProviderListener: (hub, call, { body }) =>
    createListener(hub, call, 'provider', { input: body, mustFind: mustFindProvider }),
  findProviderListener: (hub, call, { params }) =>
    findListener(hub, call, 'provider', params.listenerId),
  changeProviderListener: (hub, call, { params, body }) =>
    changeListener(
      hub,
      call,
      { side: 'provider', ...params },
      { input: body, mustFind: mustFindProvider },
    ),
  deleteProviderListener: (hub, call, { params }) =>
    deleteListener(hub, call, 'provider', params.listenerId),
  listProviderDeliveries: (hub, call, { params, query }) =>
    listDeliveries(hub, call, { side: 'provider', ...params }, query),
  replayProviderDeliveries: (hub, call, { params, body }) =>
    replayDeliveries(hub, call, { side: 'provider', ...params }, body),
  testProviderListener: (hub, call, { params }) =>
    testListener(hub, call, 'provider', params.listenerId),
} satisfies Partial<Handlers>
