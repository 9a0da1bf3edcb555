/**
 * The ten operations, one row each (specification, "Endpoints"; contract, section 9): the request
 * element, the check of its REST counterpart, the result, and the verb. The misspelled name is the
 * specification's.
 */
import {
  AnalysisCodesQuery,
  AnalysisLabel,
  GivenId,
  LevelChange,
  limits,
  NewAnalysisCode,
  NewPriceList,
  PriceListQuery,
  Type,
} from '@dragoman/contract'
import type { Static, TObject, TProperties } from 'typebox'
import type { Call } from '../../domain/access/caller.ts'
import {
  changeAnalysisCode,
  deleteAnalysisCode,
  moveAnalysisCodes,
  saveAnalysisCode,
} from '../../domain/settings/analysis-codes.ts'
import { changeAnalysisLevel, listAnalysisCodes } from '../../domain/settings/analysis-levels.ts'
import {
  createPriceList,
  findCurrentPriceList,
  findPriceList,
} from '../../domain/settings/price-lists.ts'
import type { Hub } from '../../hub.ts'
import { bodyCheck, compiledOnce } from '../../validation/validate.ts'
import { type Member, optional, required, type ShapeName, type SimpleType } from './shapes.ts'

export type Operation = {
  readonly takes: readonly Member[]
  readonly gives: SimpleType | ShapeName
  /** Throws if the input is invalid. */
  readonly check: (input: Record<string, unknown>) => unknown
  readonly run: (hub: Hub, call: Call, input: never) => unknown
}

type OperationRow<P extends TProperties> = {
  readonly takes: readonly Member[]
  readonly schema: P
  readonly gives: SimpleType | ShapeName
  readonly run: (hub: Hub, call: Call, input: Static<TObject<P>>) => unknown
}
const row = <P extends TProperties>({ takes, schema, gives, run }: OperationRow<P>): Operation => ({
  takes,
  gives,
  check: compiledOnce(bodyCheck, Type.Object(schema)),
  run,
})

const organisation = optional('OrganisationID', 'string')
const codeId = required('AnalysisCodeID', 'string')
const analysisCodeId = GivenId
const { level } = NewAnalysisCode.properties
const visible = Type.Boolean()

export const operations: Readonly<Record<string, Operation>> = {
  GetAnalysisCodes: row({
    takes: [organisation, optional('Level', 'int'), optional('IncludeHidden', 'boolean')],
    schema: AnalysisCodesQuery.properties,
    gives: 'AnalysisCodes',
    run: (hub, call, asked) => listAnalysisCodes(hub, call, asked),
  }),
  SetOrganisationAnalysisCode: row({
    takes: [organisation, required('AnalysisCode', 'AnalysisCode')],
    schema: { analysisCode: NewAnalysisCode },
    gives: 'AnalysisCode',
    run: (hub, call, { analysisCode }) => saveAnalysisCode(hub, call, analysisCode),
  }),
  SetOrganisationAnalysisCodeLabel: row({
    takes: [organisation, codeId, required('Label', 'string')],
    schema: { analysisCodeId, label: AnalysisLabel },
    gives: 'AnalysisCode',
    run: (hub, call, input) =>
      changeAnalysisCode(hub, call, input.analysisCodeId, { label: input.label }),
  }),
  SetOrganisationAnalysisCodesLevel: row({
    takes: [organisation, required('AnalysisCodeIDs', 'ArrayOfString'), required('Level', 'int')],
    schema: {
      analysisCodeIds: Type.Array(GivenId, { minItems: 1, maxItems: limits.analysisCodesPerCall }),
      level,
    },
    gives: 'ArrayOfAnalysisCode',
    run: (hub, call, input) => moveAnalysisCodes(hub, call, input.analysisCodeIds, input.level),
  }),
  SetOrganisationAnalysisCodeVisiblity: row({
    takes: [organisation, codeId, required('Visible', 'boolean')],
    schema: { analysisCodeId, visible },
    gives: 'AnalysisCode',
    run: (hub, call, input) =>
      changeAnalysisCode(hub, call, input.analysisCodeId, { visible: input.visible }),
  }),
  SetOrganisationAnalysisCodeLevelVisibility: row({
    takes: [
      organisation,
      required('Level', 'int'),
      required('Visible', 'boolean'),
      optional('Label', 'string'),
    ],
    schema: { level, visible, label: LevelChange.properties.label },
    gives: 'AnalysisCodeLevel',
    run: (hub, call, input) => changeAnalysisLevel(hub, call, input.level, input),
  }),
  DeleteOrganisationAnalysisCode: row({
    takes: [organisation, codeId],
    schema: { analysisCodeId },
    gives: 'boolean',
    run: async (hub, call, input) =>
      (await deleteAnalysisCode(hub, call, input.analysisCodeId)).deleted,
  }),
  SetOrganisationPriceList: row({
    takes: [organisation, required('PriceList', 'PriceList')],
    schema: { priceList: NewPriceList },
    gives: 'PriceList',
    run: (hub, call, { priceList }) => createPriceList(hub, call, priceList),
  }),
  GetOrganisationPriceList: row({
    takes: [organisation, optional('At', 'date')],
    schema: PriceListQuery.properties,
    gives: 'PriceList',
    run: (hub, call, { at }) => findCurrentPriceList(hub, call, at),
  }),
  GetOrganisationPriceListbyPriceListID: row({
    takes: [required('PriceListID', 'string')],
    schema: { priceListId: GivenId },
    gives: 'PriceList',
    run: (hub, call, { priceListId }) => findPriceList(hub, call.caller.siteId, priceListId),
  }),
}
