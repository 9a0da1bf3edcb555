import type { Selectable } from 'kysely'
import type { Flag, Json, Time } from './columns.ts'

/** A level without a row is visible and has no label. */
type AnalysisLevelTable = { site_id: string; level: number; label: string; visible: Flag }

type AnalysisCodeTable = {
  code_id: string
  site_id: string
  level: number
  code: string
  /** The code in lower case: unique in its level. */
  code_key: string
  label: string
  visible: Flag
  created_at: Time
  modified_at: Time
  cause_id: string
}

/** A version of the site's prices; never changed. */
type PriceListTable = {
  price_list_id: string
  site_id: string
  version: number
  name: string
  currency: string
  /** The first moment of a day, UTC; `valid_to` is that of the last day. */
  valid_from: Time
  valid_to: Time | null
  /** Fees, bands and lines. */
  prices: Json
  created_at: Time
  cause_id: string
}

export type SettingsTables = {
  analysis_levels: AnalysisLevelTable
  analysis_codes: AnalysisCodeTable
  price_lists: PriceListTable
}

export type AnalysisLevelRow = Selectable<AnalysisLevelTable>
export type AnalysisCodeRow = Selectable<AnalysisCodeTable>
export type PriceListRow = Selectable<PriceListTable>
