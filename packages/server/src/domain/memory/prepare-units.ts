/**
 * Computes what the memory stores about a unit beside its texts: its hash and the keys of its pieces. This reads every
 * character, so all but the smallest batches run in a worker.
 */
import { isSmall, runSafely } from '../formats/worker/run.ts'
import { signatureOf, unitKeys } from './pieces.ts'
import { hashOf } from './source-hash.ts'
import { plainSource, tokensOf } from './tokens.ts'

export type NewUnit = {
  readonly source: string
  readonly target: string
  readonly context?: string | undefined
  readonly origin: string
}
export type PreparedUnit = NewUnit & {
  readonly hash: string
  readonly signature: number
  /** The first is that of all its tokens. */
  readonly keys: readonly number[]
}

/** Of duplicate sources, the last one counts. Units with an empty text are left out. */
export function prepareUnits(given: readonly NewUnit[]): PreparedUnit[] {
  const units = new Map<string, PreparedUnit>()
  for (const one of given) {
    const source = plainSource(one.source)
    const target = plainSource(one.target)
    if (source === '' || target === '') continue
    const hash = hashOf(source)
    const tokens = tokensOf(source)
    units.set(hash, { ...one, source, target, hash, signature: signatureOf(tokens), keys: unitKeys(tokens) })
  }
  return [...units.values()]
}

export const prepareSafely = async (siteId: string, given: readonly NewUnit[]): Promise<PreparedUnit[]> =>
  isSmall(given.flatMap(({ source, target }) => [source, target]))
    ? prepareUnits(given)
    : runSafely(new URL('./prepare-units.ts', import.meta.url), 'prepareUnits', [given], { siteId })
