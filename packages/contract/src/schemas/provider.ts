/** Providers and their types (contract, sections 4 and 11). */
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { fillOptions } from './desk/segment.ts'
import {
  choice,
  EchoedCode,
  EchoedMetadata,
  freeObject,
  GivenId,
  given,
  Id,
  JobId,
  LanguageCode,
  name,
  shown,
  Time,
  title,
} from './parts.ts'
import Type from './type.ts'

export const providerStatuses = ['ENABLED', 'DISABLED'] as const
export type ProviderStatus = (typeof providerStatuses)[number]
export const ProviderStatusCode = choice(providerStatuses, { title: 'ProviderStatus' })

const characters = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 1e12, description }))
const limited = {
  charactersPerDay: characters('Source characters in all jobs of a UTC day.'),
  charactersPerJob: characters('Source characters in one job.'),
}
/**
 * Of an engine: at a limit the work waits, and goes on the next day or when the limit is raised.
 */
export const ProviderLimits = Type.Object(limited, {
  title: 'ProviderLimits',
  additionalProperties: false,
  description:
    'What an engine may translate. At a limit requests wait in SENT_TO_PROVIDER, and a finding says so. A change replaces both limits; {} removes them.',
})
export type ProviderLimits = Static<typeof ProviderLimits>

/** What people find filled in when they get a job. */
export const ProviderFill = Type.Object(
  {
    ...fillOptions,
    from: {
      ...fillOptions.from,
      minItems: 0,
      description:
        'Where targets come from: for each segment the first of these that has one. [] fills nothing in any more.',
    },
    providerId: Type.Optional({
      ...GivenId,
      description:
        'With ENGINE: the machine translation provider that makes the drafts. By default the only one that is enabled.',
    }),
  },
  {
    title: 'ProviderFill',
    additionalProperties: false,
    description:
      'For providers of the types manual and api: targets that the hub fills in at the hand-over of a job.',
  },
)
export type ProviderFill = Static<typeof ProviderFill>

const settable = {
  fill: Type.Optional(ProviderFill),
  limits: Type.Optional(ProviderLimits),
  config: Type.Optional(freeObject(limits.configBytes, limits.metadataDepth)),
  extendedMetadataSchema: Type.Optional(
    freeObject(limits.metadataSchemaBytes, limits.metadataSchemaDepth, {
      description:
        'A JSON schema that the extendedMetadata of a job must match when the job is submitted.',
    }),
  ),
}
const aliases = { ExtendedMetadataSchema: 'extendedMetadataSchema', providerName: 'name' } as const

export const NewProvider = given(
  { name: title(limits.providerNameBytes), typeId: GivenId, ...settable },
  aliases,
  {
    title: 'NewProvider',
  },
)
export type NewProvider = Static<typeof NewProvider>

export const ProviderChange = given(
  {
    status: Type.Optional(ProviderStatusCode),
    name: Type.Optional(title(limits.providerNameBytes)),
    ...settable,
    keepSecrets: Type.Optional(
      Type.Boolean({
        description:
          'Keep the secret values of the config that this change does not send. Not possible if the config leads to another host.',
      }),
    ),
  },
  aliases,
  { title: 'ProviderChange' },
)
export type ProviderChange = Static<typeof ProviderChange>

export const Capabilities = Type.Object(
  {
    supportUpdateTM: Type.Boolean(),
    supportQuote: Type.Boolean(),
    supportedLanguages: Type.Optional(
      Type.Array(Type.Object({ sources: Type.Array(EchoedCode), targets: Type.Array(EchoedCode) })),
    ),
  },
  { title: 'Capabilities' },
)

export const Provider = shown(
  {
    id: Id,
    name: Type.String(),
    siteId: Type.String(),
    creatorId: Type.String(),
    status: ProviderStatusCode,
    typeId: Type.String(),
    capabilities: Capabilities,
    limits: Type.Optional(ProviderLimits),
    fill: Type.Optional(ProviderFill),
    extendedMetadataSchema: Type.Optional(EchoedMetadata),
  },
  { providerId: 'id', providerName: 'name', ExtendedMetadataSchema: 'extendedMetadataSchema' },
  { title: 'Provider' },
)
export type Provider = Static<typeof Provider>

const ConfigSchema = Type.Unsafe<Record<string, unknown>>(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description: 'The JSON schema for the config of such a provider.',
    },
  ),
)

export const ProviderType = Type.Object(
  {
    typeId: Type.String(),
    name: Type.String(),
    description: Type.String(),
    configSchema: ConfigSchema,
    dialects: Type.Optional(
      Type.Array(
        Type.Object({ dialect: Type.String(), name: Type.String(), configSchema: ConfigSchema }),
      ),
    ),
  },
  { title: 'ProviderType' },
)
export type ProviderType = Static<typeof ProviderType>

export const ProviderConfig = Type.Object(
  {
    providerId: Id,
    config: { ...EchoedMetadata, description: 'The config without its secret values.' },
    secrets: Type.Array(Type.String(), {
      description: 'The names of the secret values that are set.',
    }),
  },
  { title: 'ProviderConfig' },
)
export type ProviderConfig = Static<typeof ProviderConfig>

export const ProviderTrial = Type.Object(
  {
    text: Type.Optional(
      name(limits.trialTextBytes, { notBlank: true, description: 'A short sentence by default.' }),
    ),
    sourceNativeLanguageCode: Type.Optional(LanguageCode),
    targetNativeLanguageCode: Type.Optional(LanguageCode),
  },
  {
    title: 'ProviderTrial',
    description:
      'What to translate. By default from English to the first language that the engine lists.',
  },
)
export type ProviderTrial = Static<typeof ProviderTrial>

export const ProviderTest = Type.Object(
  {
    providerId: Id,
    works: Type.Boolean(),
    durationMs: Type.Integer({ minimum: 0 }),
    text: Type.Optional(Type.String({ description: 'What was sent to the engine.' })),
    sourceNativeLanguageCode: Type.Optional(EchoedCode),
    targetNativeLanguageCode: Type.Optional(EchoedCode),
    translation: Type.Optional(Type.String({ description: 'What the engine returned.' })),
    clients: Type.Optional(
      Type.Array(
        Type.Object({
          clientId: Type.String(),
          lastUsedDate: Type.Optional({ ...Time, description: 'Absent if it has not called yet.' }),
        }),
        {
          description:
            'For a provider without an engine: the enabled clients that may deliver for it.',
        },
      ),
    ),
    error: Type.Optional(Type.String({ description: 'Why it does not work.' })),
  },
  { title: 'ProviderTest' },
)
export type ProviderTest = Static<typeof ProviderTest>

export const NewInvocation = Type.Object({ jobId: GivenId }, { title: 'NewInvocation' })
export const Invocation = Type.Object({ providerId: Id, jobId: JobId }, { title: 'Invocation' })

export const UsageQuery = Type.Object({
  since: Type.Optional(
    Type.String({
      time: true,
      maxLength: 40,
      description: 'The first UTC day; by default all days.',
    }),
  ),
  until: Type.Optional(
    Type.String({ time: true, maxLength: 40, description: 'The last UTC day; by default today.' }),
  ),
})
export type UsageQuery = Static<typeof UsageQuery>

const count = (description: string) => Type.Integer({ minimum: 0, description })
export const ProviderUsage = Type.Object(
  {
    unit: choice(['CHARACTERS', 'TOKENS'], { description: 'What the engine bills.' }),
    estimated: count(
      "Reserved before each call, then corrected by what the vendor reports. It is never lower than the vendor's own count, and higher only by calls that were in flight when a node died.",
    ),
    billed: Type.Optional(
      count('What the vendor reports as billed. Absent if it reports nothing.'),
    ),
    savedByMemory: count(
      'Source characters that were found in the translation memory, and therefore not sent.',
    ),
    requests: count('Calls to the engine.'),
  },
  { title: 'ProviderUsage' },
)
export type ProviderUsage = Static<typeof ProviderUsage>
