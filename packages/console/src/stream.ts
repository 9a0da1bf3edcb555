/**
 * Live updates from the hub. Events name what changed; pages declare with `useLive` which calls
 * they show, and those are read again. A list that must not move (`useNewer`) is excluded: its new
 * rows wait. Without the stream, all of them are read every few seconds.
 */
import type { Session, StreamEvent } from '@dragoman/contract/wire'
import type { Query } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { hubNow, learnTime } from './clock.ts'
import { type CallName, call } from './hub.ts'
import { isAffected, type ReadKey } from './live/affected.ts'
import type { StreamState } from './live/connection.ts'
import { addMissed, missed } from './live/missed.ts'
import { followStream } from './live/tabs.ts'
import { prefix } from './page-facts.ts'
import { isCheap, queryClient } from './queries.ts'

const pollMs = 5_000
/** What changes constantly is read at most once in this time. */
const restMs = 1_000

type Liveness = {
  readonly isLive: boolean
  /** Since when it is not live, by the hub's clock. */
  readonly since: number | undefined
}

let liveness: Liveness = { isLive: true, since: undefined }
let wasLive = false
let poll: ReturnType<typeof setInterval> | undefined
const watchers = new Set<() => void>()
/** The calls shown now, and by how many components. */
const shown = new Map<CallName, number>()
/** Lists that must not move: the key of the read, and what to do on events. */
type Stayed = { readonly key: ReadKey; readonly look: (events: readonly StreamEvent[]) => void }
const stayed = new Set<Stayed>()

/**
 * Follows the stream of the site from the session's position on. Called once, when the person is
 * known.
 */
export function startLive({ siteId, person, position }: Session): () => void {
  const query = (at: string) =>
    new URLSearchParams({ site: siteId, [at === position ? 'begin' : 'after']: at })
  const stop = followStream(
    {
      name: `dragoman:${prefix}:${siteId}:${person.personId}`,
      from: position,
      urlAfter: (at) => `${prefix}/console/stream?${query(at)}`,
    },
    {
      events: (events) => {
        waiting.push(...events)
        if (waiting.length > 0) schedule()
      },
      state: (state, isOwn) => setState(state, isOwn),
    },
  )
  return () => {
    stop()
    clearInterval(poll)
    wasLive = false
  }
}

function setState(state: StreamState, isOwn: boolean): void {
  const isLive = state === 'live'
  if (isLive !== liveness.isLive) {
    liveness = { isLive, since: isLive ? undefined : hubNow() }
    for (const watcher of watchers) watcher()
  }
  clearInterval(poll)
  if (state === 'polling') poll = setInterval(() => void pollNow(), pollMs)
  // The stream may have been refused because the session ended: then this asks to sign in.
  if (state === 'polling') readTime()
  // The stream tells what changed since the session was read. The stream of another tab does not:
  // what was read before this tab heard it may be stale, and so may a read in progress.
  if (isLive && !wasLive && !isOwn) apply([{ topic: 'all' }])
  wasLive ||= isLive
}

const readTime = (): void => {
  call('findSession').then(
    ({ time }) => learnTime(time),
    () => {},
  )
}

/** If the hub does not respond, nothing is read again and what is shown stays. */
async function pollNow(): Promise<void> {
  const answer = await fetch(`${prefix}/healthz`).catch(() => undefined)
  if (answer?.ok && !liveness.isLive) apply([{ topic: 'all' }])
}

let waiting: StreamEvent[] = []
let resting: ReturnType<typeof setTimeout> | undefined

/** The first event takes effect at once; those that follow closely are applied together. */
function schedule(): void {
  if (resting) return
  const events = waiting
  waiting = []
  resting = setTimeout(() => {
    resting = undefined
    if (waiting.length > 0) schedule()
  }, restMs)
  apply(events)
}

function apply(events: readonly StreamEvent[]): void {
  if (events.some(({ topic }) => topic === 'clock' || topic === 'all')) readTime()
  const held = [...stayed]
  const reads = queryClient.getQueryCache()
  for (const { key, look } of held) {
    const own = events.filter((event) => isAffected(key, event))
    if (own.length > 0) afterFirst(reads.find({ queryKey: key }), () => look(own))
  }
  const isOld = ({ queryKey }: Query): boolean => {
    const key = queryKey as unknown as ReadKey
    if (!shown.has(key[0]) || held.some((one) => isSame(one.key, key))) return false
    return events.some((event) => isAffected(key, event))
  }
  for (const query of reads.getAll())
    addMissed(
      query,
      events.filter((event) => isAffected(query.queryKey as unknown as ReadKey, event)),
    )
  for (const query of reads.findAll({ predicate: isOld }))
    afterFirst(
      query,
      () => void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }),
    )
}

/**
 * A first read in progress is not restarted, but may return data from before the event: then it is
 * read once more.
 */
function afterFirst(query: Query | undefined, act: () => void): void {
  const isFirst = query?.state.fetchStatus === 'fetching' && query.state.data === undefined
  // While it is fetching, this resolves at the end of that fetch.
  if (isFirst) query.fetch().then(act, () => {})
  else act()
}

const isSame = (one: ReadKey, other: ReadKey): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/**
 * Registers a list that must not move while it is shown. It catches up with what it missed since it
 * was shown before.
 */
export function stay(list: Stayed): (unseen: readonly StreamEvent[]) => void {
  stayed.add(list)
  const find = () => queryClient.getQueryCache().find({ queryKey: list.key })
  const before = find()
  const events = (before && missed.get(before)) ?? []
  if (before) missed.delete(before)
  if (events !== 'any' && events.length > 0) list.look(events)
  return (unseen) => {
    stayed.delete(list)
    const read = find()
    if (!read || isCheap(read.state.data)) return
    missed.set(read, [])
    addMissed(read, unseen)
  }
}

const watch = (watcher: () => void): (() => void) => {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const useLiveness = (): Liveness => useSyncExternalStore(watch, () => liveness)

/** Reads these calls again when what they show has changed. */
export function useLive(...calls: readonly CallName[]): Liveness {
  const names = calls.join()
  useEffect(() => {
    const own = names.split(',') as CallName[]
    for (const name of own) shown.set(name, (shown.get(name) ?? 0) + 1)
    return () => {
      for (const name of own) {
        const left = (shown.get(name) ?? 1) - 1
        if (left > 0) shown.set(name, left)
        else shown.delete(name)
      }
    }
  }, [names])
  return useLiveness()
}
