/**
 * The tail of the call log. The newest page is polled; new rows wait behind a count, so that
 * nothing moves under the pointer, unless the list follows the tail. Older pages are read on
 * demand, and only once.
 */
import type { LoggedCall } from '@dragoman/contract/wire'
import { useEffect, useRef, useState } from 'react'
import { hubNow } from '../../clock.ts'
import { type CallAnswer, type CallInput, call, type HubFailure } from '../../hub.ts'
import { useLeft } from '../../left.ts'
import { type Pages, useCall } from '../../queries.ts'
import { useLive } from '../../stream.ts'

export type CallsFilter = NonNullable<CallInput<'listCalls'>['query']>
type Page = CallAnswer<'listCalls'>
type State = {
  readonly of: string
  readonly items: readonly LoggedCall[]
  readonly next: string | undefined
  /** The newest page, and those of its rows that are not in `items` yet. */
  readonly head: Page
  readonly fresh: readonly LoggedCall[]
  /** More calls came than fit on a page: those in between have not been read. */
  readonly hasGap: boolean
}

export type Tail = {
  readonly pages: Pages<LoggedCall>
  readonly newer: number
  readonly isMany: boolean
  readonly showNewer: () => void
  /** When the newest page was read, on the hub's clock. */
  readonly readAt: number | undefined
}

const maxItems = 5_000
const pollMs = 2_000

/** Callers choose trace ids, so the time is part of the key. */
export const nameOf = ({ traceId, time }: LoggedCall): string => `${time} ${traceId}`

export function useTail(filter: CallsFilter, follows: boolean): Tail {
  const of = JSON.stringify(filter)
  const head = useCall('listCalls', { query: filter }, { keepOld: false, refetchInterval: pollMs })
  useLive('listCalls')
  // Back finds the pages that were read: they are not cached elsewhere.
  const [state, change] = useLeft<State | undefined>('~calls', undefined)
  const [failure, setFailure] = useState<HubFailure | null>(null)
  const [readAt, setReadAt] = useState<number>()
  const isLoading = useRef(false)
  const { data, dataUpdatedAt } = head
  useEffect(() => {
    if (data) change((before) => arrive(before, of, data, follows))
  }, [data, of, follows, change])
  useEffect(() => {
    if (dataUpdatedAt > 0) setReadAt(hubNow())
  }, [dataUpdatedAt])

  const own = state?.of === of ? state : undefined
  const loadMore = () => {
    const next = own?.next
    if (next === undefined || isLoading.current) return
    isLoading.current = true
    setFailure(null)
    call('listCalls', { query: { navNext: next } })
      .then((page) => change((before) => (before?.next === next ? append(before, page) : before)))
      .catch((failed: unknown) => setFailure(failed as HubFailure))
      .finally(() => {
        isLoading.current = false
      })
  }
  return {
    pages: {
      items: own?.items ?? [],
      isLoading: !own && !head.error,
      isFetching: head.isFetching,
      failure: own ? null : head.error,
      failedMore: failure ?? undefined,
      hasMore: own?.next !== undefined && own.items.length < maxItems,
      loadMore,
      reload: () => void head.refetch(),
    },
    newer: own?.fresh.length ?? 0,
    isMany: own?.hasGap ?? false,
    showNewer: () => change((before) => before && show(before)),
    readAt,
  }
}

export function arrive(before: State | undefined, of: string, head: Page, follows: boolean): State {
  const whole = {
    of,
    items: head.calls,
    next: head.pagination.navNext,
    head,
    fresh: [],
    hasGap: false,
  }
  if (before?.of !== of || before.items.length === 0) return whole
  const known = new Set(before.items.map(nameOf))
  const fresh = head.calls.filter((one) => !known.has(nameOf(one)))
  const hasGap = fresh.length === head.calls.length && head.pagination.navNext !== undefined
  const after = { ...before, head, fresh, hasGap }
  return follows && fresh.length > 0 ? show(after) : after
}

function show(state: State): State {
  const { head, fresh, hasGap, items, of } = state
  if (hasGap)
    return { of, items: head.calls, next: head.pagination.navNext, head, fresh: [], hasGap: false }
  // A row that combines several calls is written late, with the time of its first call.
  const all = [...fresh, ...items].sort((a, b) => (a.time < b.time ? 1 : a.time > b.time ? -1 : 0))
  return { ...state, items: all.slice(0, maxItems), fresh: [] }
}

function append(state: State, page: Page): State {
  const known = new Set(state.items.map(nameOf))
  const more = page.calls.filter((one) => !known.has(nameOf(one)))
  return { ...state, items: [...state.items, ...more], next: page.pagination.navNext }
}
