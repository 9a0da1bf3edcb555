/**
 * Contract, sections 9 and 11: analysis codes and price lists, the REST counterparts of the SOAP
 * service. Section 14: routing.
 */
import { PageQuery, path } from '../schemas/parts.ts'
import { Routing, RoutingAnswer, RoutingQuestion } from '../schemas/routing.ts'
import {
  AnalysisCode,
  AnalysisCodeChange,
  AnalysisCodeDeletion,
  AnalysisCodeLevel,
  AnalysisCodeLevels,
  AnalysisCodesQuery,
  LevelChange,
  LevelPath,
  NewAnalysisCode,
  NewPriceList,
  PriceList,
  PriceListQuery,
  SiteSettings,
  SiteSettingsChange,
} from '../schemas/settings.ts'
import { rows } from './row.ts'

const settings = { tag: 'Settings', scope: 'settings' } as const
const code = { ...settings, params: path('id'), answers: AnalysisCode } as const

export const settingsEndpoints = rows({
  listAnalysisCodes: {
    ...settings,
    call: 'GET /settings/analysiscodes',
    says: 'List the levels of analysis codes, with the codes of each level',
    query: AnalysisCodesQuery,
    answers: AnalysisCodeLevels,
    fails: [],
  },
  createAnalysisCode: {
    ...settings,
    call: 'POST /settings/analysiscodes',
    says: 'Create or change an analysis code',
    body: NewAnalysisCode,
    answers: AnalysisCode,
    status: 201,
    fails: ['ANALYSIS_CODE_INVALID', 'ANALYSIS_CODE_NOT_FOUND', 'QUOTA_EXCEEDED'],
  },
  findAnalysisCode: {
    ...code,
    call: 'GET /settings/analysiscodes/{id}',
    says: 'Read an analysis code',
    fails: ['ANALYSIS_CODE_NOT_FOUND'],
  },
  changeAnalysisCode: {
    ...code,
    call: 'PATCH /settings/analysiscodes/{id}',
    says: 'Change the label, the level or the visibility of an analysis code',
    body: AnalysisCodeChange,
    fails: ['ANALYSIS_CODE_NOT_FOUND', 'ANALYSIS_CODE_INVALID'],
  },
  deleteAnalysisCode: {
    ...code,
    call: 'DELETE /settings/analysiscodes/{id}',
    says: 'Delete an analysis code; a code that a job uses is hidden instead',
    answers: AnalysisCodeDeletion,
    fails: ['ANALYSIS_CODE_NOT_FOUND'],
  },
  changeAnalysisLevel: {
    ...settings,
    call: 'PATCH /settings/analysislevels/{level}',
    says: 'Change the label or the visibility of a level',
    params: LevelPath,
    body: LevelChange,
    answers: AnalysisCodeLevel,
    fails: [],
  },
  listPriceLists: {
    ...settings,
    call: 'GET /settings/pricelists',
    says: 'List the price lists, including earlier versions',
    query: PageQuery,
    answers: PriceList,
    collection: 'pricelists',
    fails: [],
  },
  createPriceList: {
    ...settings,
    call: 'POST /settings/pricelists',
    says: 'Save a price list as a new version',
    body: NewPriceList,
    answers: PriceList,
    status: 201,
    fails: ['PRICE_LIST_INVALID', 'ANALYSIS_CODE_INVALID', 'INVALID_LANGUAGE', 'QUOTA_EXCEEDED'],
  },
  findCurrentPriceList: {
    ...settings,
    call: 'GET /settings/pricelists/current',
    says: 'Read the current price list',
    query: PriceListQuery,
    answers: PriceList,
    fails: ['PRICE_LIST_NOT_FOUND'],
  },
  findPriceList: {
    ...settings,
    call: 'GET /settings/pricelists/{priceListId}',
    says: 'Read a price list',
    params: path('priceListId'),
    answers: PriceList,
    fails: ['PRICE_LIST_NOT_FOUND'],
  },
  findSiteSettings: {
    ...settings,
    scope: ['content', 'settings'],
    call: 'GET /settings/site',
    says: 'Read the settings of the site, such as its time zone',
    answers: SiteSettings,
    fails: [],
  },
  changeSiteSettings: {
    ...settings,
    call: 'PUT /settings/site',
    says: 'Change the settings of the site; what is left out stays as it is',
    body: SiteSettingsChange,
    answers: SiteSettings,
    fails: [],
  },
  findRouting: {
    ...settings,
    call: 'GET /settings/routing',
    says: 'Read the rules that choose the provider of a job submitted without one',
    answers: Routing,
    fails: [],
  },
  replaceRouting: {
    ...settings,
    call: 'PUT /settings/routing',
    says: 'Replace the rules that choose the provider of a job',
    body: Routing,
    answers: Routing,
    fails: ['VERSION_CONFLICT'],
  },
  tryRouting: {
    asks: true,
    ...settings,
    call: 'POST /settings/routing/try',
    says: 'Show which rule would take a job, and why the others would not; changes nothing',
    body: RoutingQuestion,
    answers: RoutingAnswer,
    fails: ['JOB_NOT_FOUND'],
  },
})
