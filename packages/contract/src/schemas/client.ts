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
        description: 'Those it owns; the list replaces the former.',
      }),
    ),
    pageFormat: Type.Optional(PageFormat),
    quotas: Type.Optional(
      mapOf(Type.Union([Count, Type.Unsafe<null>({ type: 'null' })]), {
        propertyNames: QuotaName,
        description: 'Only what changes: `{"MaxReqsPerJob": 5000}`; null for the default again.',
      }),
    ),
    rateLimit: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100_000,
        description: 'Calls a second from all addresses together; 0: as the hub is configured.',
      }),
    ),
    allowFrom: Type.Optional(
      Type.Array(Type.String({ maxLength: 60 }), {
        maxItems: limits.clientNetworks,
        description: 'Networks such as 192.0.2.0/24 that it may call from; none means from anywhere.',
      }),
    ),
    certificates: Type.Optional(
      Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }), {
        maxItems: limits.clientCertificates,
        description:
          'Thumbprints (x5t#S256 of RFC 8705) of the certificates by which it proves itself; the list replaces the former, an empty one asks for none.',
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
    quotas: mapOf(Count, { description: 'Those that are not as usual.' }),
    rateLimit: Type.Optional(Count),
    allowFrom: Type.Array(Type.String()),
    certificates: Type.Array(Type.String()),
    disabled: Type.Boolean(),
    createdDate: Time,
  },
  { title: 'Client' },
)
export type Client = Static<typeof Client>
