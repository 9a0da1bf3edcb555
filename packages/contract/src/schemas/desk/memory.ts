/**
 * The translation memory (contract, section 13): looking texts up, its units, imports and exports.
 */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import {
  Count,
  choice,
  EchoedCode,
  GivenId,
  given,
  Id,
  JobId,
  LanguageCode,
  pageQuery,
  Time,
  text,
  title,
} from '../parts.ts'
import Type from '../type.ts'
import { GivenText, TextParts, TextTag } from './texts.ts'

const pair = {
  sourceNativeLanguageCode: { ...LanguageCode, denyNull: true },
  targetNativeLanguageCode: { ...LanguageCode, denyNull: true },
}
const shownPair = { sourceNativeLanguageCode: EchoedCode, targetNativeLanguageCode: EchoedCode }
const anyPair = {
  sourceNativeLanguageCode: Type.Optional(LanguageCode),
  targetNativeLanguageCode: Type.Optional(LanguageCode),
}

const SourceText = {
  ...Type.Union([TextParts, title(limits.unitTextBytes)]),
  description: 'The text, as parts or as a string with its codes as in the file.',
}
const TargetText = {
  ...Type.Union([TextParts, title(limits.unitTextBytes)]),
  description: 'Its translation, in either form, with the same codes.',
}
const UnitTags = Type.Optional(
  Type.Array(TextTag, {
    maxItems: limits.textParts,
    description: 'What the tags of texts in parts stand for. Absent: they are placeholders.',
  }),
)
const ChangedTime = { ...Time, description: 'When its translation was last changed, in UTC.' }
const UnitId = Type.String({
  pattern: '^\\d{1,16}-\\d{1,16}$',
  description: 'The id of the unit: the number of its memory, and its own number there.',
})

export const MatchQuestion = given(
  {
    ...pair,
    text: {
      ...GivenText(limits.unitTextBytes),
      description: 'Parts, or a string with its codes as in the file.',
    },
    tags: Type.Optional(
      Type.Array(TextTag, {
        maxItems: limits.textParts,
        description:
          'What the tags of a text in parts stand for. Absent: a unit with the same parts is the same text, whatever its tags stand for.',
      }),
    ),
    before: Type.Optional({
      ...GivenText(limits.unitTextBytes),
      description: 'The source before this one, for matches in context.',
    }),
    after: Type.Optional({
      ...GivenText(limits.unitTextBytes),
      description: 'The source after this one, for matches in context.',
    }),
    contains: Type.Optional(
      Type.Boolean({
        description:
          'Instead, find units that contain the text in their source or translation, ignoring case.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.matches,
        description: 'At most this many matches; 5 by default.',
      }),
    ),
  },
  {},
  { title: 'MatchQuestion' },
)
export type MatchQuestion = Static<typeof MatchQuestion>

export const matchKinds = ['CONTEXT', 'EXACT', 'FUZZY', 'PART'] as const
export type MatchKind = (typeof matchKinds)[number]

export const originKinds = ['REQUEST', 'TM_UPDATE', 'IMPORT', 'MANUAL'] as const
export const MatchOrigin = Type.Object(
  {
    kind: choice(originKinds, {
      title: 'OriginKind',
      description:
        'An approved request, a TM update of a job, an imported file, or a manual change.',
    }),
    jobId: Type.Optional({
      ...JobId,
      description: 'Its job, if that was sent to the same provider.',
    }),
    jobName: Type.Optional(Type.String({ description: 'The name of that job.' })),
    requestName: Type.Optional(Type.String({ description: 'The name of the request.' })),
    by: Type.Optional(
      Type.String({ description: 'The name of the person who translated or changed it.' }),
    ),
  },
  { title: 'MatchOrigin' },
)
export type MatchOrigin = Static<typeof MatchOrigin>

const ShownText = Type.Union([Type.String(), TextParts], {
  description: 'In the form in which `text` was given.',
})
export const MemoryMatch = Type.Object(
  {
    percent: Type.Integer({
      minimum: 75,
      maximum: 100,
      description: 'How much of the text is the same; 100 for PART.',
    }),
    kind: choice(matchKinds, {
      title: 'MatchKind',
      description:
        'CONTEXT is the same text between the same neighbours, EXACT the same text, FUZZY a similar one, PART one that contains it.',
    }),
    source: ShownText,
    target: ShownText,
    unitId: UnitId,
    changedTime: ChangedTime,
    adapted: Type.Optional(
      Type.Boolean({
        description:
          'true: the texts differ in numbers, placeholders or tags alone, and `target` has those of the text.',
      }),
    ),
    origin: Type.Optional(MatchOrigin),
  },
  { title: 'MemoryMatch' },
)
export type MemoryMatch = Static<typeof MemoryMatch>
export const MemoryMatches = Type.Object(
  { matches: Type.Array(MemoryMatch, { description: 'The best first.' }) },
  { title: 'MemoryMatches' },
)
export type MemoryMatches = Static<typeof MemoryMatches>

export const MemoryUnit = Type.Object(
  {
    unitId: UnitId,
    source: Type.String({ description: 'It contains codes as in the file it came from.' }),
    target: Type.String({ description: 'Its translation.' }),
    ...shownPair,
    origin: Type.String({
      description:
        'The request, TM update or import that it last came from; `manual` for a manual change.',
    }),
    version: Type.Integer({ minimum: 1, description: 'Counts up with every change.' }),
    changedBy: Type.Optional(
      Type.String({ description: 'The person or client, for a manual change.' }),
    ),
    changedTime: ChangedTime,
  },
  { title: 'MemoryUnit' },
)
export type MemoryUnit = Static<typeof MemoryUnit>

export const NewMemoryUnit = given(
  { ...pair, source: SourceText, tags: UnitTags, target: TargetText },
  {},
  { title: 'NewMemoryUnit' },
)
export type NewMemoryUnit = Static<typeof NewMemoryUnit>

const GivenVersion = Type.Integer({ minimum: 1, description: 'The version that you read.' })
export const MemoryUnitChange = given(
  {
    version: GivenVersion,
    source: Type.Optional(SourceText),
    tags: UnitTags,
    target: Type.Optional(TargetText),
  },
  {},
  { title: 'MemoryUnitChange' },
)
export type MemoryUnitChange = Static<typeof MemoryUnitChange>
export const UnitVersionQuery = Type.Object({ version: Type.Optional(GivenVersion) })

export const unitSides = ['source', 'target'] as const
export const MemoryUnitsQuery = pageQuery({
  ...anyPair,
  text: Type.Optional(
    text(limits.searchTextBytes, {
      minLength: 1,
      description:
        'Only units that contain this text, ignoring case. A page may be empty and still have a next one.',
    }),
  ),
  in: Type.Optional(
    choice(unitSides, { description: 'Where to look for `text`; both by default.' }),
  ),
})
export type MemoryUnitsQuery = Static<typeof MemoryUnitsQuery>

export const MemoryPairQuery = Type.Object(anyPair)
export type MemoryPairQuery = Static<typeof MemoryPairQuery>

export const memoryFormats = ['tmx'] as const
export const MemoryImportQuery = Type.Object({
  format: Type.Optional(choice(memoryFormats)),
  ...anyPair,
})
export type MemoryImportQuery = Static<typeof MemoryImportQuery>

export const UploadedMemory = given(
  { fmsFileId: GivenId },
  { fileId: 'fmsFileId' },
  { title: 'UploadedMemory', description: 'A file that was uploaded with a transfer object.' },
)
export type UploadedMemory = Static<typeof UploadedMemory>

export const memoryImportStates = ['QUEUED', 'RUNNING', 'DONE', 'FAILED'] as const
export type MemoryImportState = (typeof memoryImportStates)[number]
export const MemoryImport = Type.Object(
  {
    importId: {
      ...Id,
      description: 'Names the import in GET /settings/memory/imports/{importId}.',
    },
    state: choice(memoryImportStates, { title: 'MemoryImportState' }),
    read: { ...Count, description: 'Units of the file that were read.' },
    added: { ...Count, description: 'Those that are new.' },
    changed: { ...Count, description: 'Those whose source was known with another translation.' },
    skipped: { ...Count, description: 'Those without a text in both languages.' },
    total: Type.Optional({
      ...Count,
      description: 'All units of the file, once they have been counted.',
    }),
    error: Type.Optional(Type.String({ description: 'Why it failed.' })),
    createdTime: Time,
  },
  { title: 'MemoryImport' },
)
export type MemoryImport = Static<typeof MemoryImport>
