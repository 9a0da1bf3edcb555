/**
 * Handlers of the project settings: the REST counterparts of the SOAP service, calling the same
 * verbs.
 */
import {
  changeAnalysisCode,
  deleteAnalysisCode,
  findAnalysisCode,
  saveAnalysisCode,
} from '../../domain/settings/analysis-codes.ts'
import { changeAnalysisLevel, listAnalysisCodes } from '../../domain/settings/analysis-levels.ts'
import { findFormatOptions, replaceFormatOptions } from '../../domain/settings/format-options.ts'
import {
  createPriceList,
  findCurrentPriceList,
  findPriceList,
  listPriceLists,
} from '../../domain/settings/price-lists.ts'
import { changeSiteSettings, findSiteSettings } from '../../domain/settings/site-settings.ts'
import type { Handlers } from './bind.ts'

export const settingsHandlers = {
  listAnalysisCodes: (hub, call, { query }) => listAnalysisCodes(hub, call, query),
  createAnalysisCode: (hub, call, { body }) => saveAnalysisCode(hub, call, body),
  findAnalysisCode: (hub, call, { params }) => findAnalysisCode(hub, call, params.id),
  changeAnalysisCode: (hub, call, { params, body }) =>
    changeAnalysisCode(hub, call, params.id, body),
  deleteAnalysisCode: (hub, call, { params }) => deleteAnalysisCode(hub, call, params.id),
  changeAnalysisLevel: (hub, call, { params, body }) =>
    changeAnalysisLevel(hub, call, Number(params.level), body),
  listPriceLists: (hub, call, { query }) => listPriceLists(hub, call, query),
  createPriceList: (hub, call, { body }) => createPriceList(hub, call, body),
  findCurrentPriceList: (hub, call, { query }) => findCurrentPriceList(hub, call, query.at),
  findPriceList: (hub, call, { params }) =>
    findPriceList(hub, call.caller.siteId, params.priceListId),
  findSiteSettings: (hub, call) => findSiteSettings(hub, call),
  changeSiteSettings: (hub, call, { body }) => changeSiteSettings(hub, call, body),
  findFormatOptions: (hub, call) => findFormatOptions(hub, call),
  replaceFormatOptions: (hub, call, { body }) => replaceFormatOptions(hub, call, body),
} satisfies Partial<Handlers>
