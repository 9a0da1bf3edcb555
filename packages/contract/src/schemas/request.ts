/** The request, a content item of a job for one target language (contract, section 4). */
import type { Static } from 'typebox'
import { type FormatId, formatIds } from '../formats/index.ts'
import { requestStatuses } from '../lifecycle.ts'
import { limits } from '../limits.ts'
import {
  Count,
  choice,
  EchoedCode,
  EchoedMetadata,
  Field,
  Fields,
  FileId,
  GivenId,
  given,
  Id,
  JobId,
  LanguageCode,
  LanguageCodes,
  Metadata,
  name,
  pageQuery,
  shown,
  storable,
  Time,
  text,
  title,
} from './parts.ts'
import Type from './type.ts'

const Format = choice(formatIds as [...FormatId[]], {
  title: 'FormatId',
  description:
    'The format of the file, if the hub should not detect it from name and bytes; GET /formats lists the formats.',
})

export const RequestStatusCode = choice(requestStatuses, { title: 'RequestStatusCodeEnum' })

const nativeId = name(limits.nativeIdBytes)
const content = {
  fmsFileId: Type.Optional(GivenId),
  sourcecontentId: Type.Optional(GivenId),
  fields: Type.Optional(Fields),
}
const aliases = {
  ExtendedMetadata: 'extendedMetadata',
  fileId: 'fmsFileId',
  sourceContentId: 'sourcecontentId',
} as const

export const NewRequest = given(
  {
    requestName: title(limits.requestNameBytes),
    sourceNativeId: nativeId,
    sourceNativeLanguageCode: { ...LanguageCode, denyNull: true },
    targetNativeLanguageCodes: { ...LanguageCodes, denyNull: true },
    targetNativeIds: Type.Optional(Type.Array(nativeId, { maxItems: limits.targetLanguages })),
    wordCount: Type.Optional(Count),
    format: Type.Optional(Format),
    extendedMetadata: Type.Optional(Metadata),
    supersedes: Type.Optional({
      ...GivenId,
      description:
        'The request with an older source of the same content, in this job or an earlier one, in the same languages. Name one target language. Once this job is submitted, the older request is cancelled unless it is approved, and its targets of equal segments are carried over.',
    }),
    ...content,
    fieldNames: Type.Optional(
      Type.Array(name(limits.fieldKeyBytes), {
        maxItems: limits.fields,
        deprecated: true,
        description: 'With fieldValues, the old form of fields: the keys.',
      }),
    ),
    fieldValues: Type.Optional(
      Type.Array(Type.String({ pattern: storable }), {
        maxItems: limits.fields,
        deprecated: true,
        description: 'The values, one for each of fieldNames.',
      }),
    ),
  },
  aliases,
  {
    title: 'NewRequest',
    description:
      'Set exactly one of fmsFileId, sourcecontentId and fields. Creates one request per target language.',
  },
)
export type NewRequest = Static<typeof NewRequest>

export const NewRequestList = Type.Object(
  { requests: Type.Array(NewRequest, { minItems: 1, maxItems: limits.requestsPerCall }) },
  { title: 'NewRequestList' },
)
export const NewRequests = Type.Union([NewRequestList, NewRequest])

const change = {
  requestName: Type.Optional(title(limits.requestNameBytes)),
  sourceNativeId: Type.Optional(nativeId),
  sourceNativeLanguageCode: Type.Optional(LanguageCode),
  targetNativeId: Type.Optional(nativeId),
  targetNativeLanguageCode: Type.Optional(LanguageCode),
  wordCount: Type.Optional(Count),
  format: Type.Optional(Format),
  extendedMetadata: Type.Optional(Metadata),
  ...content,
}
export const RequestChange = given(change, aliases, {
  title: 'RequestChange',
  description: 'Set at most one of fmsFileId, sourcecontentId and fields.',
})
export type RequestChange = Static<typeof RequestChange>

export const RequestIds = Type.Array(GivenId, { minItems: 1, maxItems: limits.requestsPerCall })
export const SameChange = Type.Object(
  { requestIds: RequestIds, requestsUpdate: RequestChange },
  { title: 'SameChange', description: 'The same change for several requests.' },
)
export const NamedChange = given({ requestId: GivenId, ...change }, aliases, {
  title: 'NamedChange',
})
/** A body that is not a list is validated as the second form. */
export const RequestChanges = Type.Union([
  Type.Array(NamedChange, { minItems: 1, maxItems: limits.requestsPerCall }),
  SameChange,
])

export const Approval = Type.Object({ requestIds: RequestIds }, { title: 'Approval' })
export const Rejection = Type.Object(
  { requestIds: RequestIds, note: Type.Optional(text(limits.noteBytes)) },
  { title: 'Rejection' },
)
export const FileContentUpdate = given(
  { requestIds: RequestIds, fmsFileId: GivenId },
  { fileId: 'fmsFileId' },
  { title: 'FileContentUpdate' },
)

/** Why there is no translation yet. */
export const LastTry = Type.Object(
  { time: Time, message: Type.String(), nextTime: Time },
  {
    title: 'LastTry',
    description:
      'The last failed attempt of a provider, and the time of the next one. Not an error; removed when an attempt succeeds.',
  },
)
export type LastTry = Static<typeof LastTry>

/** What a person should know about a delivery. */
export const deliveryFacts = {
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      description:
        'Differences between the delivered translation and its source: keys, units, placeholders, tags.',
    }),
  ),
  forced: Type.Optional(
    Type.Boolean({
      description: 'True if the provider forced a translation that the hub would have refused.',
    }),
  ),
  lastTry: Type.Optional(LastTry),
}

/** What ended a request, and which newer one took its place. */
export const superseded = {
  cause: Type.Optional(
    choice(['SUPERSEDED'], {
      title: 'CancelCause',
      description: 'Why it was cancelled, if a newer source took its place.',
    }),
  ),
  supersededBy: Type.Optional({
    ...Id,
    description: 'The request with the newer source, from its submission on.',
  }),
}

export const JobRequest = shown(
  {
    requestId: Id,
    jobId: JobId,
    requestName: Type.String(),
    statusCode: RequestStatusCode,
    hasError: Type.Boolean(),
    latestErrorMessage: Type.Optional(Type.String()),
    sourceNativeId: Type.String(),
    sourceNativeLanguageCode: EchoedCode,
    targetNativeId: Type.Optional(Type.String()),
    targetNativeLanguageCode: EchoedCode,
    createdDate: Time,
    modifiedDate: Time,
    wordCount: Type.Optional(Count),
    fileId: Type.Optional(FileId),
    fileName: Type.Optional(Type.String()),
    format: Type.Optional(
      Type.String({
        description:
          'The format in which the hub reads the file, as GET /formats lists it; absent if no format matches.',
      }),
    ),
    fileType: Type.Optional(Type.String({ description: 'The extension, without the dot.' })),
    sourcecontentId: Type.Optional(Id),
    providerReference: Type.Optional(Type.String()),
    rejectNote: Type.Optional(Type.String()),
    supersedes: Type.Optional({ ...Id, description: 'The request with the older source.' }),
    ...superseded,
    ...deliveryFacts,
    extendedMetadata: Type.Optional(EchoedMetadata),
  },
  {
    status: 'statusCode',
    ExtendedMetadata: 'extendedMetadata',
    fmsFileId: 'fileId',
    sourceContentId: 'sourcecontentId',
  },
  { title: 'Request' },
)
export type JobRequest = Static<typeof JobRequest>

export const RequestsQuery = pageQuery({
  id: Type.Optional(Type.Array(GivenId, { maxItems: limits.requestsPerCall })),
  statusCode: Type.Optional(Type.Array(RequestStatusCode)),
  targetNativeLanguageCode: Type.Optional(LanguageCode),
})

export const TranslationsQuery = Type.Object({
  language: Type.Optional(LanguageCode),
  approved: Type.Optional(Type.Boolean({ description: 'Only translations that are approved.' })),
})
export type TranslationsQuery = Static<typeof TranslationsQuery>

export const TranslationContent = Type.Object(
  {
    requestId: Id,
    sourceNativeId: Type.String(),
    sourceNativeLanguageCode: EchoedCode,
    targetNativeId: Type.Optional(Type.String()),
    targetNativeLanguageCode: EchoedCode,
    targetContent: Type.Array(Field),
  },
  { title: 'TranslationContent' },
)
export type TranslationContent = Static<typeof TranslationContent>
