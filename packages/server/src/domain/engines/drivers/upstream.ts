/**
 * Another service of this interface as a provider: jobs go on to it and come back
 * (domain/upstream/). Its config, and the client that calls it: our own SDK, over the guarded call,
 * without retries of its own because every step is a task.
 */
import { limits } from '@dragoman/contract'
import type { Connection } from '@dragoman/sdk'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../../hub.ts'
import { guardedFetch } from '../../../outgoing/guarded-fetch.ts'
import { enterLong } from '../../../outgoing/long-answers.ts'
import { forbiddenBecause } from '../../../outgoing/post.ts'
import { perHub } from '../../../process/caches.ts'
import type { ProviderRow } from '../../../store/tables.ts'
import { type ConfigFault, type Driver, TryLater } from './driver.ts'
import { openConfig, openPart } from './sealed-config.ts'
import { watchedFetch } from './watched-fetch.ts'

const code = { type: 'string', minLength: 1, maxLength: 35 }
const shortText = { type: 'string', minLength: 1, maxLength: 1_000 }

export const reviews = ['WAIT', 'TAKE'] as const
export type Review = (typeof reviews)[number]

const configSchema = {
  type: 'object',
  required: ['url', 'clientId', 'clientSecret'],
  additionalProperties: false,
  properties: {
    url: { ...shortText, description: 'The http or https URL of the service, without /v2.' },
    clientId: { ...shortText, description: 'A client of the service with the scope content.' },
    clientSecret: {
      ...shortText,
      writeOnly: true,
      description:
        'Its secret. Stored encrypted and never returned; send it again whenever you change the config.',
    },
    providerId: {
      ...shortText,
      description: 'The provider there. Without it, the service chooses one.',
    },
    languages: {
      type: 'object',
      maxProperties: 500,
      propertyNames: code,
      additionalProperties: code,
      description: 'Language codes of this hub and the codes to send instead of them.',
    },
    review: {
      enum: reviews,
      default: 'WAIT',
      description:
        '"WAIT" leaves translations in review there until they are approved or rejected here; "TAKE" approves them there immediately.',
    },
    record: {
      type: 'boolean',
      default: false,
      description:
        'Records the calls of each job, with their texts, as a cassette that tests can play back. Turn it on only while you need one.',
    },
  },
} as const

type Config = {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  readonly providerId?: string
  readonly languages?: Readonly<Record<string, string>>
  readonly review?: Review
  readonly record?: boolean
}

/** The other side of a provider: what to call, and how its config wants it. */
export type Upstream = {
  readonly connection: Connection
  readonly url: string
  readonly review: Review
  /** Whether the calls of its jobs are recorded. */
  readonly records: boolean
  readonly providerId?: string
  /** The code that is sent for one of ours. */
  language(code: string): string
}

const usualTimeoutMs = 30_000

/**
 * One connection per provider and config, because it holds the token; of removed ones nobody tells.
 */
const opened = perHub(
  () =>
    new LRUCache<string, { readonly config: string; readonly upstream: Promise<Upstream> }>({
      max: 2_000,
    }),
)

export function openUpstream(hub: Hub, provider: ProviderRow): Promise<Upstream> {
  const known = opened(hub).get(provider.provider_id)
  if (known?.config === provider.config) return known.upstream
  const upstream = connectTo(hub, provider)
  opened(hub).set(provider.provider_id, { config: provider.config, upstream })
  return upstream
}

async function connectTo(hub: Hub, provider: ProviderRow): Promise<Upstream> {
  const config = openConfig(hub.vault, configSchema, provider) as unknown as Config
  const {
    url,
    clientId,
    clientSecret,
    languages = {},
    review = 'WAIT',
    record = false,
    providerId,
  } = config
  const { connect } = await import('@dragoman/sdk')
  const connection = connect({
    url,
    clientId,
    clientSecret,
    languages,
    timeoutMs: usualTimeoutMs,
    mostAnswerBytes: limits.outsideAnswerBytes,
    longAnswers: () => enterLong(hub, provider.site_id),
    retry: { tries: 1 },
    fetch: watchedFetch(hub, guardedFetch(hub)),
  })
  const language = (ours: string) => languages[ours] ?? ours
  const records = record
  return {
    connection,
    url: connection.url,
    review,
    records,
    language,
    ...(providerId !== undefined && { providerId }),
  }
}

function faultIn(hub: Hub, { url }: Readonly<Record<string, unknown>>): ConfigFault | undefined {
  const because = forbiddenBecause(hub, String(url))
  if (because) return { path: 'url', message: because }
  const { search, hash } = new URL(String(url))
  return search || hash ? { path: 'url', message: 'it has a query or a fragment' } : undefined
}

export const records = ({ config }: Pick<ProviderRow, 'config'>): boolean =>
  openPart(config).record === true

export const upstream: Driver = {
  typeId: 'upstream',
  name: 'Upstream',
  description: 'Forwards jobs to another service with this API and brings the translations back.',
  configSchema,
  capabilities: { supportUpdateTM: true, supportQuote: false },
  faultIn,
  sendsTo: ({ config }) => ({
    url: String(openPart(config).url).replace(/\/$/, '').replace(/\/v2$/, ''),
  }),
  reach: async (hub, provider) => {
    const { connection } = await openUpstream(hub, provider)
    try {
      await connection.listProviders({ query: { pageSize: 1 } })
    } catch (error) {
      throw new TryLater(error instanceof Error ? error.message : String(error))
    }
  },
}
