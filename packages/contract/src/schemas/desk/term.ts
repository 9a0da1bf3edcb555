/**
 * The terms of a site (contract, section 13): a concept with its names in each language, and which
 * of them to use.
 */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { Count, choice, given, Id, LanguageCode, name, pageQuery, text } from '../parts.ts'
import Type from '../type.ts'
import { GivenText } from './texts.ts'

export const termStatuses = ['PREFERRED', 'ALLOWED', 'FORBIDDEN'] as const
export const TermStatus = choice(termStatuses, { title: 'TermStatus' })
export type TermStatus = Static<typeof TermStatus>

/**
 * A language with or without a region: lists of terms are often written for all regions of a
 * language.
 */
export const TermLanguage = Type.String({
  maxLength: limits.languageCharacters,
  pattern: '^[A-Za-z]{2,3}([-_][A-Za-z0-9]{1,8}){0,4}$',
  description:
    'A language code such as de or de-AT. Without a region it stands for all regions of the language.',
})
const TermText = name(limits.termTextBytes, { notBlank: true })
const TermForms = Type.Array(TermText, { maxItems: limits.termForms })
const TermNote = text(limits.termNoteBytes)
const Definition = text(limits.termDefinitionBytes)

export const GivenTermEntry = Type.Object(
  {
    language: TermLanguage,
    text: TermText,
    forms: Type.Optional(TermForms),
    status: Type.Optional(TermStatus),
    note: Type.Optional(TermNote),
  },
  { title: 'GivenTermEntry' },
)
export type GivenTermEntry = Static<typeof GivenTermEntry>
const GivenEntries = Type.Array(GivenTermEntry, { minItems: 1, maxItems: limits.termEntries })

export const TermEntry = Type.Object(
  {
    language: Type.String(),
    text: Type.String(),
    forms: Type.Optional(Type.Array(Type.String())),
    status: TermStatus,
    note: Type.Optional(Type.String()),
  },
  { title: 'TermEntry' },
)
export type TermEntry = Static<typeof TermEntry>

export const Term = Type.Object(
  {
    termId: Id,
    definition: Type.Optional(Type.String()),
    version: Type.Integer({ minimum: 1 }),
    entries: Type.Array(TermEntry),
  },
  { title: 'Term' },
)
export type Term = Static<typeof Term>

export const NewTerm = Type.Object(
  { definition: Type.Optional(Definition), entries: GivenEntries },
  { title: 'NewTerm' },
)
export type NewTerm = Static<typeof NewTerm>

const Version = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const TermChange = Type.Object(
  { version: Version, definition: Type.Optional(Definition), entries: Type.Optional(GivenEntries) },
  { title: 'TermChange' },
)
export type TermChange = Static<typeof TermChange>
export const TermVersionQuery = Type.Object({ version: Version })

export const TermsQuery = pageQuery({
  language: Type.Optional(
    Type.String({
      ...TermLanguage,
      description:
        'Only terms with an entry in this language; without a region, in any of its regions.',
    }),
  ),
  text: Type.Optional(name(limits.termTextBytes)),
})
export type TermsQuery = Static<typeof TermsQuery>

export const termFormats = ['tbx', 'csv'] as const
const TermFormat = choice(termFormats, { title: 'TermFormat' })
export type TermFormat = Static<typeof TermFormat>
const ColumnLanguage = (description: string) =>
  Type.Optional(
    Type.String({
      ...TermLanguage,
      description: `Only for CSV with ${description}: its language.`,
    }),
  )
export const TermImportQuery = Type.Object({
  format: TermFormat,
  sourceNativeLanguageCode: ColumnLanguage('a column `term`'),
  targetNativeLanguageCode: ColumnLanguage('a column `translation`'),
})
export type TermImportQuery = Static<typeof TermImportQuery>
export const TermExportQuery = Type.Object({
  format: TermFormat,
  version: Type.Optional(choice(['2', '3'], { title: 'TbxVersion' })),
})
export type TermExportQuery = Static<typeof TermExportQuery>

export const TermImport = Type.Object(
  { added: Count, changed: Count, unchanged: Count },
  { title: 'TermImport' },
)
export type TermImport = Static<typeof TermImport>

export const TermQuestion = given(
  {
    sourceNativeLanguageCode: { ...LanguageCode, denyNull: true },
    targetNativeLanguageCode: { ...LanguageCode, denyNull: true },
    text: {
      ...GivenText(limits.unitTextBytes),
      description: 'A source text: parts, or a string.',
    },
  },
  {},
  { title: 'TermQuestion' },
)
export type TermQuestion = Static<typeof TermQuestion>

export const FoundTerm = Type.Object(
  {
    termId: Id,
    part: { ...Count, description: 'Where it was found: the index of the part, 0 for a string.' },
    from: {
      ...Count,
      description: 'The offset of its first character in this part, in UTF-16 code units.',
    },
    to: { ...Count, description: 'The offset after its last character.' },
    entries: Type.Array(
      Type.Object({
        text: Type.String({
          description: 'The name of the term in the target language, in its base form.',
        }),
        status: TermStatus,
        note: Type.Optional(Type.String()),
      }),
      {
        description: 'Its names in the target language, preferred ones first.',
      },
    ),
    definition: Type.Optional(Type.String()),
  },
  { title: 'FoundTerm' },
)
export const FoundTerms = Type.Object(
  {
    terms: Type.Array(FoundTerm, {
      description:
        'In the order of the text. A term that spans a tag is listed once for each part.',
    }),
  },
  { title: 'FoundTerms' },
)
export type FoundTerms = Static<typeof FoundTerms>
