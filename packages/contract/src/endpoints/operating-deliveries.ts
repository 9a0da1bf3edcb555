/**
 * Contract, section 12: the deliveries of all listeners of a site, why they fail, and sending them
 * again.
 */

import {
  DeliveryCause,
  DeliveryCausesQuery,
  SentDelivery,
  SiteDeliveriesQuery,
  SiteDelivery,
  SiteReplay,
  SiteReplayed,
} from '../schemas/operating/site-delivery.ts'
import { path } from '../schemas/parts.ts'
import { rows } from './row.ts'

const deliveries = {
  tag: 'Operating',
  scope: ['admin', 'operator'],
  roles: ['developer', 'admin', 'operator'],
} as const

export const operatingDeliveryEndpoints = rows({
  listSiteDeliveries: {
    ...deliveries,
    call: 'GET /deliveries',
    says: 'List the deliveries of all listeners of the site, newest first; for an operator, of all sites',
    query: SiteDeliveriesQuery,
    answers: SiteDelivery,
    collection: 'deliveries',
    fails: [],
  },
  listDeliveryCauses: {
    ...deliveries,
    call: 'GET /deliveries/causes',
    says: 'Group the deliveries that are failing by cause, the most frequent first',
    query: DeliveryCausesQuery,
    answers: DeliveryCause,
    collection: 'causes',
    paged: false,
    fails: [],
  },
  findDelivery: {
    ...deliveries,
    call: 'GET /deliveries/{deliveryId}',
    says: 'Read a delivery, with what was sent and received in each attempt',
    params: path('deliveryId'),
    answers: SentDelivery,
    fails: ['DELIVERY_NOT_FOUND'],
  },
  replaySiteDeliveries: {
    ...deliveries,
    call: 'POST /deliveries/replay',
    says: 'Send deliveries again, chosen by id or by filter; a dry run only counts them',
    body: SiteReplay,
    answers: SiteReplayed,
    status: 202,
    statusWith: { wouldReplay: 200 },
    fails: ['DELIVERY_NOT_FOUND'],
  },
})
