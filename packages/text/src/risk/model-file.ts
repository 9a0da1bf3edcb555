/**
 * The model that ships with the hub, as bytes: a header in JSON after its length, then the arrays
 * that it names, one after the other.
 */
import { type Counts, countsOf } from './counts.ts'
import type { RiskTables } from './features.ts'
import { openPartners } from './partners.ts'
import type { Fit } from './score.ts'

export const riskModelVersion = 1

export type StoredFit = {
  readonly means: number[]
  readonly deviations: number[]
  readonly weights: number[]
  readonly trees: {
    readonly features: number[]
    readonly thresholds: number[]
    readonly values: number[]
  }
  readonly curvature: number[]
}
type StoredPair = {
  readonly pair: string
  readonly rows: number
  /** How many partners there are, and the bytes of their keys. */
  readonly partners: number
  readonly keyBytes: number
  readonly plain: StoredFit
  readonly log?: StoredFit
}
export type RiskHeader = {
  readonly version: number
  readonly languages: readonly { readonly language: string; readonly bytes: number }[]
  readonly pairs: readonly StoredPair[]
}

export type PairModel = {
  readonly pair: string
  readonly tables: RiskTables
  readonly plain: Fit
  /** With the log-probability of the engine. */
  readonly log?: Fit
}
/** By the pair, such as `en-de`. */
export type RiskModel = ReadonlyMap<string, PairModel>

export function readRiskModel(bytes: Uint8Array): RiskModel {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 4 + view.getUint32(0)
  const header: RiskHeader = JSON.parse(new TextDecoder().decode(bytes.subarray(4, at)))
  if (header.version !== riskModelVersion)
    throw new Error(`The risk model has the version ${header.version}, not ${riskModelVersion}.`)
  const take = (count: number): Uint8Array => {
    at += count
    return bytes.slice(at - count, at)
  }
  const counts = new Map<string, Counts>()
  for (const one of header.languages) counts.set(one.language, countsOf(take(one.bytes)))
  const model = new Map<string, PairModel>()
  for (const { pair, partners, keyBytes, plain, log } of header.pairs) {
    const keys = readKeys(take(keyBytes), partners)
    const [source, target] = pair.split('-').map((language) => counts.get(language))
    if (!source || !target) throw new Error(`The risk model lacks a language of ${pair}.`)
    const levels = take(partners)
    const open = (): RiskTables => ({ source, target, partners: openPartners(keys, levels) })
    model.set(pair, pairModel(pair, open, { plain: fitOf(plain), ...(log && { log: fitOf(log) }) }))
  }
  return model
}

/** Most sites use one pair or two: tables are opened with their first use. */
function pairModel(
  pair: string,
  open: () => RiskTables,
  fits: Pick<PairModel, 'plain' | 'log'>,
): PairModel {
  let tables: RiskTables | undefined
  return {
    pair,
    ...fits,
    get tables() {
      tables ??= open()
      return tables
    },
  }
}

const fitOf = ({ means, deviations, weights, trees, curvature }: StoredFit): Fit => ({
  means: Float64Array.from(means),
  deviations: Float64Array.from(deviations),
  weights: Float64Array.from(weights),
  trees: {
    features: Uint8Array.from(trees.features),
    thresholds: Float32Array.from(trees.thresholds),
    values: Float32Array.from(trees.values),
  },
  curvature: Float64Array.from(curvature),
})

/** Differences of sorted numbers, seven bits a byte, the lowest first. */
export function writeKeys(keys: Uint32Array): Uint8Array {
  const bytes: number[] = []
  let last = 0
  for (const key of keys) {
    let rest = key - last
    for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
    bytes.push(rest)
    last = key
  }
  return Uint8Array.from(bytes)
}

function readKeys(bytes: Uint8Array, count: number): Uint32Array {
  const keys = new Uint32Array(count)
  let [at, last] = [0, 0]
  for (let one = 0; one < count; one++) {
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] ?? 0
      last += (byte & 127) << shift
      if (byte < 128) break
    }
    keys[one] = last
  }
  return keys
}
