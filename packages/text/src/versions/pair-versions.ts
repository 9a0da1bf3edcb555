/**
 * Pairs the units of a newer version of a text with those of the older one: equal texts first,
 * wherever they stand now, then a changed text with the one that it was. Pure; every unit of the
 * older version is used at most once.
 */
import { likenessOfTexts } from '../likeness/likeness.ts'

export type VersionUnit = { readonly id: string; readonly text: string }
/** The index of the older unit. */
export type Paired = { readonly at: number; readonly isEqual: boolean }

/** In the order of the newer units; undefined for a new one. */
export function pairVersions(
  older: readonly VersionUnit[],
  newer: readonly VersionUnit[],
): (Paired | undefined)[] {
  const pairs = new Array<Paired | undefined>(newer.length).fill(undefined)
  const free = new Set(older.keys())
  const take = (place: number, at: number, isEqual: boolean) => {
    pairs[place] = { at, isEqual }
    free.delete(at)
  }
  pairEqual(older, newer, { pairs, free, take })
  const byId = new Map([...free].map((at) => [older[at]?.id, at]))
  for (const [place, { id }] of newer.entries()) {
    const at = byId.get(id)
    if (!pairs[place] && isNamed(id) && at !== undefined && free.has(at)) take(place, at, false)
  }
  for (const gap of gapsIn(older, newer, { pairs, free, take })) pairGap(older, newer, gap, take)
  return pairs
}

type Pairing = {
  readonly pairs: (Paired | undefined)[]
  readonly free: Set<number>
  readonly take: (place: number, at: number, isEqual: boolean) => void
}

/** A unit with the same id first: a text that stands twice keeps its place. */
function pairEqual(
  older: readonly VersionUnit[],
  newer: readonly VersionUnit[],
  { pairs, free, take }: Pairing,
): void {
  const same = new Map(older.map(({ id, text }, at) => [keyOf(id, text), at]))
  for (const [place, { id, text }] of newer.entries()) {
    const at = same.get(keyOf(id, text))
    if (at !== undefined && free.has(at)) take(place, at, true)
  }
  const byText = new Map<string, number[]>()
  for (const at of [...free].reverse()) {
    const text = older[at]?.text ?? ''
    const known = byText.get(text)
    if (known) known.push(at)
    else byText.set(text, [at])
  }
  for (const [place, { text }] of newer.entries()) {
    if (pairs[place]) continue
    const at = byText.get(text)?.pop()
    if (at !== undefined) take(place, at, true)
  }
}

const keyOf = (id: string, text: string): string => `${id.length} ${id}${text}`

/** Without a name in its file a unit has its number: `s12`. */
const isNamed = (id: string): boolean => !/^s\d{1,9}(?:~s\d{1,9})?$/.test(id)

/** Unpaired units of both versions between two pairs. */
type Gap = { readonly places: number[]; readonly indexes: number[] }

function gapsIn(
  older: readonly VersionUnit[],
  newer: readonly VersionUnit[],
  { pairs, free }: Pairing,
): Gap[] {
  const gaps: Gap[] = []
  let [from, places]: [number, number[]] = [0, []]
  const close = (until: number) => {
    const indexes: number[] = []
    for (let at = from; at < until; at += 1)
      if (free.has(at) && !isNamed(older[at]?.id ?? '')) indexes.push(at)
    if (places.length > 0 && indexes.length > 0) gaps.push({ places, indexes })
    places = []
  }
  for (const [place, { id }] of newer.entries()) {
    const pair = pairs[place]
    if (!pair && !isNamed(id)) places.push(place)
    // What was moved to the front is no fence for what comes after it.
    if (!pair || pair.at < from) continue
    close(pair.at)
    from = pair.at + 1
  }
  close(older.length)
  return gaps
}

/** Texts that one text is compared with. */
const mostCompared = 8

/** As many on both sides are the same places; else a text that is like it. */
function pairGap(
  older: readonly VersionUnit[],
  newer: readonly VersionUnit[],
  { places, indexes }: Gap,
  take: Pairing['take'],
): void {
  if (places.length === indexes.length) {
    for (const [index, place] of places.entries()) take(place, indexes[index] ?? 0, false)
    return
  }
  let next = 0
  for (const place of places) {
    const text = newer[place]?.text ?? ''
    for (let index = next; index < Math.min(indexes.length, next + mostCompared); index += 1) {
      const at = indexes[index] ?? 0
      if (likenessOfTexts(older[at]?.text ?? '', text) === 0) continue
      take(place, at, false)
      next = index + 1
      break
    }
  }
}
