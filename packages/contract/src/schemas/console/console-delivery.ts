/**
 * What the console asks about deliveries and listeners beyond the lists: counts, figures, and why a
 * signature differs.
 */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { SiteDeliveriesQuery } from '../operating/site-delivery.ts'
import { choice, GivenId, Id, name, Time } from '../parts.ts'
import Type from '../type.ts'

const {
  navNext: _navNext,
  next: _next,
  pageSize: _pageSize,
  ...filters
} = SiteDeliveriesQuery.properties
export const DeliveryCountsQuery = Type.Object(filters)

const Capped = Type.Integer({ minimum: 0, maximum: limits.deliveriesCounted })
export const DeliveryCounts = Type.Object(
  {
    delivered: Capped,
    waiting: Type.Integer({
      ...Capped,
      description: 'Not tried since they were created or replayed.',
    }),
    retrying: Type.Integer({
      ...Capped,
      description: 'Failed at least once and have another attempt.',
    }),
    parked: Capped,
    more: Type.Boolean({
      description: `True if ${limits.deliveriesCounted} match or more; the rest is not counted.`,
    }),
  },
  { title: 'DeliveryCounts' },
)
export type DeliveryCounts = Static<typeof DeliveryCounts>

/**
 * What receivers do wrong when they compute a signature. A pasted value can show several at once.
 */
export const signatureMistakes = [
  'MISSING_V1',
  'HEX',
  'BASE64URL',
  'SHA1',
  'SHA512',
  'SECRET_WITH_PREFIX',
  'SECRET_NOT_DECODED',
  'SECRET_DECODED',
  'OLD_SECRET',
  'BODY_ONLY',
  'NO_ID',
  'NO_TIMESTAMP',
  'WRONG_ORDER',
  'NO_DOTS',
  'MILLISECONDS',
  'OTHER_ATTEMPT',
  'TRAILING_NEWLINE',
  'JSON_SPACES',
  'JSON_KEY_ORDER',
  'JSON_SLASHES',
  'JSON_UNICODE',
] as const
export type SignatureMistake = (typeof signatureMistakes)[number]

export const SignatureQuestion = Type.Object(
  {
    attempt: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Its number; the last one by default.' }),
    ),
    signature: Type.Optional(
      name(2_000, { description: 'What the receiver computed, or the header that it compared.' }),
    ),
  },
  { title: 'SignatureQuestion' },
)

export const SignatureCheck = Type.Object(
  {
    attempt: Type.Integer({ minimum: 0, description: '0 if there was none yet.' }),
    signed: Type.Boolean({ description: 'False if the listener has authType NONE.' }),
    id: Id,
    timestamp: Type.Optional(
      Type.String({ description: 'Absent once the headers of the attempt are no longer stored.' }),
    ),
    bytes: Type.Optional(
      Type.Integer({ minimum: 0, description: 'Length of id.timestamp.body in bytes.' }),
    ),
    secrets: Type.Array(
      Type.Object(
        { until: Type.Optional(Time) },
        { description: 'An old secret signs until this time.' },
      ),
      { description: 'The secrets that sign now, the current one first.' },
    ),
    secret: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Which of them gives the pasted value.' }),
    ),
    verdict: choice(['NOTHING_PASTED', 'VALID', 'MISTAKE', 'UNKNOWN', 'NOT_A_SIGNATURE']),
    mistakes: Type.Array(choice(signatureMistakes)),
  },
  { title: 'SignatureCheck', description: 'Never contains a secret or a valid signature.' },
)
export type SignatureCheck = Static<typeof SignatureCheck>

export const EditedDelivery = Type.Object(
  {
    body: name(limits.editedDeliveryBytes, {
      description: 'Sent exactly as it is, whether or not it is JSON.',
    }),
  },
  { title: 'EditedDelivery' },
)

export const ListenerStatisticsQuery = Type.Object({
  listenerId: Type.Array(GivenId, { minItems: 1, maxItems: limits.pageItems }),
})
const byHour = Type.Array(Type.Integer({ minimum: 0 }), { minItems: 24, maxItems: 24 })
export const ListenerStatistics = Type.Object(
  {
    listenerId: Id,
    delivered: Type.Array(byHour.items, {
      ...byHour,
      description: 'Deliveries created in each of 24 hours that arrived.',
    }),
    failed: Type.Array(byHour.items, { ...byHour, description: 'Those that fail or are parked.' }),
    retried: Type.Integer({
      minimum: 0,
      description: 'Those of delivered that arrived after failed attempts.',
    }),
    newest: Type.Boolean({
      description: `True if only the newest ${limits.listenerDeliveriesCounted} deliveries of the day are counted.`,
    }),
    p95Ms: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: '95 of 100 attempts of those deliveries were faster.',
      }),
    ),
    failing: Type.Integer({ minimum: 0, description: 'Deliveries that fail now, however old.' }),
    failingSince: Type.Optional(Time),
    lastError: Type.Optional(
      Type.Object({
        time: Time,
        responseCode: Type.Optional(Type.Integer()),
        error: Type.Optional(Type.String()),
      }),
    ),
    oldSecrets: Type.Array(Time, { description: 'Until when each replaced secret still signs.' }),
  },
  { title: 'ListenerStatistics' },
)
export type ListenerStatistics = Static<typeof ListenerStatistics>
