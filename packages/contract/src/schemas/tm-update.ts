/** TM updates: files that teach the provider's translation memory (contract, section 4). */
import type { Static } from 'typebox'
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
  shown,
  Time,
} from './parts.ts'
import Type from './type.ts'

export const NewTmUpdate = given(
  {
    fmsFileId: GivenId,
    sourceNativeLanguageCode: { ...LanguageCode, denyNull: true },
    targetNativeLanguageCode: { ...LanguageCode, denyNull: true },
    extendedMetadata: Type.Optional(Metadata),
  },
  { ExtendedMetadata: 'extendedMetadata', fileId: 'fmsFileId' },
  { title: 'NewTmUpdate' },
)
export type NewTmUpdate = Static<typeof NewTmUpdate>

export const TmUpdate = shown(
  {
    tmupdateId: Id,
    jobId: JobId,
    fileId: FileId,
    fileType: Type.String(),
    fileName: Type.String(),
    sourceNativeLanguageCode: EchoedCode,
    targetNativeLanguageCode: EchoedCode,
    createdDate: Time,
    extendedMetadata: EchoedMetadata,
  },
  { ExtendedMetadata: 'extendedMetadata' },
  { title: 'TmUpdate' },
)
export type TmUpdate = Static<typeof TmUpdate>
