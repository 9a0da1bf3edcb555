/**
 * Rules about quotas that are counted per site. Those of a job are refused one call at a time and
 * need no warning.
 */
import { findingRules, type QuotaName, quotas } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { bounded, type Finders, type Look, type RuleMatch } from './finder.ts'
import { ownQuotas, selectOpenUpdates, selectUse, siteQuotas, type Use } from './quota-rows.ts'

export const quotaRules: Finders<'quota-near' | 'updates-near'> = {
  'quota-near': async (hub, look) => {
    const { share } = findingRules['quota-near']
    const limitsOf = await readLimits(look)
    const found: RuleMatch<'quota-near'>[] = []
    for (const quota of siteQuotas) {
      const byDefault = quota === 'MaxBytesPerSite' ? hub.config.siteBytes : quotas[quota]
      const limits = limitsOf(quota, byDefault)
      for (const { siteId, used } of await selectUse(
        look.db,
        look.siteId,
        quota,
        Math.ceil(limits.lowest * share),
      )) {
        const limit = limits.of(siteId)
        if (used < limit * share) continue
        const facts = { quota, siteId, percent: percent(used, limit), used, limit }
        found.push({
          siteId,
          thing: 'quota',
          thingId: `${siteId}.${quota}`,
          since: hub.clock.now(),
          facts,
        })
      }
    }
    return bounded(found, look)
  },

  'updates-near': async (hub, look) => {
    const { share } = findingRules['updates-near']
    const limits = (await readLimits(look))(
      'MaxStatusUpdatesPerSite',
      quotas.MaxStatusUpdatesPerSite,
    )
    const uses = await selectOpen(hub, look, Math.ceil(limits.lowest * share))
    const near = uses.filter(({ siteId, used }) => used >= limits.of(siteId) * share)
    return bounded(
      near.map(({ siteId, used }) => ({
        siteId,
        thing: 'site',
        thingId: siteId,
        since: hub.clock.now(),
        facts: { siteId, used, limit: limits.of(siteId) },
      })),
      look,
    )
  },
}

/**
 * A client of an outside issuer has no row, so with such an issuer the updates of all clients
 * count.
 */
const selectOpen = (hub: Hub, { db, siteId }: Look, least: number): Promise<Use[]> =>
  selectOpenUpdates(db, siteId, hub.config.outsideIssuer === undefined, least)

const percent = (used: number, limit: number): number =>
  Math.floor((100 * used) / Math.max(1, limit))

type Limits = { readonly lowest: number; readonly of: (siteId: string) => number }

/** The limit of each site: the highest that was set for one of its clients, or the default. */
async function readLimits({
  db,
  siteId,
}: Look): Promise<(quota: QuotaName, byDefault: number) => Limits> {
  const rows = await ownQuotas(db, siteId)
  const own = rows.map((row) => ({
    siteId: row.site_id,
    set: JSON.parse(row.quotas) as Partial<Record<QuotaName, number>>,
  }))
  return (quota, byDefault) => {
    const bySite = new Map<string, number>()
    for (const { siteId, set } of own)
      if (set[quota] !== undefined)
        bySite.set(siteId, Math.max(bySite.get(siteId) ?? 0, set[quota]))
    return {
      lowest: Math.min(byDefault, ...bySite.values()),
      of: (site) => bySite.get(site) ?? byDefault,
    }
  }
}
