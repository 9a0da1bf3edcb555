/** TM updates: files that extend the provider's translation memory (contract, section 4). */
import type { Static } from 'typebox'
import {
  Count,
  choice,
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

/** The import of a TMX file into the site's memory. Other files go to the provider only. */
export const tmImportStatuses = ['WAITING', 'IMPORTING', 'IMPORTED', 'FAILED'] as const
export type TmImportStatus = (typeof tmImportStatuses)[number]

export const TmUnits = Type.Object(
  {
    read: Count,
    added: Count,
    changed: Count,
    skipped: { ...Count, description: 'Units without text in both languages.' },
  },
  { title: 'TmUnits' },
)

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
    importStatus: Type.Optional(
      choice(tmImportStatuses, {
        description:
          'Only for a TMX file: whether its units have been imported into the translation memory of the site.',
      }),
    ),
    importError: Type.Optional(Type.String({ description: 'Why the file was not imported.' })),
    units: Type.Optional(TmUnits),
  },
  { ExtendedMetadata: 'extendedMetadata', fmsFileId: 'fileId' },
  { title: 'TmUpdate' },
)
export type TmUpdate = Static<typeof TmUpdate>
