/** The tables of a model from right translations: counts of a language, partners of a pair. */
import { countsOf, levelOf, openPartners, partnerKey } from '../../packages/text/dist/risk.js'
import { align } from './align.mjs'

/** Places of the counts: English stands in nearly every pair and has the most text. */
const mostPlaces = (language) => 2 ** (language === 'en' ? 19 : 17)
const mostPartners = 45_000
const leastLikelihood = 0.03

export const languagesOf = (pair) => pair.split('-')

/** `rows` have `from` and `right`. Returns `{ counts: {language}, partners: {pair} }`. */
export function makeTables(rows, pairs) {
  const texts = new Map()
  const add = (language, text) => {
    const all = texts.get(language) ?? new Set()
    texts.set(language, all.add(text))
  }
  const parallel = new Map(pairs.map((pair) => [pair, []]))
  for (const row of rows) {
    const [source, target] = languagesOf(row.pair)
    add(source, row.from)
    for (const right of row.right) {
      add(target, right)
      parallel.get(row.pair)?.push([row.from.stems, right.stems])
      parallel.get(`${target}-${source}`)?.push([right.stems, row.from.stems])
    }
  }
  return {
    counts: Object.fromEntries(
      [...texts].map(([one, all]) => [one, countAll(all, mostPlaces(one))]),
    ),
    partners: Object.fromEntries([...parallel].map(([pair, all]) => [pair, partnersOf(all)])),
  }
}

function countAll(texts, places) {
  const counts = new Map()
  for (const { keys } of texts) for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  const levels = new Uint8Array(places / 2)
  for (const [key, count] of counts) {
    const at = key & (places - 1)
    const level = Math.min(15, 1 + Math.floor(Math.log2(count)))
    const both = levels[at >>> 1]
    const [low, high] = [both & 15, both >>> 4]
    levels[at >>> 1] =
      at & 1 ? (Math.max(high, level) << 4) | low : (high << 4) | Math.max(low, level)
  }
  return levels
}

/** Sorted keys and their values: the likeliest pairs of words. */
function partnersOf(parallel) {
  const found = new Map()
  align(parallel, (source, target, likelihood, other) => {
    if (likelihood < leastLikelihood && other < leastLikelihood) return
    const key = partnerKey(source, target)
    const rank = likelihood + other
    if ((found.get(key)?.rank ?? 0) >= rank) return
    const value = (levelOf(likelihood || tiny) << 4) | levelOf(other || tiny)
    found.set(key, { rank, value })
  })
  const best = [...found].sort(([, one], [, other]) => other.rank - one.rank).slice(0, mostPartners)
  best.sort(([one], [other]) => one - other)
  return {
    keys: Uint32Array.from(best, ([key]) => key),
    values: Uint8Array.from(best, ([, { value }]) => value),
  }
}
const tiny = 1e-9

export const openTables = ({ counts, partners }, pair) => {
  const [source, target] = languagesOf(pair)
  const { keys, values } = partners[pair]
  return {
    source: countsOf(counts[source]),
    target: countsOf(counts[target]),
    partners: openPartners(keys, values),
  }
}
