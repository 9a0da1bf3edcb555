/**
 * The drafts of an asset task for its page: saved 800 ms after the last key and when the person
 * leaves, kept in the browser while the hub does not answer or the session has ended. A queue
 * outlives the page's component until all of it is saved.
 */
import type { KeptCheck, Segment, TextParts } from '@dragoman/contract/wire'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { hubNow } from '../../../clock.ts'
import { call, credentials } from '../../../hub.ts'
import { useSession } from '../../../session.tsx'
import type { DraftChange, DraftState, Saving } from './draft-ports.ts'
import { type DraftQueue, openDraftQueue } from './draft-queue.ts'
import { openStoredDrafts } from './stored-drafts.ts'

export type { Saving }

export type Drafts = {
  write(
    segment: Segment,
    target: TextParts,
    state: 'DRAFT' | 'TRANSLATED',
    kept?: KeptCheck[],
  ): void
  /** Sends at once what waits. */
  flush(): Promise<void>
  of(segmentId: string): DraftState | undefined
  /**
   * The segment with its draft, and the newest of what the list and this tab know. Pass it to
   * `write`.
   */
  show(segment: Segment): Segment
  choose(segmentId: string, which: 'mine' | 'theirs'): void
  /** How many are not saved. */
  readonly open: number
  readonly savedAt?: number
}

type Task = { readonly providerId: string; readonly jobId: string; readonly assetTaskId: string }
type Opened = {
  readonly queue: DraftQueue
  readonly subscribe: (listener: () => void) => () => void
  readonly version: () => number
}

const opened = new Map<string, Opened>()

export function useDrafts(at: Task): Drafts {
  const { person } = useSession()
  const { providerId, jobId, assetTaskId } = at
  const { queue, subscribe, version } = openAt({ providerId, jobId, assetTaskId }, person.personId)
  const now = useSyncExternalStore(subscribe, version)
  useEffect(() => {
    const leave = () => queue.leave()
    const hide = () => document.visibilityState === 'hidden' && queue.leave()
    const back = () => void queue.flush()
    const warn = (event: BeforeUnloadEvent) => queue.isAtRisk() && event.preventDefault()
    addEventListener('pagehide', leave)
    addEventListener('online', back)
    addEventListener('beforeunload', warn)
    document.addEventListener('visibilitychange', hide)
    return () => {
      removeEventListener('pagehide', leave)
      removeEventListener('online', back)
      removeEventListener('beforeunload', warn)
      document.removeEventListener('visibilitychange', hide)
      void queue.flush()
    }
  }, [queue])
  // biome-ignore lint/correctness/useExhaustiveDependencies: `now` counts the changes of the queue.
  return useMemo(() => {
    const savedAt = queue.savedAt()
    return {
      write: (segment, target, state, kept) =>
        queue.write(segment, { target, state, ...(kept && { kept }) }),
      flush: queue.flush,
      of: queue.of,
      show: queue.show,
      choose: queue.choose,
      open: queue.open(),
      ...(savedAt !== undefined && { savedAt }),
    }
  }, [queue, now])
}

function openAt(at: Task, personId: string): Opened {
  const who = `${credentials.siteId}:${personId}`
  const task = `${at.providerId}/${at.jobId}/${at.assetTaskId}`
  const found = opened.get(`${who}:${task}`)
  if (found) return found
  const stored = openStoredDrafts(who, task)
  const listeners = new Set<() => void>()
  let changes = 0
  const queue = openDraftQueue({
    send: (some, isLeaving) => send(at, some, isLeaving),
    store: stored.store,
    forget: stored.forget,
    after(ms, act) {
      const timer = setTimeout(act, ms)
      return () => clearTimeout(timer)
    },
    now: hubNow,
    changed() {
      changes += 1
      for (const listener of listeners) listener()
    },
  })
  const made: Opened = {
    queue,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    version: () => changes,
  }
  opened.set(`${who}:${task}`, made)
  void stored.takeOver().then(queue.adopt)
  return made
}

/** What a browser still sends when the page is gone. */
const keepaliveBytes = 60_000

async function send(
  at: Task,
  changes: readonly DraftChange[],
  isLeaving: boolean,
): Promise<readonly Segment[]> {
  const keepalive = isLeaving && new Blob([JSON.stringify(changes)]).size < keepaliveBytes
  const [first, ...others] = changes
  if (first && others.length === 0) {
    const { segmentId, ...body } = first
    return [await call('changeSegment', { params: { ...at, segmentId }, body }, { keepalive })]
  }
  const { segments } = await call(
    'changeSegments',
    { params: at, body: { segments: [...changes] } },
    { keepalive },
  )
  return segments
}
