/** Calls about deliveries and listeners that only the console makes. */

import {
  DeliveryCounts,
  DeliveryCountsQuery,
  EditedDelivery,
  ListenerStatistics,
  ListenerStatisticsQuery,
  SignatureCheck,
  SignatureQuestion,
} from '../schemas/console/console-delivery.ts'
import { Delivery, Listener, NewListener } from '../schemas/listener.ts'
import { namePattern } from '../schemas/operating/client.ts'
import { path } from '../schemas/parts.ts'
import { GivenProviderListener, ProviderListener } from '../schemas/provider-side.ts'
import Type from '../schemas/type.ts'
import { rows } from './row.ts'

const console = { tag: 'Console', scope: 'admin' } as const
const params = Type.Object({ clientId: Type.String({ pattern: namePattern }) })
const ofClient = { ...console, params, status: 201 } as const

export const consoleDeliveryEndpoints = rows({
  countDeliveries: {
    ...console,
    roles: ['developer', 'admin', 'operator'],
    call: 'GET /deliveries/counts',
    says: 'Count the deliveries that match a filter, by how they stand',
    query: DeliveryCountsQuery,
    answers: DeliveryCounts,
    fails: [],
  },
  verifyDelivery: {
    ...console,
    roles: ['developer', 'admin'],
    call: 'POST /deliveries/{deliveryId}/verify',
    says: 'Explain the signature of an attempt, and why a pasted one differs',
    params: path('deliveryId'),
    body: SignatureQuestion,
    answers: SignatureCheck,
    fails: ['DELIVERY_NOT_FOUND'],
  },
  sendEditedDelivery: {
    ...console,
    roles: ['developer', 'admin'],
    call: 'POST /deliveries/{deliveryId}/edited',
    says: 'Send an edited body to the listener, as a new delivery; only in the sandbox',
    params: path('deliveryId'),
    body: EditedDelivery,
    answers: Delivery,
    status: 202,
    fails: ['DELIVERY_NOT_FOUND'],
  },
  listListenerStatistics: {
    ...console,
    roles: ['viewer', 'developer', 'manager', 'provider-manager', 'admin'],
    call: 'GET /listeners/statistics',
    says: 'Read how the last 24 hours went for some listeners of the site',
    query: ListenerStatisticsQuery,
    answers: ListenerStatistics,
    collection: 'statistics',
    paged: false,
    fails: [],
  },
  createListenerFor: {
    ...ofClient,
    roles: ['developer', 'admin'],
    call: 'POST /clients/{clientId}/listeners',
    says: 'Register a listener that belongs to this client',
    body: NewListener,
    answers: Listener,
    fails: ['CLIENT_NOT_FOUND', 'LISTENER_EXISTS', 'LISTENER_URI_FORBIDDEN', 'JOB_NOT_FOUND'],
  },
  createProviderListenerFor: {
    ...ofClient,
    roles: ['developer', 'provider-manager', 'admin'],
    call: 'POST /clients/{clientId}/provider-listeners',
    says: 'Register a listener of the provider side that belongs to this client',
    body: GivenProviderListener,
    answers: ProviderListener,
    fails: ['CLIENT_NOT_FOUND', 'QUOTA_EXCEEDED', 'LISTENER_URI_FORBIDDEN', 'PROVIDER_NOT_FOUND'],
  },
})
