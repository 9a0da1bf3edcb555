/**
 * Analysis codes and price lists, the REST counterparts of the SOAP service (contract, sections 9
 * and 11).
 */
import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { choice, forms, GivenId, GivenTime, Id, LanguageCode, name, storable } from './parts.ts'
import Type from './type.ts'

const Level = Type.Integer({ minimum: 1, maximum: limits.analysisLevels })
export const AnalysisCodeText = Type.String({
  minLength: 1,
  notBlank: true,
  maxCodePoints: limits.analysisCodeCharacters,
  pattern: storable,
})
export const AnalysisLabel = Type.String({
  notBlank: true,
  maxCodePoints: limits.analysisLabelCharacters,
  pattern: storable,
})

export const NewAnalysisCode = Type.Object(
  {
    id: Type.Optional(GivenId),
    code: AnalysisCodeText,
    label: Type.Optional(AnalysisLabel),
    level: Level,
    visible: Type.Optional(Type.Boolean()),
  },
  {
    title: 'NewAnalysisCode',
    description: 'With an id, changes that code; without one, creates a code.',
  },
)
export type NewAnalysisCode = Static<typeof NewAnalysisCode>

export const AnalysisCodeChange = Type.Object(
  {
    code: Type.Optional(AnalysisCodeText),
    label: Type.Optional(AnalysisLabel),
    level: Type.Optional(Level),
    visible: Type.Optional(Type.Boolean()),
  },
  { title: 'AnalysisCodeChange' },
)
export type AnalysisCodeChange = Static<typeof AnalysisCodeChange>

export const AnalysisCode = Type.Object(
  { id: Id, code: Type.String(), label: Type.String(), level: Level, visible: Type.Boolean() },
  { title: 'AnalysisCode' },
)
export type AnalysisCode = Static<typeof AnalysisCode>

export const AnalysisCodeLevel = Type.Object(
  { level: Level, label: Type.String(), visible: Type.Boolean(), codes: Type.Array(AnalysisCode) },
  { title: 'AnalysisCodeLevel' },
)
export type AnalysisCodeLevel = Static<typeof AnalysisCodeLevel>
export const AnalysisCodeLevels = Type.Object(
  { levels: Type.Array(AnalysisCodeLevel) },
  { title: 'AnalysisCodeLevels' },
)
export type AnalysisCodeLevels = Static<typeof AnalysisCodeLevels>
export const AnalysisCodesQuery = Type.Object({
  level: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: limits.analysisLevels,
      description: '0 or absent for all levels.',
    }),
  ),
  includeHidden: Type.Optional(Type.Boolean()),
})
export type AnalysisCodesQuery = Static<typeof AnalysisCodesQuery>
export const LevelPath = Type.Object({ level: Type.String({ pattern: '^([1-9]|10)$' }) })
export const LevelChange = Type.Object(
  { visible: Type.Optional(Type.Boolean()), label: Type.Optional(AnalysisLabel) },
  { title: 'LevelChange' },
)
export type LevelChange = Static<typeof LevelChange>
export const AnalysisCodeDeletion = Type.Object(
  {
    id: Id,
    deleted: Type.Boolean({ description: 'False if a job uses the code: it is hidden instead.' }),
  },
  { title: 'AnalysisCodeDeletion' },
)
export type AnalysisCodeDeletion = Static<typeof AnalysisCodeDeletion>

/** Money is decimal text, never binary floating point. */
export const Money = Type.String({
  title: 'Money',
  pattern: `^\\d{1,12}(\\.\\d{1,${limits.moneyPlaces}})?$`,
  description: `A decimal string such as 0.085, with at most ${limits.moneyPlaces} decimal places.`,
})
const Percent = Type.Integer({ minimum: 0, maximum: 100 })
const Day = Type.String({ time: true, maxLength: 40, description: forms.day })

export const bandKinds = ['Repetition', 'Context', 'Exact', 'Fuzzy', 'New'] as const
export const units = ['Word', 'Character', 'Page', 'Hour'] as const

export const Band = Type.Object(
  {
    name: name(limits.labelBytes),
    kind: choice(bandKinds),
    minPercent: Type.Optional(Percent),
    maxPercent: Type.Optional(Percent),
    factor: Type.String({
      pattern: '^\\d{1,3}(\\.\\d{1,6})?$',
      description: 'A ratio as a decimal string, such as 0.3.',
    }),
  },
  { title: 'Band' },
)
const LanguageOrAny = Type.Union([LanguageCode, Type.Literal('*')])
export type Band = Static<typeof Band>
export const PriceLine = Type.Object(
  {
    service: name(limits.labelBytes),
    sourceLanguage: LanguageOrAny,
    targetLanguage: LanguageOrAny,
    unit: choice(units),
    unitPrice: Money,
    minimumFee: Type.Optional(Money),
    analysisCodeId: Type.Optional(GivenId),
  },
  { title: 'PriceLine' },
)
export type PriceLine = Static<typeof PriceLine>
const priceList = {
  name: name(limits.labelBytes),
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    description: 'An ISO 4217 currency code, such as EUR.',
  }),
  validFrom: Day,
  validTo: Type.Optional(Day),
  minimumFee: Type.Optional(Money),
  managementFeePercent: Type.Optional(Money),
  bands: Type.Array(Band, { minItems: 1, maxItems: limits.priceBands }),
  lines: Type.Array(PriceLine, { minItems: 1, maxItems: limits.priceLines }),
}
export const NewPriceList = Type.Object(priceList, { title: 'NewPriceList' })
export type NewPriceList = Static<typeof NewPriceList>
export const PriceList = Type.Object(
  { priceListId: Id, version: Type.Integer({ minimum: 1 }), ...priceList },
  { title: 'PriceList' },
)
export type PriceList = Static<typeof PriceList>
export const PriceListQuery = Type.Object({ at: Type.Optional(GivenTime) })

const timeZone = 'An IANA name, such as `Europe/Berlin`. Days end there.'
export const SiteSettings = Type.Object(
  { timeZone: Type.String({ description: timeZone }) },
  { title: 'SiteSettings' },
)
export type SiteSettings = Static<typeof SiteSettings>

export const SiteSettingsChange = Type.Object(
  { timeZone: Type.Optional(Type.String({ maxLength: 64, description: timeZone })) },
  { title: 'SiteSettingsChange' },
)
export type SiteSettingsChange = Static<typeof SiteSettingsChange>
