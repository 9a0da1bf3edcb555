/** Gradient boosting: trees of depth three over 32 bins of each feature, beginning at a score. */
import { depth, sigmoid } from '../../packages/text/dist/risk.js'

const bins = 32
const settings = { rate: 0.06, held: 8, leastWeight: 12 }
const inner = 2 ** depth - 1

/** `examples`: `{ row, label, offset }`; `size`: how many features of a row are asked. */
export function growTrees(examples, size, count) {
  const edges = Array.from({ length: size }, (_, feature) => edgesOf(examples, feature))
  const binned = edges.map((own, feature) =>
    Uint8Array.from(examples, ({ row }) => own.findLastIndex((edge) => row[feature] > edge) + 1),
  )
  const scores = Float64Array.from(examples, ({ offset }) => offset)
  const trees = { features: [], thresholds: [], values: [] }
  for (let tree = 0; tree < count; tree++) growTree(examples, { binned, edges, scores, trees })
  return {
    features: Uint8Array.from(trees.features),
    thresholds: Float32Array.from(trees.thresholds),
    values: Float32Array.from(trees.values),
  }
}

function edgesOf(examples, feature) {
  const sorted = Float64Array.from(examples, ({ row }) => row[feature]).sort()
  const found = new Set()
  for (let bin = 1; bin < bins; bin++)
    found.add(Math.fround(sorted[Math.floor((bin * sorted.length) / bins)]))
  return [...found].sort((one, other) => one - other)
}

function growTree(examples, { binned, edges, scores, trees }) {
  const slopes = examples.map(({ label }, at) => label - sigmoid(scores[at]))
  const curves = examples.map((_, at) => {
    const chance = sigmoid(scores[at])
    return Math.max(chance * (1 - chance), 1e-6)
  })
  const node = new Uint8Array(examples.length)
  for (let level = 0; level < depth; level++) {
    const first = 2 ** level - 1
    for (let at = first; at < 2 * first + 1; at++) {
      const best = bestSplit({ binned, edges, slopes, curves, node }, at)
      trees.features.push(best?.feature ?? 0)
      trees.thresholds.push(best ? edges[best.feature][best.bin] : Number.MAX_VALUE)
      for (let one = 0; one < node.length; one++)
        if (node[one] === at)
          node[one] = 2 * at + (best && binned[best.feature][one] > best.bin ? 2 : 1)
    }
  }
  const [sum, weight] = [new Float64Array(inner + 1), new Float64Array(inner + 1)]
  for (let one = 0; one < node.length; one++) {
    sum[node[one] - inner] += slopes[one]
    weight[node[one] - inner] += curves[one]
  }
  const values = Array.from(
    sum,
    (all, leaf) => (settings.rate * all) / (weight[leaf] + settings.held),
  )
  trees.values.push(...values)
  for (let one = 0; one < node.length; one++) scores[one] += values[node[one] - inner]
}

function bestSplit({ binned, edges, slopes, curves, node }, at) {
  const members = []
  let [allSlope, allCurve] = [0, 0]
  for (let one = 0; one < node.length; one++) {
    if (node[one] !== at) continue
    members.push(one)
    allSlope += slopes[one]
    allCurve += curves[one]
  }
  const gain = (slope, curve) => (slope * slope) / (curve + settings.held)
  let best
  let most = gain(allSlope, allCurve) + 1e-6
  for (const [feature, own] of binned.entries()) {
    const [slope, curve] = [new Float64Array(bins), new Float64Array(bins)]
    for (const one of members) {
      slope[own[one]] += slopes[one]
      curve[own[one]] += curves[one]
    }
    let [left, weight] = [0, 0]
    for (let bin = 0; bin < edges[feature].length; bin++) {
      left += slope[bin]
      weight += curve[bin]
      if (weight < settings.leastWeight || allCurve - weight < settings.leastWeight) continue
      const all = gain(left, weight) + gain(allSlope - left, allCurve - weight)
      if (all > most) [most, best] = [all, { feature, bin }]
    }
  }
  return best
}
