/**
 * What the verdicts of a site change in the weights of a pair. The shipped rows stand behind the
 * weights by their curvature, so that few verdicts change little; the share of bad ones is the
 * site's own and quickly learned.
 */
import { formCount, plainCount } from './features.ts'
import { dot, type Example, fitLogistic, indexOf, triangleOf } from './logistic.ts'
import { type Fit, scaled } from './score.ts'
import { scoreOfTrees } from './trees.ts'

export type Verdict = { readonly features: Float64Array; readonly isBad: boolean }

/** Holds each weight, and the bias, beside the shipped rows. */
const held = { weight: 10, bias: 1 }
/** No weight changes more than this, whatever a site says. */
const mostChange = 4

export function learnChange(fit: Fit, verdicts: readonly Verdict[]): Float64Array {
  const size = fit.weights.length
  const examples = verdicts.map(({ features, isBad }): Example => {
    const row = scaled(features, fit)
    const offset = dot(fit.weights, row) + scoreOfTrees(fit.trees, row)
    return { row, label: isBad ? 1 : 0, offset }
  })
  const prior = new Float64Array(triangleOf(size))
  const bias = size - 1
  for (let row = 0; row < size; row++)
    for (let column = 0; column <= row; column++) {
      const at = indexOf(row, column)
      if (row !== bias) prior[at] = fit.curvature[at] ?? 0
      if (row === column) prior[at] = (prior[at] ?? 0) + (row === bias ? held.bias : held.weight)
    }
  return fitLogistic(examples, prior, size).map((one) =>
    Number.isFinite(one) ? Math.max(-mostChange, Math.min(mostChange, one)) : 0,
  )
}

/**
 * For pairs that the model does not know: the form of the texts, as all pairs together judge it. No
 * risk is shown by it before the site has taught it.
 */
export function formFit(pairs: ReadonlyMap<string, { readonly plain: Fit }>): Fit {
  const fits = [...pairs.values()].map(({ plain }) => plain)
  const meanOf = (of: (fit: Fit) => Float64Array, size: number): Float64Array =>
    Float64Array.from({ length: size }, (_, at) =>
      fits.reduce((sum, fit) => sum + (of(fit)[at] ?? 0) / fits.length, 0),
    )
  const size = plainCount + 1
  const isText = (at: number): boolean => at >= formCount && at < plainCount
  return {
    means: meanOf(({ means }) => means, plainCount).map((one, at) => (isText(at) ? 0 : one)),
    deviations: meanOf(({ deviations }) => deviations, plainCount).map((one, at) =>
      isText(at) ? 1 : one,
    ),
    weights: meanOf(({ weights }) => weights, size).map((one, at) => (isText(at) ? 0 : one)),
    trees: {
      features: new Uint8Array(),
      thresholds: new Float32Array(),
      values: new Float32Array(),
    },
    // Foreign pairs know less of this one than their number says.
    curvature: meanOf(({ curvature }) => curvature, triangleOf(size)).map((one) => one / 100),
  }
}
