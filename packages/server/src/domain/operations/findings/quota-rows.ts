/**
 * What each site uses of the quotas that are counted per site. No site: without one, an operator
 * sees all sites. Every count reads an index that begins with the site, and is cut off at its quota
 * by the writers.
 */

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../store/database.ts'

type Site = string | undefined

const ofSite = (siteId: Site): RawBuilder<unknown> =>
  siteId === undefined ? sql`1 = 1` : sql`site_id = ${siteId}`

const counted = {
  MaxBytesPerSite: { of: sql`sum(bytes)`, from: sql`site_bytes` },
  MaxProvidersPerSite: { of: sql`count(*)`, from: sql`providers` },
  MaxAnalysisCodesPerSite: { of: sql`count(*)`, from: sql`analysis_codes` },
  MaxTermsPerSite: { of: sql`count(*)`, from: sql`terms` },
  MaxTermBytesPerSite: { of: sql`sum(bytes)`, from: sql`terms` },
  MaxPriceListsPerSite: { of: sql`count(*)`, from: sql`price_lists` },
} as const
export type SiteQuota = keyof typeof counted
export const siteQuotas = Object.keys(counted) as SiteQuota[]

export type Use = { readonly siteId: string; readonly used: number }

/** The sites that use at least so much of a quota. */
export async function selectUse(
  db: Db,
  siteId: Site,
  quota: SiteQuota,
  least: number,
): Promise<Use[]> {
  const { of, from } = counted[quota]
  const { rows } = await sql<{ site_id: string; used: number }>`
    select site_id, ${of} as used from ${from} where ${ofSite(siteId)}
    group by site_id having ${of} >= ${least} order by site_id`.execute(db)
  return rows.map((row) => ({ siteId: row.site_id, used: Number(row.used) }))
}

/**
 * The sites with at least so many unacknowledged updates; with `known`, only of clients that have a
 * row.
 */
export async function selectOpenUpdates(
  db: Db,
  siteId: Site,
  known: boolean,
  least: number,
): Promise<Use[]> {
  const { rows } = await sql<{ site_id: string; used: number }>`
    select site_id, count(*) as used from status_updates where acknowledged_at is null and ${ofSite(siteId)}
    ${known ? sql`and client_id in (select client_id from clients)` : sql``}
    group by site_id having count(*) >= ${least} order by site_id`.execute(db)
  return rows.map((row) => ({ siteId: row.site_id, used: Number(row.used) }))
}

/** Quotas that were set for clients. */
export const ownQuotas = (db: Db, siteId: Site) =>
  db
    .selectFrom('clients')
    .select(['site_id', 'quotas'])
    .where('quotas', 'is not', null)
    .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId ?? ''))
    .$narrowType<{ quotas: string }>()
    .execute()
