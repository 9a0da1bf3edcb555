export { countsOf, gramKeys, pairKey } from './risk/counts.ts'
export { featureNames, featuresOf, plainCount, type RiskText } from './risk/features.ts'
export { formFit, learnChange, type Verdict } from './risk/learn.ts'
export { addCurvature, dot, fitLogistic, indexOf, sigmoid, triangleOf } from './risk/logistic.ts'
export {
  type PairModel,
  type RiskHeader,
  type RiskModel,
  readRiskModel,
  riskModelVersion,
  writeKeys,
} from './risk/model-file.ts'
export { levelOf, openPartners, partnerKey } from './risk/partners.ts'
export { type Fit, riskOfScore, scaled, scoreOf } from './risk/score.ts'
export { tokensIn } from './risk/tokens.ts'
export { depth, scoreOfTrees } from './risk/trees.ts'
