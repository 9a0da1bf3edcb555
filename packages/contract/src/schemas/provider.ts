/** Providers and their types (contract, sections 4 and 11). */
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { choice, EchoedCode, EchoedMetadata, freeObject, GivenId, given, Id, JobId, shown, title } from './parts.ts'
import Type from './type.ts'

export const providerStatuses = ['ENABLED', 'DISABLED'] as const
export type ProviderStatus = (typeof providerStatuses)[number]
export const ProviderStatusCode = choice(providerStatuses, { title: 'ProviderStatus' })

const settable = {
  config: Type.Optional(freeObject(limits.configBytes, limits.metadataDepth)),
  extendedMetadataSchema: Type.Optional(
    freeObject(limits.metadataSchemaBytes, limits.metadataSchemaDepth, {
      description: 'A JSON schema that the extendedMetadata of a job must match when the job is submitted.',
    }),
  ),
}
const aliases = { ExtendedMetadataSchema: 'extendedMetadataSchema', providerName: 'name' } as const

export const NewProvider = given({ name: title(limits.providerNameBytes), typeId: GivenId, ...settable }, aliases, {
  title: 'NewProvider',
})
export type NewProvider = Static<typeof NewProvider>

export const ProviderChange = given(
  {
    status: Type.Optional(ProviderStatusCode),
    name: Type.Optional(title(limits.providerNameBytes)),
    ...settable,
  },
  aliases,
  { title: 'ProviderChange' },
)
export type ProviderChange = Static<typeof ProviderChange>

export const Capabilities = Type.Object(
  {
    supportUpdateTM: Type.Boolean(),
    supportQuote: Type.Boolean(),
    supportedLanguages: Type.Array(Type.Object({ sources: Type.Array(EchoedCode), targets: Type.Array(EchoedCode) })),
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
    extendedMetadataSchema: Type.Optional(EchoedMetadata),
  },
  { providerId: 'id', providerName: 'name', ExtendedMetadataSchema: 'extendedMetadataSchema' },
  { title: 'Provider' },
)
export type Provider = Static<typeof Provider>

export const ProviderType = Type.Object(
  {
    typeId: Type.String(),
    name: Type.String(),
    description: Type.String(),
    configSchema: Type.Unsafe<Record<string, unknown>>(
      Type.Object(
        {},
        { additionalProperties: true, description: 'The JSON schema for the config of such a provider.' },
      ),
    ),
  },
  { title: 'ProviderType' },
)
export type ProviderType = Static<typeof ProviderType>

export const NewInvocation = Type.Object({ jobId: GivenId }, { title: 'NewInvocation' })
export const Invocation = Type.Object({ providerId: Id, jobId: JobId }, { title: 'Invocation' })
