/** Clients as an admin of their site sees and changes them (contract, section 12). */
import type { Static } from 'typebox'
import { limits, quotaNames } from '../limits.ts'
import { Count, choice, GivenId, Id, mapOf, Time } from './parts.ts'
import { scopes } from './token.ts'
import Type from './type.ts'

const QuotaName = choice(quotaNames)
const PageFormat = choice(['full', 'plain'])
const ScopeName = choice([...scopes])

export const ClientChange = Type.Object(
  {
    scopes: Type.Optional(Type.Array(ScopeName, { minItems: 1, maxItems: 10 })),
    providers: Type.Optional(
      Type.Array(GivenId, {
        maxItems: limits.clientProviders,
        description: 'Providers it owns. Replaces the whole list.',
      }),
    ),
    pageFormat: Type.Optional(PageFormat),
    quotas: Type.Optional(
      mapOf(Type.Union([Count, Type.Unsafe<null>({ type: 'null' })]), {
        propertyNames: QuotaName,
        description: 'Only the quotas to change, such as `{"MaxReqsPerJob": 5000}`; null restores the default.',
      }),
    ),
    rateLimit: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100_000,
        description: 'Calls per second from all addresses together; 0 for the configured default.',
      }),
    ),
    allowFrom: Type.Optional(
      Type.Array(Type.String({ maxLength: 60 }), {
        maxItems: limits.clientNetworks,
        description: 'Networks that it may call from, such as 192.0.2.0/24; empty for anywhere.',
      }),
    ),
    certificates: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }), {
        maxItems: limits.clientCertificates,
        description:
          'Thumbprints (x5t#S256 of RFC 8705) of the certificates it authenticates with. Replaces the whole list; empty if it needs none.',
      }),
    ),
    disabled: Type.Optional(Type.Boolean()),
  },
  { title: 'ClientChange' },
)
export type ClientChange = Static<typeof ClientChange>

export const Client = Type.Object(
  {
    clientId: Type.String(),
    siteId: Type.String(),
    scopes: Type.Array(ScopeName),
    providers: Type.Array(Id),
    pageFormat: PageFormat,
    quotas: mapOf(Count, { description: 'Quotas that differ from the default.' }),
    rateLimit: Type.Optional(Count),
    allowFrom: Type.Array(Type.String()),
    certificates: Type.Array(Type.String()),
    disabled: Type.Boolean(),
    createdDate: Time,
  },
  { title: 'Client' },
)
export type Client = Static<typeof Client>
