/**
 * The segments of a task, with what was written here and is not read again yet; a filter, and how
 * much is done.
 */
import type { CheckFinding, KeptCheck, Segment } from '@dragoman/contract/wire'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { hubNow } from '../../clock.ts'
import { type Pages, usePages } from '../../queries.ts'
import { storeChoice, storedChoice } from '../../stored-choices.ts'
import type { Drafts } from './drafts/use-drafts.ts'
import { type Filter, fits, isOpen, queryOf, repeatsIn } from './filters.ts'
import { type At, countWords, textKey } from './task.ts'
import { useBestMatches } from './use-best-matches.ts'

/** Loaded without being asked for, so that most tasks are counted whole. */
const aheadSegments = 1_000

/**
 * What this page knows of a segment before the hub has told it: the checks of a text, findings that
 * stay, a filled-in repeat.
 */
type Known = {
  readonly checks?: { readonly of: string; readonly found: readonly CheckFinding[] }
  readonly kept?: KeptCheck[]
  readonly isFilled?: boolean
}
export type Shown = Segment & {
  /** As the drafts know it; what is written must name it. */
  readonly seen: Segment
  readonly isRepeat: boolean
  readonly isFilled: boolean
  /**
   * Of the best match of the memory, in per cent; 0 if there is none, undefined until it is known.
   */
  readonly match?: number
}

export type Segments = {
  readonly pages: Pages<Segment>
  readonly all: readonly Shown[]
  readonly shown: readonly Shown[]
  readonly count: (filter: Filter) => number
  readonly words: { readonly done: number; readonly all: number }
  readonly learn: (segmentId: string, known: Known) => void
}

export function useSegments(at: At, filter: Filter, text: string, drafts: Drafts): Segments {
  const input = useMemo(
    () => ({ params: at, query: { ...queryOf(filter), ...(text && { text }) } }),
    [at, filter, text],
  )
  const pages = usePages('listSegments', input)
  const { items, hasMore, isFetching, loadMore } = pages
  useEffect(() => {
    if (hasMore && !isFetching && items.length < aheadSegments) loadMore()
  }, [hasMore, isFetching, items.length, loadMore])
  const [known, setKnown] = useState<ReadonlyMap<string, Known>>(new Map())
  const learn = useCallback(
    (segmentId: string, some: Known) =>
      setKnown((before) => new Map(before).set(segmentId, { ...before.get(segmentId), ...some })),
    [],
  )
  const { percents } = useBestMatches(at, lastIn(items))
  const since = useSince(at)
  const repeats = useMemo(() => repeatsIn(items), [items])
  // A row that did not change stays the same object, so that it is not rendered again.
  const made = useRef(
    new WeakMap<Segment, { readonly known: Known | undefined; readonly row: Shown }>(),
  )
  const all = useMemo(
    () =>
      items.map((segment): Shown => {
        const seen = drafts.show(segment)
        const own = known.get(segment.segmentId)
        const before = made.current.get(seen)
        const isRepeat = repeats.has(segment.segmentId)
        const match = percents.get(segment.segmentId)
        const isSame =
          before?.known === own && before?.row.isRepeat === isRepeat && before.row.match === match
        if (before && isSame) return before.row
        const isCurrent = own?.checks?.of === textKey(seen.target ?? [])
        const row = {
          ...seen,
          ...(isCurrent && own?.checks && { checks: withConfirmed(own.checks.found, seen) }),
          ...(own?.kept && { kept: own.kept }),
          seen,
          isRepeat,
          isFilled: own?.isFilled === true,
          ...(match !== undefined && { match }),
        }
        made.current.set(seen, { known: own, row })
        return row
      }),
    [items, known, repeats, drafts, percents],
  )
  // A segment that no longer fits stays until another filter is chosen: nothing moves under the
  // person's hands.
  const held = useRef({ filter, ids: new Set<string>() })
  if (held.current.filter !== filter) held.current = { filter, ids: new Set() }
  const shown = useMemo(() => {
    const found = all.filter(
      (one) => held.current.ids.has(one.segmentId) || fits(filter, one, { repeats, since }),
    )
    held.current.ids = new Set(found.map(({ segmentId }) => segmentId))
    return found
  }, [all, filter, repeats, since])
  const sizes = useMemo(
    () => new Map(items.map(({ segmentId, source }) => [segmentId, countWords(source)])),
    [items],
  )
  const words = useMemo(() => {
    const sum = (some: readonly Segment[]) =>
      some.reduce((total, one) => total + (sizes.get(one.segmentId) ?? 0), 0)
    return { done: sum(all.filter((one) => !isOpen(one))), all: sum(all) }
  }, [all, sizes])
  const count = (name: Filter) => all.filter((one) => fits(name, one, { repeats, since })).length
  return { pages, all, shown, count, words, learn }
}

/**
 * What is found as one types, with what only the hub finds, once a text is confirmed: a match that
 * was left as it is.
 */
const withConfirmed = (found: readonly CheckFinding[], segment: Segment): CheckFinding[] => [
  ...found.filter(({ check }) => check !== 'fuzzy'),
  ...segment.checks.filter(
    ({ check }) =>
      (check === 'fuzzy' && !isOpen(segment)) || check === 'repeat' || check === 'reused',
  ),
]
/** The riskiest may come first. */
const lastIn = (items: readonly Segment[]): number =>
  items.reduce((last, { position }) => Math.max(last, position), 0)

/** When this task was last opened in this browser, for the filter "changed since". */
function useSince({ assetTaskId }: At): string {
  const [since] = useState(() => storedChoice(`seen:${assetTaskId}`) ?? '')
  useEffect(
    () => () => storeChoice(`seen:${assetTaskId}`, new Date(hubNow()).toISOString()),
    [assetTaskId],
  )
  return since
}
