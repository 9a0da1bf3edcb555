/**
 * One feed per node: while it has followers, it reads what changed every quarter of a second and
 * passes it to each follower of the site. The load on the database does not depend on the number of
 * followers; without followers nothing is read.
 */
import type { StreamEvent, Topic } from '@dragoman/contract'
import { nodesOf } from '../../domain/operations/tasks/nodes.ts'
import { taskTrouble } from '../../domain/operations/tasks/queue-depth.ts'
import {
  type Change,
  currentPositions,
  type Positions,
  readChanges,
  type Seen,
  writePositions,
} from '../../domain/views/changes/read-changes.ts'
import type { Hub } from '../../hub.ts'

export type Follower = {
  /** Empty for an operator. */
  readonly siteId: string
  readonly topics: ReadonlySet<Topic>
  /** Filters the changes to those that it may see; absent if it sees all. */
  readonly seen?: (changes: readonly Change[]) => Promise<readonly Change[]>
  /** Gets events as text, or a comment. */
  send(text: string): void
  end(): void
}

export type Feed = {
  /**
   * Resolves to the position from which the follower gets everything; undefined if it was ended
   * meanwhile.
   */
  join(follower: Follower): Promise<string | undefined>
  leave(follower: Follower): void
  /** Ends every follower. */
  close(): void
}

export type FeedOptions = {
  readonly everyMs?: number
  readonly beatMs?: number
  /** Called with all changes, before they are sent. */
  readonly told?: (changes: readonly Change[]) => void
  /** Once it is true, every follower is ended. */
  readonly isStopping?: () => boolean
}

/** The heartbeat: proxies keep the connection, and the browser notices a dead one. */
const comment = ':\n\n'
/** Events in one batch; if a topic has more, they become one event without an id. */
const maxEvents = 100
/** Reading and sending may take a twentieth of the time, but no change is sent later than this. */
const restFactor = 20
const maxRestMs = 5_000
/**
 * Slow facts are read once in this many intervals, or with every read if reads are slow themselves.
 */
const slowEvery = 4

/**
 * Facts without a position: compared while there are followers; they may have changed while there
 * were none.
 */
export const factTopics = ['clock', 'task', 'node', 'finding'] as const satisfies readonly Topic[]
type FactTopic = (typeof factTopics)[number]

export function openFeed(hub: Hub, options: FeedOptions = {}): Feed {
  const { everyMs = 250, beatMs = 15_000, told = () => {}, isStopping = () => false } = options
  const followers = new Set<Follower>()
  let at: { positions: Positions; seen: Seen } | undefined
  let starting: Promise<void> | undefined
  let timers: NodeJS.Timeout[] = []
  /** Rises when everybody has left: a read that is still under way then belongs to the past. */
  let run = 0
  let slowFactsAt = Number.NEGATIVE_INFINITY
  let facts = new Map<FactTopic, string>()

  const stop = (): void => {
    for (const timer of timers) clearTimeout(timer)
    timers = []
    at = undefined
    starting = undefined
    // A new one: a read that is still under way must not spoil what the next run compares.
    facts = new Map()
    // The next start reads all facts, slow ones too: what changes right after it is compared with
    // them.
    slowFactsAt = Number.NEGATIVE_INFINITY
    run += 1
  }
  const endAll = (): void => {
    for (const follower of [...followers]) follower.end()
    followers.clear()
    stop()
  }
  const start = async (): Promise<void> => {
    const mine = run
    const positions = await currentPositions(hub)
    await readFacts()
    if (mine !== run) return
    at = { positions, seen: new Set() }
    timers = [
      setInterval(() => {
        for (const { send } of followers) send(comment)
      }, beatMs).unref(),
    ]
    wait(everyMs)
  }
  const wait = (ms: number): void => {
    timers[1] = setTimeout(() => void read(run), ms).unref()
  }
  /** What has no index to read from: few rows each, compared with those of the last read. */
  const readFacts = async (): Promise<Change[]> => {
    const known = facts
    const now: Partial<Record<FactTopic, string>> = { clock: String(hub.clock.offset()) }
    if (performance.now() - slowFactsAt >= slowEvery * everyMs) {
      slowFactsAt = performance.now()
      now.task = await taskTrouble(hub)
      now.node = JSON.stringify(
        (await nodesOf(hub, hub.db.read)).map(({ nodeId, state }) => [nodeId, state]),
      )
      const { findingCounts } = await import('../../domain/operations/findings/finding-counts.ts')
      now.finding = JSON.stringify(await findingCounts(hub))
    }
    return Object.entries(now).flatMap(([name, fact]) => {
      const topic = name as FactTopic
      const before = known.get(topic)
      known.set(topic, fact)
      return before === undefined || before === fact
        ? []
        : [{ topic, siteId: undefined, version: hub.clock.now() }]
    })
  }
  const changesSince = async (from: { positions: Positions; seen: Seen }) => {
    const found = await readChanges(hub, from.positions, from.seen)
    const next = found ?? { positions: await currentPositions(hub), seen: new Set<string>() }
    const changes: readonly Change[] = found?.changes ?? [{ topic: 'all', siteId: undefined }]
    return { next, changes: [...changes, ...(await readFacts())] }
  }
  const read = async (mine: number): Promise<void> => {
    if (!at || isStopping()) return endAll()
    const begun = performance.now()
    try {
      const { next, changes } = await changesSince(at)
      if (mine !== run) return
      at = next
      if (changes.length > 0) {
        told(changes)
        tell(followers, changes, writePositions(next.positions))
      }
    } catch (error) {
      if (mine !== run) return
      // Browsers reconnect and continue from their last position.
      hub.log.warn({ err: error }, 'what changed could not be read; the event streams are closed')
      return endAll()
    }
    if (mine === run)
      wait(Math.max(everyMs, Math.min(maxRestMs, restFactor * (performance.now() - begun))))
  }
  return {
    join: async (follower) => {
      followers.add(follower)
      starting ??= start()
      try {
        await starting
      } catch (error) {
        endAll()
        throw error
      }
      return at && followers.has(follower) ? writePositions(at.positions) : undefined
    },
    leave: (follower) => {
      if (followers.delete(follower) && followers.size === 0) stop()
    },
    close: endAll,
  }
}

/** Followers of the same site and topics share one text. */
function tell(followers: ReadonlySet<Follower>, changes: readonly Change[], id: string): void {
  const texts = new Map<string, string>()
  for (const follower of followers) {
    if (follower.seen) {
      void tellSeen(follower, changes, id)
      continue
    }
    const group = `${follower.siteId} ${[...follower.topics].join()}`
    const text = texts.get(group) ?? eventsText(heardBy(follower, changes), id)
    texts.set(group, text)
    if (text !== '') follower.send(text)
  }
}

/** A stream that cannot be told what it may see ends, and its browser reads anew. */
async function tellSeen(follower: Follower, changes: readonly Change[], id: string): Promise<void> {
  try {
    const text = eventsText((await follower.seen?.(heardBy(follower, changes))) ?? [], id)
    if (text !== '') follower.send(text)
  } catch {
    follower.end()
  }
}

export const heardBy = (
  { siteId, topics }: Pick<Follower, 'siteId' | 'topics'>,
  changes: readonly Change[],
) =>
  changes.filter(
    (change) =>
      topics.has(change.topic) && (change.siteId === undefined || change.siteId === siteId),
  )

/**
 * Each thing once, at its newest version. The position follows the last event, so that a cut in the
 * middle repeats them all.
 */
export function eventsText(changes: readonly Change[], id: string): string {
  const newest = new Map<string, StreamEvent>()
  const many = new Map<Topic, number>()
  for (const { topic, id: thing, version } of changes) {
    const key = `${topic} ${thing ?? ''}`
    const known = newest.get(key)
    if (!known) many.set(topic, (many.get(topic) ?? 0) + 1)
    if (known?.version !== undefined && version !== undefined && known.version > version) continue
    newest.set(key, {
      topic,
      ...(thing !== undefined && { id: thing }),
      ...(version !== undefined && { version }),
    })
  }
  const isCoarse = (topic: Topic): boolean =>
    newest.has(`${topic} `) || (many.get(topic) ?? 0) > maxEvents
  const events = [...newest.values()].filter(
    ({ topic, id: thing }) => thing === undefined || !isCoarse(topic),
  )
  for (const [topic, count] of many)
    if (count > maxEvents && !newest.has(`${topic} `)) events.push({ topic })
  return events
    .map(
      (event, at) =>
        `${at === events.length - 1 ? `id: ${id}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
    )
    .join('')
}
