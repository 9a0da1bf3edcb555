/** Support assets: files that help the translator of a job (contract, section 4). */
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import {
  EchoedCode,
  EchoedMetadata,
  FileId,
  GivenId,
  given,
  Id,
  JobId,
  LanguageCode,
  Metadata,
  name,
  shown,
  Time,
  text,
} from './parts.ts'
import Type from './type.ts'

export const NewSupportAsset = given(
  {
    fmsFileId: GivenId,
    description: Type.Optional(text(limits.descriptionBytes)),
    sourceNativeIds: Type.Optional(
      Type.Array(name(limits.nativeIdBytes), { maxItems: limits.nativeIds }),
    ),
    sourceNativeLanguageCode: Type.Optional(LanguageCode),
    targetNativeLanguageCodes: Type.Optional(
      Type.Array(LanguageCode, { maxItems: limits.targetLanguages, denyNull: true }),
    ),
    extendedMetadata: Type.Optional(Metadata),
  },
  { ExtendedMetadata: 'extendedMetadata', fileId: 'fmsFileId' },
  { title: 'NewSupportAsset' },
)
export type NewSupportAsset = Static<typeof NewSupportAsset>

const supportAsset = {
  supportassetId: Id,
  fileId: FileId,
  jobId: JobId,
  filename: Type.String(),
  filetype: Type.String(),
  description: Type.Optional(Type.String()),
  sourceNativeIds: Type.Optional(Type.Array(Type.String())),
  sourceNativeLanguageCode: Type.Optional(EchoedCode),
  targetNativeLanguageCodes: Type.Optional(Type.Array(EchoedCode)),
  createdDate: Time,
  extendedMetadata: EchoedMetadata,
}
const assetAliases = {
  ExtendedMetadata: 'extendedMetadata',
  fmsFileId: 'fileId',
  supportAssetId: 'supportassetId',
} as const

export const SupportAsset = shown(supportAsset, assetAliases, { title: 'SupportAsset' })
export type SupportAsset = Static<typeof SupportAsset>

/** The answer to its creation: deployed clients look for requests in it. */
export const AddedSupportAsset = shown(
  {
    ...supportAsset,
    _embedded: Type.Object(
      {
        requests: Type.Array(Type.String(), {
          description: 'Always empty: a support asset has no requests.',
        }),
      },
      { description: 'Only for clients that look for it.' },
    ),
  },
  assetAliases,
  { title: 'AddedSupportAsset' },
)
