/**
 * The types of the project settings service (contract, sections 9 and 11), defined once: these rows
 * drive reading, writing and the WSDL. `field` is the member of the REST counterpart.
 */
import { bandKinds, limits, units } from '@dragoman/contract'

/** `from`: the XSD base type; the rest restricts it, for client generators. */
export const simpleTypes = {
  string: { from: 'xs:string' },
  int: { from: 'xs:int' },
  boolean: { from: 'xs:boolean' },
  date: { from: 'xs:date' },
  Money: {
    from: 'xs:decimal',
    facets: { minInclusive: '0', totalDigits: '18', fractionDigits: String(limits.moneyPlaces) },
  },
  BandKind: { from: 'xs:string', values: bandKinds },
  Unit: { from: 'xs:string', values: units },
} as const satisfies Record<
  string,
  { from: string; facets?: Record<string, string>; values?: readonly string[] }
>
export type SimpleType = keyof typeof simpleTypes

export type Member = {
  readonly element: string
  readonly field: string
  readonly type: SimpleType | ShapeName
  readonly optional?: true
}
export type Shape =
  | { readonly members: readonly Member[] }
  /** A list: any number of elements of one name, an array in REST. */
  | { readonly items: string; readonly type: SimpleType | ShapeName }

const member = (element: string, type: SimpleType | ShapeName): Member => ({
  element,
  field: fieldOf(element),
  type,
})
export const required = member
export const optional = (element: string, type: SimpleType | ShapeName): Member => ({
  ...member(element, type),
  optional: true,
})

/** Turns AnalysisCodeIDs into analysisCodeIds. */
function fieldOf(element: string): string {
  const small = element.replace(/IDs$/, 'Ids').replace(/ID$/, 'Id')
  return small.charAt(0).toLowerCase() + small.slice(1)
}

/** `lines[2].analysisCodeId` in an error is Lines[2].AnalysisCodeID here. */
export const elementPath = (path: string): string =>
  path
    .split('.')
    .map((step) =>
      (step.charAt(0).toUpperCase() + step.slice(1))
        .replace(/Ids(?=\[|$)/, 'IDs')
        .replace(/Id(?=\[|$)/, 'ID'),
    )
    .join('.')

export type ShapeName =
  | 'AnalysisCode'
  | 'ArrayOfAnalysisCode'
  | 'AnalysisCodeLevel'
  | 'ArrayOfAnalysisCodeLevel'
  | 'AnalysisCodes'
  | 'ArrayOfString'
  | 'Band'
  | 'ArrayOfBand'
  | 'PriceLine'
  | 'ArrayOfPriceLine'
  | 'PriceList'
  | 'SettingsFault'
export const shapes: Readonly<Record<ShapeName, Shape>> = {
  AnalysisCode: {
    members: [
      optional('ID', 'string'),
      required('Code', 'string'),
      optional('Label', 'string'),
      required('Level', 'int'),
      optional('Visible', 'boolean'),
    ],
  },
  ArrayOfAnalysisCode: { items: 'AnalysisCode', type: 'AnalysisCode' },
  AnalysisCodeLevel: {
    members: [
      required('Level', 'int'),
      required('Label', 'string'),
      required('Visible', 'boolean'),
      required('Codes', 'ArrayOfAnalysisCode'),
    ],
  },
  ArrayOfAnalysisCodeLevel: { items: 'AnalysisCodeLevel', type: 'AnalysisCodeLevel' },
  AnalysisCodes: { members: [required('Levels', 'ArrayOfAnalysisCodeLevel')] },
  ArrayOfString: { items: 'string', type: 'string' },
  Band: {
    members: [
      required('Name', 'string'),
      required('Kind', 'BandKind'),
      optional('MinPercent', 'int'),
      optional('MaxPercent', 'int'),
      required('Factor', 'Money'),
    ],
  },
  ArrayOfBand: { items: 'Band', type: 'Band' },
  PriceLine: {
    members: [
      required('Service', 'string'),
      required('SourceLanguage', 'string'),
      required('TargetLanguage', 'string'),
      required('Unit', 'Unit'),
      required('UnitPrice', 'Money'),
      optional('MinimumFee', 'Money'),
      optional('AnalysisCodeID', 'string'),
    ],
  },
  ArrayOfPriceLine: { items: 'PriceLine', type: 'PriceLine' },
  PriceList: {
    members: [
      optional('PriceListID', 'string'),
      optional('Version', 'int'),
      required('Name', 'string'),
      required('Currency', 'string'),
      required('ValidFrom', 'date'),
      optional('ValidTo', 'date'),
      optional('MinimumFee', 'Money'),
      optional('ManagementFeePercent', 'Money'),
      required('Bands', 'ArrayOfBand'),
      required('Lines', 'ArrayOfPriceLine'),
    ],
  },
  SettingsFault: { members: [required('Code', 'string'), required('Message', 'string')] },
}

export const isSimple = (type: SimpleType | ShapeName): type is SimpleType =>
  Object.hasOwn(simpleTypes, type)
