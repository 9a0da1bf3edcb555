/**
 * Held-out figures of each set: five parts by the hash of the source, each judged by a model that
 * never saw it, with whole numbers from 0 to 100 as the hub shows them.
 */
import { learnChange, riskOfScore, scoreOf } from '../../packages/text/dist/risk.js'
import { fitModels, measureAll } from './fit.mjs'
import { areaUnder, foundIn } from './judge.mjs'
import { partOf } from './judged-rows.mjs'

const parts = 5

export function crossValidate(rows, { seed, verdicts = 2_000, most = parts, tell }) {
  const judged = { shipped: [], log: [], before: [], learned: [] }
  for (let part = 0; part < most; part++) {
    const isTest = ({ source }) => partOf(source, parts, seed) === part
    const [train, test] = [rows.filter((row) => !isTest(row)), rows.filter(isTest)]
    measureAll(train, test)
    note(judged.shipped, test, fitModels(train, false))
    const told = test.filter(({ logProbability }) => logProbability !== undefined)
    note(judged.log, told, fitModels(train, true))
    learn({ train, test, verdicts, seed }, judged)
    tell(
      part + 1,
      Object.fromEntries(Object.entries(judged).map(([name, all]) => [name, figuresOf(all)])),
    )
  }
}

const note = (list, rows, models) => {
  for (const row of rows)
    list.push({
      set: row.set,
      label: row.label,
      score: riskOfScore(scoreOf(models[row.pair], row.features)),
    })
}

/** A site's verdicts are of segments that the shipped model has not seen either. */
function learn({ train, test, verdicts, seed }, judged) {
  const order = (row) => partOf(row.source, 2 ** 30, `${seed} verdict`)
  const taken = new Set()
  for (const set of new Set(train.map((row) => row.set))) {
    const own = train
      .filter((row) => row.set === set)
      .toSorted((one, other) => order(one) - order(other))
    for (const row of own.slice(0, Math.min(verdicts, Math.floor(own.length * 0.55))))
      taken.add(row.source)
  }
  const shipped = train.filter(({ source }) => !taken.has(source))
  const site = train.filter(({ source }) => taken.has(source))
  measureAll(shipped, [...site, ...test])
  const models = fitModels(shipped, false)
  note(judged.before, test, models)
  for (const set of new Set(test.map((row) => row.set))) {
    const own = site.filter((row) => row.set === set)
    const model = models[own[0].pair]
    const verdicts = own.map(({ features, label }) => ({ features, isBad: label === 1 }))
    const change = learnChange(model, verdicts)
    for (const row of test.filter((one) => one.set === set)) {
      const score = riskOfScore(scoreOf(model, row.features, change))
      judged.learned.push({ set, label: row.label, score })
    }
  }
}

function figuresOf(all) {
  const sets = [...new Set(all.map(({ set }) => set))].sort()
  const rows = sets.map((set) => {
    const own = all.filter((row) => row.set === set)
    return { set, segments: own.length, area: areaUnder(own), found: foundIn(own) }
  })
  const mean = (of) => rows.reduce((sum, row) => sum + of(row), 0) / rows.length
  return [
    ...rows,
    { set: 'mean', segments: all.length, area: mean((r) => r.area), found: mean((r) => r.found) },
  ]
}
