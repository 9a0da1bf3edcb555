/** The score of a translation: the log-odds that a reviewer finds a major error in it. */
import { dot, type Precision, sigmoid } from './logistic.ts'
import { scoreOfTrees, type Trees } from './trees.ts'

/** What was fitted of a pair of languages. */
export type Fit = {
  readonly means: Float64Array
  readonly deviations: Float64Array
  /** The last one is the bias. */
  readonly weights: Float64Array
  readonly trees: Trees
  /** How sure the weights are: what a site's verdicts must outweigh. */
  readonly curvature: Precision
}

const mostDeviations = 4

/** The features in deviations from their mean, and 1 for the bias. */
export function scaled(
  features: Float64Array,
  { means, deviations }: Pick<Fit, 'means' | 'deviations'>,
): Float64Array {
  const row = new Float64Array(means.length + 1).fill(1)
  for (let at = 0; at < means.length; at++) {
    const value = ((features[at] ?? 0) - (means[at] ?? 0)) / (deviations[at] ?? 1)
    row[at] = Math.max(-mostDeviations, Math.min(mostDeviations, value))
  }
  return row
}

/** `change`: what a site has taught, added to the weights. */
export function scoreOf(fit: Fit, features: Float64Array, change?: Float64Array): number {
  const row = scaled(features, fit)
  const score = dot(fit.weights, row) + scoreOfTrees(fit.trees, row)
  return change?.length === row.length ? score + dot(change, row) : score
}

/** As a whole number from 0 to 100. */
export const riskOfScore = (score: number): number => Math.round(100 * sigmoid(score))
