/** Listeners of a connector and what was sent to them (contract, sections 7 and 11). */
import type { Static } from 'typebox'
import type { JobStatus, RequestStatus } from '../lifecycle.ts'
import { limits } from '../limits.ts'
import { Count, choice, GivenId, GivenTime, Id, JobId, name, pageQuery, Time } from './parts.ts'
import Type from './type.ts'

/** The types of listener, each with the states it can report. An empty list means all of them. */
export const listenerTypes = {
  JOB_STATUS_UPDATED: ['SENT_TO_PROVIDER', 'IN_TRANSLATION', 'CANCELLED'],
  REQUEST_STATUS_UPDATED: ['IN_TRANSLATION', 'REVIEW_TRANSLATION', 'CANCELLED'],
} as const satisfies {
  JOB_STATUS_UPDATED: readonly JobStatus[]
  REQUEST_STATUS_UPDATED: readonly RequestStatus[]
}
export type ListenerType = keyof typeof listenerTypes

export const authTypes = ['SIGNATURE', 'NONE'] as const
/** Deployed clients have other names for a signature. */
export const GivenAuthType = Type.String({
  title: 'GivenAuthType',
  pattern: '^(?:NONE|[A-Za-z0-9_. -]{0,50}(?:SIGNATURE|TOKEN))$',
  description:
    'SIGNATURE or NONE. A name that ends with SIGNATURE or TOKEN counts as SIGNATURE and is returned as it was sent.',
})
export const AuthType = Type.String({
  title: 'AuthType',
  description: 'How a delivery proves its origin: SIGNATURE or NONE.',
})
export const authTypeOf = (given: string): (typeof authTypes)[number] =>
  given === 'NONE' ? 'NONE' : 'SIGNATURE'
export const ListenerTypeName = choice(['JOB_STATUS_UPDATED', 'REQUEST_STATUS_UPDATED'], {
  title: 'ListenerType',
})
const StatusCode = choice(['SENT_TO_PROVIDER', 'IN_TRANSLATION', 'REVIEW_TRANSLATION', 'CANCELLED'])

const options = {
  statusCodes: Type.Optional(Type.Array(StatusCode, { maxItems: 10 })),
  acknowledgeStatusUpdate: Type.Optional(Type.Boolean()),
  authType: Type.Optional(GivenAuthType),
  secret: Type.Optional(name(limits.listenerSecretBytes)),
  onSupportAssetCreate: Type.Optional(Type.Boolean()),
  onTmUpdateCreate: Type.Optional(Type.Boolean()),
  onComment: Type.Optional(Type.Boolean()),
  jobId: Type.Optional(GivenId),
  disabled: Type.Optional(Type.Boolean()),
}
const uri = name(limits.listenerUriBytes)

export const NewListener = Type.Object(
  { uri, type: ListenerTypeName, ...options },
  { title: 'NewListener' },
)
export type NewListener = Static<typeof NewListener>
export const ListenerChange = Type.Object(
  { uri: Type.Optional(uri), type: Type.Optional(ListenerTypeName), ...options },
  { title: 'ListenerChange' },
)
export type ListenerChange = Static<typeof ListenerChange>

export const Listener = Type.Object(
  {
    listenerId: Id,
    uri: Type.String(),
    type: ListenerTypeName,
    statusCodes: Type.Array(StatusCode),
    acknowledgeStatusUpdate: Type.Optional(
      Type.Boolean({ description: 'Only for a REQUEST_STATUS_UPDATED listener.' }),
    ),
    authType: AuthType,
    onSupportAssetCreate: Type.Boolean(),
    onTmUpdateCreate: Type.Boolean(),
    onComment: Type.Boolean(),
    jobId: Type.Optional(JobId),
    disabled: Type.Boolean(),
    disabledReason: Type.Optional(Type.String()),
    secret: Type.Optional(Type.String({ description: 'Returned only when it is created.' })),
    clientId: Type.Optional(
      Type.String({ description: 'The client that owns it; only for an admin.' }),
    ),
  },
  { title: 'Listener' },
)
export type Listener = Static<typeof Listener>

export const deliveryStates = ['PENDING', 'DELIVERED', 'PARKED'] as const
export type DeliveryState = (typeof deliveryStates)[number]
export const DeliveryStateName = choice(deliveryStates, { title: 'DeliveryState' })
export const eventTypes = [
  'JOB_UPDATE',
  'REQUEST_UPDATE',
  'ASSET_TASK_UPDATE',
  'SUPPORT_ASSET_CREATE',
  'TM_UPDATE_CREATE',
  'COMMENT_CREATED',
  'COMMENT_ANSWERED',
] as const
export const EventType = choice(eventTypes, { title: 'EventType' })

export const Attempt = Type.Object(
  {
    attemptTime: Time,
    durationMs: Count,
    responseCode: Type.Optional(Type.Integer()),
    error: Type.Optional(Type.String()),
  },
  { title: 'Attempt' },
)
export const Delivery = Type.Object(
  {
    deliveryId: Id,
    listenerId: Id,
    eventType: EventType,
    jobId: Type.Optional(JobId),
    requestIds: Type.Optional(Type.Array(Id)),
    sequence: Type.Optional(Count),
    state: DeliveryStateName,
    createdTime: Time,
    nextAttemptTime: Type.Optional(Time),
    attempts: Type.Array(Attempt),
  },
  { title: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>

export const DeliveriesQuery = pageQuery({ state: Type.Optional(Type.Array(DeliveryStateName)) })

export const Replay = Type.Object(
  {
    since: Type.Optional(GivenTime),
    until: Type.Optional(GivenTime),
    deliveryIds: Type.Optional(Type.Array(GivenId, { minItems: 1, maxItems: 1_000 })),
  },
  { title: 'Replay' },
)
export const Replayed = Type.Object({ replayed: Count }, { title: 'Replayed' })
