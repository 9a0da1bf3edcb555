/**
 * Deliveries as operators and admins see them: of every listener of a site (contract, section 12).
 */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { Attempt, DeliveryStateName, EventType } from '../listener.ts'
import {
  Count,
  choice,
  GivenId,
  GivenSiteId,
  GivenTime,
  Id,
  JobId,
  mapOf,
  name,
  pageQuery,
  Time,
} from '../parts.ts'
import Type from '../type.ts'

const summary = {
  deliveryId: Id,
  siteId: Type.String(),
  listenerId: Id,
  eventType: EventType,
  jobId: JobId,
  requestIds: Type.Optional(Type.Array(Id)),
  sequence: Type.Optional(Count),
  state: DeliveryStateName,
  createdTime: Time,
  nextAttemptTime: Type.Optional(Time),
  tries: Type.Integer({
    minimum: 0,
    description: 'Attempts since it was created or last replayed.',
  }),
  lastAttemptTime: Type.Optional(Time),
  responseCode: Type.Optional(Type.Integer({ description: 'Of the last response.' })),
  error: Type.Optional(
    Type.String({ description: 'Why the last attempt got no usable response.' }),
  ),
  causeId: Type.String({ description: 'The call or task that caused it.' }),
}

export const SiteDelivery = Type.Object(
  {
    ...summary,
    attempts: Type.Array(Attempt, {
      description: `The last ${limits.deliveryAttemptsShown} attempts, oldest first.`,
    }),
  },
  { title: 'SiteDelivery' },
)
export type SiteDelivery = Static<typeof SiteDelivery>

export const SentDelivery = Type.Object(
  {
    ...summary,
    url: Type.String({
      description: 'Where the next attempt goes; without its query for an operator.',
    }),
    body: Type.Optional(
      Type.String({
        description: 'The body, exactly as sent with every attempt. Not for an operator.',
      }),
    ),
    attempts: Type.Array(
      Type.Object(
        {
          number: Count,
          ...Attempt.properties,
          headers: Type.Optional(
            mapOf(Type.String(), {
              description: 'The headers of this attempt, without the signatures.',
            }),
          ),
          answer: Type.Optional(
            Type.String({
              description: `The first ${limits.deliveryKeptBytes / 1024} KiB of the response. Not for an operator.`,
            }),
          ),
        },
        { title: 'SentAttempt' },
      ),
      { description: `The last ${limits.deliveryAttemptsShown} attempts, oldest first.` },
    ),
  },
  { title: 'SentDelivery' },
)
export type SentDelivery = Static<typeof SentDelivery>

const ResponseCode = Type.Integer({ minimum: 100, maximum: 999 })
const DeliveryStates = Type.Array(DeliveryStateName, { maxItems: 3 })

const filters = {
  listenerId: Type.Optional(GivenId),
  jobId: Type.Optional(GivenId),
  responseCode: Type.Optional(ResponseCode),
  error: Type.Optional(
    name(1_200, {
      description: 'The error of the last attempt, as causes and deliveries show it.',
    }),
  ),
  since: Type.Optional(GivenTime),
  until: Type.Optional(GivenTime),
  siteId: Type.Optional(GivenSiteId),
}
export const SiteDeliveriesQuery = pageQuery({ state: Type.Optional(DeliveryStates), ...filters })
export const DeliveryCausesQuery = Type.Object({ siteId: Type.Optional(GivenSiteId) })

export const DeliveryCause = Type.Object(
  {
    siteId: Type.String(),
    listenerId: Id,
    host: Type.String({ description: 'Host of the URL that is called.' }),
    responseCode: Type.Optional(Type.Integer()),
    error: Type.Optional(Type.String()),
    count: Count,
    firstTime: Type.String({ ...Time, description: 'When the oldest of them was created.' }),
    lastTime: Type.String({ ...Time, description: 'The last attempt.' }),
    says: Type.String({ description: 'The cause in a sentence.' }),
    deliveryId: Type.String({ ...Id, description: 'One of them, as an example.' }),
  },
  { title: 'DeliveryCause' },
)
export type DeliveryCause = Static<typeof DeliveryCause>

export const replayModes = ['failed', 'missing', 'all'] as const
export type ReplayMode = (typeof replayModes)[number]

export const SiteReplay = Type.Object(
  {
    deliveryIds: Type.Optional(Type.Array(GivenId, { minItems: 1, maxItems: 1_000 })),
    filter: Type.Optional(
      Type.Object({
        state: Type.Optional(Type.Union([DeliveryStates, DeliveryStateName])),
        ...filters,
      }),
    ),
    mode: Type.Optional(
      choice(replayModes, {
        description:
          'failed: those that are failing. missing: status updates for which no delivery arrived. all: every one. ' +
          'The default is failed with a filter and all with deliveryIds.',
      }),
    ),
    dryRun: Type.Optional(Type.Boolean()),
  },
  { title: 'SiteReplay' },
)
export type SiteReplay = Static<typeof SiteReplay>

export const SiteReplayed = Type.Object(
  {
    replayed: Type.Optional(Type.Integer({ minimum: 0, description: 'How many are sent again.' })),
    wouldReplay: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'Only in a dry run, which returns 200: how many would be sent again.',
      }),
    ),
    wouldFollow: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Only in a dry run: newer deliveries of the same jobs, which are waiting and would be sent after them.',
      }),
    ),
  },
  { title: 'SiteReplayed' },
)
export type SiteReplayed = Static<typeof SiteReplayed>
