/**
 * Clients as an admin of their site, or an operator, sees and changes them (contract, section 12).
 */
import type { Static } from 'typebox'
import { limits, quotaNames } from '../../limits.ts'
import { Count, choice, GivenId, Id, mapOf, pageQuery, Time } from '../parts.ts'
import { scopes } from '../token.ts'
import Type from '../type.ts'

const QuotaName = choice(quotaNames)
const PageFormat = choice(['full', 'plain'])
const ScopeName = choice([...scopes])

/** A site or a client: longer than other ids, and with dots. */
export const namePattern = '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$'
const Scopes = Type.Array(ScopeName, { minItems: 1, maxItems: 10 })

/** What both a new client and a change may set. */
const settable = {
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
      description:
        'Only the quotas to change, such as `{"MaxReqsPerJob": 5000}`; null restores the default.',
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
}

export const ClientChange = Type.Object(
  { scopes: Type.Optional(Scopes), ...settable, disabled: Type.Optional(Type.Boolean()) },
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
    lastUsedDate: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Its last call, accurate to the hour. Absent: it has not called yet.',
      }),
    ),
    secrets: Type.Array(Type.Object({ createdDate: Time, expiryDate: Type.Optional(Time) }), {
      description:
        'Its valid secrets, newest first: when each was created and when it expires, never the secret itself.',
    }),
  },
  { title: 'Client' },
)
export type Client = Static<typeof Client>

export const NewClient = Type.Object(
  {
    clientId: Type.String({ pattern: namePattern, description: 'Unique across all sites.' }),
    siteId: Type.Optional(
      Type.String({
        pattern: namePattern,
        description:
          'An operator names the site, which is created if it is new, or omits it to add another operator. An admin adds clients to its own site.',
      }),
    ),
    scopes: Scopes,
    ...settable,
  },
  { title: 'NewClient' },
)
export type NewClient = Static<typeof NewClient>

const secret = Type.String({ description: 'Shown only in this response; the hub stores a hash.' })

export const SecretClient = Type.Object(
  { ...Client.properties, clientSecret: Type.Optional(secret) },
  { title: 'SecretClient', description: 'A new client. One with certificates has no secret.' },
)
export type SecretClient = Static<typeof SecretClient>

export const Rotation = Type.Object(
  {
    overlap: Type.Optional(
      Type.String({
        maxLength: 20,
        description:
          'How long the old secrets stay valid, such as 90s, 5m, 2h or 3d; 24h by default, 0s ends them now.',
      }),
    ),
  },
  { title: 'Rotation' },
)
export type Rotation = Static<typeof Rotation>

export const NewSecret = Type.Object(
  {
    clientId: Type.String(),
    clientSecret: secret,
    oldSecretsUntil: Type.String({
      format: 'date-time',
      description: 'When the old secrets expire, unless they expire earlier.',
    }),
  },
  { title: 'NewSecret' },
)
export type NewSecret = Static<typeof NewSecret>

export const ClientsQuery = pageQuery({
  siteId: Type.Optional(
    Type.String({ maxLength: 100, description: 'For an operator: only this site.' }),
  ),
})
