/**
 * Computes what the memory stores about a unit beside its texts: its hash and the keys of its
 * pieces. This reads every character, so all but the smallest batches run in a worker.
 */

import {
  charactersOf,
  hashOf,
  pieceKeys,
  plainSource,
  signatureOf,
  tokensOf,
  twinKey,
  unitKeys,
} from '@dragoman/text/likeness'
import { isSmall, runSafely } from '../worker/run.ts'

export type NewUnit = {
  readonly source: string
  readonly target: string
  readonly context?: string | undefined
  readonly origin: string
  /** The person or client that wrote it by hand. */
  readonly changedBy?: string
}
export type HashedUnit = NewUnit & { readonly hash: string }
export type Keys = {
  readonly signature: number
  /** The first is that of all its tokens. */
  readonly keys: readonly number[]
  /** Those of the characters of a short text, with their signature. */
  readonly short?: { readonly signature: number; readonly keys: readonly number[] } | undefined
  /** The one key of a unit while another with the same tokens has the keys above. */
  readonly twin: number
}
export type PreparedUnit = HashedUnit & Keys

/** The last of duplicate sources counts. Units with an empty text are left out. */
export function hashUnits(given: readonly NewUnit[]): HashedUnit[] {
  const units = new Map<string, HashedUnit>()
  for (const one of given) {
    const source = plainSource(one.source)
    const target = plainSource(one.target)
    if (source === '' || target === '') continue
    const hash = hashOf(source)
    units.set(hash, { ...one, source, target, hash })
  }
  return [...units.values()]
}

export const prepareUnits = (given: readonly NewUnit[]): PreparedUnit[] =>
  hashUnits(given).map((unit) => ({ ...unit, ...keysOf(unit.source) }))

export const keysOfAll = (sources: readonly string[]): Keys[] => sources.map(keysOf)

/** `source` is plain. */
export function keysOf(source: string): Keys {
  const tokens = tokensOf(source)
  const characters = charactersOf(source)
  return {
    signature: signatureOf(tokens),
    keys: unitKeys(tokens),
    short: characters && {
      signature: signatureOf(characters),
      keys: pieceKeys(characters, 'characters'),
    },
    twin: twinKey(tokens),
  }
}

const here = new URL('./prepare-units.ts', import.meta.url)
const textsOf = (given: readonly NewUnit[]): string[] =>
  given.flatMap(({ source, target }) => [source, target])

export const prepareSafely = async (
  siteId: string,
  given: readonly NewUnit[],
): Promise<PreparedUnit[]> =>
  isSmall(textsOf(given))
    ? prepareUnits(given)
    : runSafely(here, 'prepareUnits', [given], { siteId })

export const hashSafely = async (
  siteId: string,
  given: readonly NewUnit[],
): Promise<HashedUnit[]> =>
  isSmall(textsOf(given)) ? hashUnits(given) : runSafely(here, 'hashUnits', [given], { siteId })

export const keysSafely = async (siteId: string, sources: readonly string[]): Promise<Keys[]> =>
  isSmall(sources) ? keysOfAll(sources) : runSafely(here, 'keysOfAll', [sources], { siteId })
