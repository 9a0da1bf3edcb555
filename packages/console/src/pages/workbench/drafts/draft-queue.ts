/**
 * The drafts of one asset task, on their way to the hub. What is told as saved, the hub has
 * answered for; everything else is kept in the browser until then. One call runs at a time. A
 * version that somebody else wrote is never overwritten: both stay until the person chooses. Pure
 * but for its ports, so that a test can hold the clock and the hub.
 */
import type { Segment } from '@dragoman/contract/wire'
import { sameText } from '../../../parts/chip-editor/texts.ts'
import type { Draft, DraftPorts, DraftState, Failure, Saving, StoredDraft } from './draft-ports.ts'

type Entry = {
  phase: Saving
  draft: Draft
  /** The version that the draft is based on. */
  base: number
  /** Sent on this base; the answers are not known. */
  tried: readonly Draft[]
  /** Whether the person has paused since the last change, or has left. */
  isRipe: boolean
  isStored: boolean
  saved?: Segment
  theirs?: Segment
  failure?: Failure
}
type Named = readonly [segmentId: string, entry: Entry]

export const restMs = 800
const pausesMs = [1_000, 2_000, 5_000, 10_000, 30_000]
/** What one call carries; far below the limits of the hub. */
const batch = { segments: 500, letters: 2_000_000 }
const mostTried = 5

export type DraftQueue = ReturnType<typeof openDraftQueue>

export function openDraftQueue(ports: DraftPorts) {
  const entries = new Map<string, Entry>()
  /** Segments as `show` returned them: the person saw the version that they name. */
  const shown = new WeakSet<Segment>()
  let running: Promise<void> | undefined
  let stopTimer = () => {}
  let failed = 0
  let savedAt: number | undefined

  const keep = (segmentId: string, entry: Entry) => {
    const { draft, base: version, tried } = entry
    entry.isStored = ports.store({
      segmentId,
      version,
      ...draft,
      ...(tried.length > 0 && { tried }),
    })
  }
  const begin = (segmentId: string, entry: Pick<Entry, 'draft' | 'base'> & Partial<Entry>) => {
    const made: Entry = { phase: 'waiting', tried: [], isRipe: false, isStored: false, ...entry }
    entries.set(segmentId, made)
    keep(segmentId, made)
  }
  const wake = (ms: number) => {
    stopTimer()
    stopTimer = ports.after(ms, () => void flush())
  }

  function write(segment: Segment, draft: Draft): void {
    const { segmentId } = segment
    const known = entries.get(segmentId)
    if (known && known.phase !== 'saved') {
      known.draft = draft
      known.isRipe = false
      if (known.phase === 'offline') known.phase = 'waiting'
      keep(segmentId, known)
    } else {
      // Unless it was shown, the text is based on what this tab saved, whatever a list has read
      // since.
      const own = known?.base ?? segment.version
      const base = shown.has(segment) ? Math.max(own, segment.version) : own
      begin(segmentId, { draft, base, ...(known?.saved && { saved: known.saved }) })
    }
    wake(restMs)
    ports.changed()
  }

  /** Returns as many as one call carries. */
  function due(): Named[] {
    const found: Named[] = []
    let letters = 0
    for (const one of entries) {
      const { phase, isRipe, draft } = one[1]
      if (!isRipe || (phase !== 'waiting' && phase !== 'offline')) continue
      letters += JSON.stringify(draft).length
      if (found.length === batch.segments || (found.length > 0 && letters > batch.letters)) break
      found.push(one)
    }
    return found
  }

  function ripen(): void {
    stopTimer()
    for (const [, entry] of entries) if (entry.phase !== 'saved') entry.isRipe = true
  }

  /** Sends all that waits now. Resolves when the hub has it, or does not answer or refuses. */
  function flush(): Promise<void> {
    ripen()
    // A run without work would end before it is noted here.
    if (!running && due().length > 0) running = run()
    return running ?? Promise.resolve()
  }

  async function run(): Promise<void> {
    try {
      for (let some = due(); some.length > 0; some = due()) if (!(await attempt(some, false))) break
    } finally {
      running = undefined
    }
  }

  /** The page goes away: whatever is not under way is sent at once, in calls that outlive it. */
  function leave(): void {
    ripen()
    const some = due()
    if (some.length > 0) void attempt(some, true)
  }

  /** Returns whether to go on. */
  async function attempt(some: readonly Named[], isLeaving: boolean): Promise<boolean> {
    const sent = some.map(([segmentId, entry]) => {
      entry.phase = 'saving'
      entry.tried = [...entry.tried.filter((one) => one !== entry.draft), entry.draft].slice(
        -mostTried,
      )
      delete entry.failure
      keep(segmentId, entry)
      return { segmentId, version: entry.base, ...entry.draft }
    })
    const drafts = new Map(some.map(([segmentId, { draft }]) => [segmentId, draft]))
    ports.changed()
    try {
      const answers = await ports.send(sent, isLeaving)
      failed = 0
      for (const answer of answers) settle(answer, drafts.get(answer.segmentId))
      return true
    } catch (error) {
      for (const [, entry] of some) entry.phase = 'waiting'
      return await fail(some, error as Failure, isLeaving)
    } finally {
      ports.changed()
    }
  }

  /** The hub has this draft. What was written since waits on top of it. */
  function settle(answer: Segment, draft: Draft | undefined): void {
    const entry = entries.get(answer.segmentId)
    if (!entry) return
    const isNewest = entry.draft === draft
    Object.assign(entry, {
      base: answer.version,
      saved: answer,
      phase: isNewest ? 'saved' : 'waiting',
      tried: [],
    })
    delete entry.theirs
    savedAt = ports.now()
    if (isNewest) ports.forget(answer.segmentId)
    else keep(answer.segmentId, entry)
  }

  async function fail(
    some: readonly Named[],
    failure: Failure,
    isLeaving: boolean,
  ): Promise<boolean> {
    const current =
      failure.code === 'VERSION_CONFLICT' ? (failure.current as Segment | undefined) : undefined
    const met = current && some.find(([segmentId]) => segmentId === current.segmentId)
    if (current && met) {
      meet(met, current)
      return true
    }
    const isAway =
      failure.status === 0 ||
      failure.status >= 500 ||
      failure.status === 429 ||
      failure.status === 401
    if (!isAway && some.length > 1) {
      // One of them may be the reason: each is tried alone.
      for (const one of some) if (!(await attempt([one], isLeaving))) return false
      return true
    }
    for (const [, entry] of some) {
      entry.phase = 'offline'
      // What the hub refuses is tried again with the next change, not by itself.
      entry.isRipe = isAway
      if (!isAway) entry.failure = failure
    }
    if (!isAway) return true
    wake(pausesMs[Math.min(failed, pausesMs.length - 1)] ?? restMs)
    failed += 1
    return false
  }

  /** The hub has another version: a draft of ours whose answer was lost, or somebody else's. */
  function meet([segmentId, entry]: Named, current: Segment): void {
    const ours = entry.tried.findLast(({ target }) => sameText(current.target ?? [], target))
    if (ours && current.state === ours.state) {
      settle(current, ours)
      return
    }
    // A delivery gives a new version to a text that this tab has seen.
    const isSeen = entry.saved && sameText(current.target ?? [], entry.saved.target ?? [])
    if (ours || isSeen) entry.base = current.version
    else Object.assign(entry, { phase: 'conflict', theirs: current })
    keep(segmentId, entry)
  }

  function choose(segmentId: string, which: 'mine' | 'theirs'): void {
    const entry = entries.get(segmentId)
    if (!entry?.theirs) return
    const { theirs } = entry
    Object.assign(entry, { base: theirs.version, saved: theirs, tried: [] })
    delete entry.theirs
    if (which === 'mine') {
      entry.phase = 'waiting'
      keep(segmentId, entry)
      void flush()
    } else {
      entry.phase = 'saved'
      entry.draft = { target: theirs.target ?? [], state: entry.draft.state }
      ports.forget(segmentId)
    }
    ports.changed()
  }

  return {
    write,
    flush,
    leave,
    choose,
    /** Drafts of an earlier visit; they are sent at once. */
    adopt(stored: readonly StoredDraft[]): void {
      for (const { segmentId, version, tried = [], ...draft } of stored)
        if (!entries.has(segmentId)) begin(segmentId, { draft, base: version, tried })
      if (stored.length > 0) void flush()
    },
    of(segmentId: string): DraftState | undefined {
      const entry = entries.get(segmentId)
      if (!entry) return undefined
      const { phase, draft, theirs, failure } = entry
      return {
        saving: phase,
        target: draft.target,
        ...(theirs && { theirs }),
        ...(failure && { failure }),
      }
    },
    /**
     * The segment as the person should see it: the newest of what the list has and what this tab
     * saved, with the draft.
     */
    show(segment: Segment): Segment {
      const entry = entries.get(segment.segmentId)
      const newest = entry?.saved && entry.saved.version > segment.version ? entry.saved : segment
      const { phase, draft } = entry ?? {}
      const seen =
        draft && phase !== 'saved'
          ? { ...newest, target: draft.target, state: draft.state }
          : newest
      shown.add(seen)
      return seen
    },
    open: () => [...entries.values()].filter(({ phase }) => phase !== 'saved').length,
    savedAt: () => savedAt,
    /** Whether a draft would be lost with the page. */
    isAtRisk: () =>
      [...entries.values()].some(({ phase, isStored }) => phase !== 'saved' && !isStored),
    stop: () => stopTimer(),
  }
}
