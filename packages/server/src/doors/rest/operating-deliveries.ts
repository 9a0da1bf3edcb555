/** Handlers of the deliveries of a site, one line each. */
import {
  findDelivery,
  listDeliveryCauses,
  listSiteDeliveries,
} from '../../domain/listeners/site-deliveries.ts'
import { replaySiteDeliveries } from '../../domain/listeners/updates/replay-deliveries.ts'
import type { Handlers } from './bind.ts'

export const operatingDeliveryHandlers = {
  listSiteDeliveries: (hub, call, { query }) => listSiteDeliveries(hub, call, query),
  listDeliveryCauses: (hub, call, { query }) => listDeliveryCauses(hub, call, query),
  findDelivery: (hub, call, { params }) => findDelivery(hub, call, params.deliveryId),
  replaySiteDeliveries: (hub, call, { body }) => replaySiteDeliveries(hub, call, body),
} satisfies Partial<Handlers>
