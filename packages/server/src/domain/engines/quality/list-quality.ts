/** What the risk of each pair of languages rests on, on one site. */
import type { QualityPair, QualitySettings } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Call } from '../../access/caller.ts'
import { countVerdicts, selectAllLearned } from './quality-rows.ts'
import { nameOf, openRiskModel, type Pair } from './risk-model.ts'

export async function findQuality(hub: Hub, { caller }: Call): Promise<QualitySettings> {
  const { id, pairs: shipped } = await openRiskModel()
  const found = new Map<string, QualityPair>()
  const put = (pair: Pair, more: Partial<QualityPair>) => {
    const known = found.get(nameOf(pair))
    const basis = shipped.has(nameOf(pair)) ? 'SHIPPED' : 'SIGNS'
    found.set(nameOf(pair), {
      sourceNativeLanguageCode: pair.source,
      targetNativeLanguageCode: pair.target,
      ...{ basis, verdicts: 0 },
      ...known,
      ...more,
    })
  }
  for (const name of shipped.keys()) {
    const [source = '', target = ''] = name.split('-')
    put({ source, target }, {})
  }
  for (const row of await countVerdicts(hub.db.read, caller.siteId, id))
    put(pairIn(row), { verdicts: Number(row.verdicts) })
  for (const row of await selectAllLearned(hub.db.read, caller.siteId))
    if (row.model === id)
      put(pairIn(row), {
        basis: 'LEARNED',
        ...(row.agreement !== null && { agreement: Number(row.agreement) }),
      })
  const pairs = [...found].sort(([one], [other]) => (one < other ? -1 : 1))
  return { pairs: pairs.map(([, pair]) => pair) }
}

const pairIn = (row: { source_language: string; target_language: string }): Pair => ({
  source: row.source_language,
  target: row.target_language,
})
