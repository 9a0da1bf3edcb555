/**
 * Fits the model of each pair: a logistic score, first over all pairs together and then what is
 * different in this one, and small trees for what it leaves. Tables never measure a segment that
 * they have seen: each quarter of the rows is measured by the tables of the other three.
 */
import {
  addCurvature,
  dot,
  featuresOf,
  fitLogistic,
  indexOf,
  plainCount,
  scaled,
  scoreOfTrees,
  sigmoid,
  triangleOf,
} from '../../packages/text/dist/risk.js'
import { growTrees } from './grow-trees.mjs'
import { partOf } from './judged-rows.mjs'
import { makeTables, openTables } from './tables.mjs'

const quarters = 4
const treeCount = 80
const held = { pooled: 3, own: 30, bias: 0.01 }

const opened = (tables, pairs) =>
  Object.fromEntries(pairs.map((pair) => [pair, openTables(tables, pair)]))
const measure = (rows, tables) => {
  for (const row of rows) row.features = featuresOf(row, tables[row.pair])
}

export const pairsOf = (rows) => [...new Set(rows.map(({ pair }) => pair))].sort()

/** Features of `train` without their own tables; those of `test` with tables of all of `train`. */
export function measureAll(train, test = []) {
  const pairs = pairsOf(train)
  for (let quarter = 0; quarter < quarters; quarter++) {
    const isIn = ({ source }) => partOf(source, quarters, 'quarter') === quarter
    const others = makeTables(
      train.filter((row) => !isIn(row)),
      pairs,
    )
    measure(train.filter(isIn), opened(others, pairs))
  }
  const tables = makeTables(train, pairs)
  measure(test, opened(tables, pairs))
  return tables
}

/** Means and deviations of the features of a pair. */
export function scaleOf(rows, size) {
  const [means, deviations] = [new Float64Array(size), new Float64Array(size)]
  for (let at = 0; at < size; at++) {
    const values = rows.map(({ features }) => features[at])
    const mean = values.reduce((sum, one) => sum + one, 0) / values.length
    const square = values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / values.length
    means[at] = mean
    deviations[at] = Math.max(Math.sqrt(square), 1e-3)
  }
  return { means, deviations }
}

export function priorOf(size, strength, bias = held.bias) {
  const prior = new Float64Array(triangleOf(size))
  for (let at = 0; at < size; at++) prior[indexOf(at, at)] = at === size - 1 ? bias : strength
  return prior
}

/** A model for each pair; `withLog` takes the log-probability as a feature, where rows have it. */
export function fitModels(rows, withLog) {
  const used = withLog ? rows.filter(({ logProbability }) => logProbability !== undefined) : rows
  const size = plainCount + (withLog ? 1 : 0)
  const byPair = pairsOf(used).map((pair) => {
    const own = used.filter((row) => row.pair === pair)
    const scale = scaleOf(own, size)
    const sets = [...new Set(own.map(({ set }) => set))]
    return { pair, scale, sets, examples: own.map((row) => example(row, scale)) }
  })
  // Each set has its own share of bad segments: the weights are of what differs within a set.
  const all = byPair.flatMap(({ examples }) => examples)
  const shares = new Map()
  for (const { set, label } of all) {
    const [bad, count] = shares.get(set) ?? [0, 0]
    shares.set(set, [bad + label, count + 1])
  }
  const odds = (set) => {
    const [bad, count] = shares.get(set)
    return Math.log(bad / (count - bad))
  }
  const based = all.map(({ row, label, set }) => ({ row, label, offset: odds(set) }))
  const pooled = fitLogistic(based, priorOf(size + 1, held.pooled), size + 1)
  return Object.fromEntries(byPair.map((one) => [one.pair, fitPair(one, pooled)]))
}

const example = ({ features, label, set }, scale) => ({ row: scaled(features, scale), label, set })

function fitPair({ pair, scale, examples, sets }, pooled) {
  const size = pooled.length
  const offsets = examples.map(({ row }) => dot(pooled, row))
  // A column for each further set takes its share of bad ones and is not shipped.
  const wide = (row, set) =>
    Float64Array.from([...sets.slice(1).map((one) => (one === set ? 1 : 0)), ...row])
  const extra = sets.length - 1
  const prior = priorOf(size + extra, held.own)
  for (let at = 0; at < extra; at++) prior[indexOf(at, at)] = 0.1
  const own = fitLogistic(
    examples.map(({ row, label, set }, at) => ({
      row: wide(row, set),
      label,
      offset: offsets[at],
    })),
    prior,
    size + extra,
  )
  const weights = Float64Array.from(own.slice(extra), (one, at) => one + pooled[at])
  const shift = (set) => (sets.indexOf(set) > 0 ? own[sets.indexOf(set) - 1] : 0)
  const scored = examples.map((one) => ({ ...one, offset: dot(weights, one.row) + shift(one.set) }))
  const trees = growTrees(scored, size - 1, treeCount)
  const curvature = new Float64Array(triangleOf(size))
  for (const one of scored) {
    const chance = sigmoid(one.offset + scoreOfTrees(trees, one.row))
    addCurvature(curvature, one.row, chance * (1 - chance))
  }
  return { pair, ...scale, weights, trees, curvature, rows: examples.length }
}
