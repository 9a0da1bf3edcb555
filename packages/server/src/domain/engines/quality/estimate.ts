/**
 * The risk of a machine's translation: what the shipped model says, with what the site has taught
 * since (learn-risk.ts). Without either the signs alone stand, which are always a floor.
 */
import { dot, featuresOf, type RiskText, riskOfScore, scaled, scoreOf } from '@dragoman/text/risk'
import type { Hub } from '../../../hub.ts'
import { type Basis, signsOnly } from './basis.ts'
import { readNumbers } from './numbers.ts'
import { selectLearned } from './quality-rows.ts'
import { type Languages, nameOf, openRiskModel, pairOf } from './risk-model.ts'

export type Estimate = Basis & {
  /** Undefined where nothing but signs is known. */
  readonly riskOf?: (text: RiskText) => number
}

export async function openEstimate(
  hub: Hub,
  siteId: string,
  languages: Languages,
): Promise<Estimate> {
  const { id, pairs, form } = await openRiskModel()
  const pair = pairOf(languages)
  const shipped = pairs.get(nameOf(pair))
  const learned = await selectLearned(hub.db.read, siteId, pair)
  const isOurs = learned?.model === id
  if (!shipped && !isOurs) return signsOnly
  const change = isOurs ? readNumbers(learned.change) : undefined
  const riskOf = (text: RiskText): number => {
    const features = featuresOf(text, shipped?.tables)
    const plain = shipped?.plain ?? form
    // Verdicts are learned without log-probabilities, which not every engine has.
    const taught = change ? dot(change, scaled(features, plain)) : 0
    const isSure = text.logProbability !== undefined
    return riskOfScore(scoreOf((isSure && shipped?.log) || plain, features) + taught)
  }
  return isOurs
    ? { basis: 'LEARNED', verdicts: Number(learned.verdicts), riskOf }
    : { basis: 'SHIPPED', verdicts: 0, riskOf }
}
