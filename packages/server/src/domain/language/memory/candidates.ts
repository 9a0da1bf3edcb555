/**
 * The units of a memory that may match a text: those under its keys whose signatures allow it, read
 * in batches.
 */
import { setImmediate as turn } from 'node:timers/promises'
import { type Known, minEdits } from '@dragoman/text/likeness'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { selectPostings } from './memory-rows.ts'

/** Values per statement; few enough not to block the process. */
const batchSize = 2_000

export const asRows = <N extends string, V>(name: N, values: Iterable<V>): Record<N, V>[] =>
  Array.from(values, (value) => ({ [name]: value }) as Record<N, V>)

/** SQLite answers on this thread, so this yields to other calls between two batches. */
export async function inBatches<V, R>(
  { db }: Hub,
  values: readonly V[],
  select: (db: Db, some: readonly V[]) => Promise<R[]>,
  take: (row: R) => void,
): Promise<void> {
  for (let from = 0; from < values.length; from += batchSize) {
    for (const row of await select(db.read, values.slice(from, from + batchSize))) take(row)
    await turn()
  }
}

export type Query = Known & { readonly signature: number }

/**
 * The queries that ask for each key, as a linked list of (query, edits, index of the next or -1): a
 * million keys need few objects.
 */
export type AskedKeys = { readonly first: Map<number, number>; readonly chain: number[] }
export const newAsked = (): AskedKeys => ({ first: new Map(), chain: [] })

export function ask({ first, chain }: AskedKeys, key: number, query: number, edits: number): void {
  const next = first.get(key) ?? -1
  if (chain[next] === query) return
  first.set(key, chain.length)
  chain.push(query, edits, next)
}

export type Candidate = { readonly query: number; readonly unitId: number }

/** The units under the keys whose signatures allow a match. */
export async function findCandidates(
  hub: Hub,
  memoryId: number,
  queries: readonly Pick<Query, 'signature'>[],
  { first, chain }: AskedKeys,
): Promise<Candidate[]> {
  const found = new Map<number, Candidate>()
  const keys = asRows('sought', Float64Array.from(first.keys()).sort())
  const select = (db: Db, some: Readonly<typeof keys>) => selectPostings(db, some, memoryId)
  await inBatches(hub, keys, select, ({ piece, units }) => {
    for (const unit of units.split(',')) {
      const colon = unit.indexOf(':')
      const signature = Number(unit.slice(colon + 1))
      for (let at = first.get(piece) ?? -1; at >= 0; at = chain[at + 2] ?? -1) {
        const [query = 0, edits = 0] = [chain[at], chain[at + 1]]
        if (minEdits(signature, queries[query]?.signature ?? 0) > edits) continue
        const unitId = Number(unit.slice(0, colon))
        found.set(unitId * 2 ** 20 + query, { query, unitId })
      }
    }
  })
  return [...found.values()]
}
