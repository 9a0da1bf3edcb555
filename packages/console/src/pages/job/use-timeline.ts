/**
 * The entries of a timeline, newest first. The newest page is read again when something changes;
 * older ones are read on demand and kept. New entries wait while the person has scrolled down, so
 * that rows do not move under the pointer.
 */

import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { CallInput, HubFailure } from '../../hub.ts'
import { call } from '../../hub.ts'
import { useCall } from '../../queries.ts'
import { type Entry, idOf } from './timeline-rows.ts'

export type Filter = Pick<NonNullable<CallInput<'listTimeline'>['query']>, 'kind' | 'only'>
export type Timeline = {
  readonly entries: readonly Entry[]
  readonly isLoading: boolean
  readonly failure: HubFailure | null
  readonly hasMore: boolean
  readonly loadMore: () => void
  readonly reload: () => void
  /** How many are waiting to be shown. */
  readonly newer: number
  readonly showNewer: () => void
}

type Kept = {
  readonly of: string
  readonly entries: ReadonlyMap<string, Entry>
  readonly waiting: ReadonlyMap<string, Entry>
  /** The cursor of the older entries; undefined at the end. */
  readonly cursor: string | undefined
}

const pageSize = 200

export function useTimeline(jobId: string, filter: Filter, mustWait: () => boolean): Timeline {
  const of = JSON.stringify([jobId, filter])
  const query = useMemo(
    () => ({ ...(JSON.parse(of) as [string, Filter])[1], order: 'desc' as const, pageSize }),
    [of],
  )
  const newest = useCall('listTimeline', { params: { jobId }, query }, { keepOld: false })
  const [kept, setKept] = useState<Kept>()
  const wait = useRef(mustWait)
  wait.current = mustWait
  useEffect(() => {
    const page = newest.data
    if (!page) return
    setKept((before) =>
      withNewest(before?.of === of ? before : undefined, of, page, wait.current()),
    )
  }, [newest.data, of])

  const reading = useRef(false)
  const current = kept?.of === of ? kept : undefined
  const cursor = current?.cursor
  const loadMore = useCallback(() => {
    if (reading.current || cursor === undefined) return
    reading.current = true
    call('listTimeline', { params: { jobId }, query: { ...query, navNext: cursor } })
      .then((page) => setKept((before) => (before?.of === of ? withOlder(before, page) : before)))
      .catch(() => {})
      .finally(() => {
        reading.current = false
      })
  }, [cursor, jobId, of, query])

  const entries = useMemo(
    () => [...(current?.entries.values() ?? [])].sort(newestFirst),
    [current?.entries],
  )
  return {
    entries,
    isLoading: newest.isLoading || (newest.data !== undefined && !current),
    failure: newest.error,
    hasMore: cursor !== undefined,
    loadMore,
    reload: () => void newest.refetch(),
    newer: current?.waiting.size ?? 0,
    showNewer: () =>
      setKept(
        (before) =>
          before && {
            ...before,
            entries: merged(before.entries, before.waiting),
            waiting: new Map(),
          },
      ),
  }
}

type Page = { readonly timeline: Entry[]; readonly pagination: { readonly navNext?: string } }
type Entries = ReadonlyMap<string, Entry>

const mapOf = (entries: readonly Entry[]): Entries =>
  new Map(entries.map((entry) => [idOf(entry), entry]))
const merged = (one: Entries, other: Entries): Entries => new Map([...one, ...other])

function withNewest(before: Kept | undefined, of: string, page: Page, mustWait: boolean): Kept {
  const read = mapOf(page.timeline)
  const isKnown = (id: string) => before?.entries.has(id) || before?.waiting.has(id)
  // After a long absence there may be a gap between the new entries and the old ones: then the list
  // starts again.
  if (!before || (read.size > 0 && ![...read.keys()].some(isKnown)))
    return { of, entries: read, waiting: new Map(), cursor: page.pagination.navNext }
  const isNew = ([id]: [string, Entry]) => !before.entries.has(id)
  const changed = new Map([...read].filter((one) => !isNew(one)))
  const fresh = new Map([...read].filter(isNew))
  const entries = merged(before.entries, mustWait ? changed : read)
  return { ...before, entries, waiting: mustWait ? merged(before.waiting, fresh) : new Map() }
}

const withOlder = (before: Kept, page: Page): Kept => ({
  ...before,
  entries: merged(mapOf(page.timeline), before.entries),
  cursor: page.pagination.navNext,
})

const kinds = ['call', 'upstream', 'file', 'quote', 'move', 'update', 'task', 'delivery', 'attempt']

function newestFirst(one: Entry, other: Entry): number {
  if (one.time !== other.time) return one.time < other.time ? 1 : -1
  return kinds.indexOf(other.kind) - kinds.indexOf(one.kind)
}
