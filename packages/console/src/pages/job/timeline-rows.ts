/**
 * Turns the entries of a timeline into the rows of the page: newest group first, each below the
 * call or task that caused it, oldest entry first within a group; days and idle time in between.
 * Attempts belong to their delivery, and equal moves are combined.
 */
import type { TimelineEntry } from '@dragoman/contract/wire'
import { languageKey } from '../../language-keys.ts'

export type Entry = TimelineEntry
export type TimelineEvent = {
  readonly entry: Entry
  /** The equal moves that this row stands for, including itself. */
  readonly joined: readonly Entry[]
  /** Attempts of a delivery, oldest first. */
  readonly attempts: readonly Entry[]
}
export type TimelineRow =
  | { readonly type: 'day' | 'gap'; readonly key: string; readonly at: number; readonly ms: number }
  | {
      readonly type: 'head' | 'child'
      readonly key: string
      readonly told: TimelineEvent
      /** The entries it caused, for its sentence. */
      readonly caused: readonly TimelineEvent[]
      /** The time since its cause. */
      readonly ms: number
      readonly isLast: boolean
    }

const hour = 3_600_000
const idleMs = hour
/** Between two runs of a task. */
const pauseMs = 10_000

const timeOf = ({ time }: Entry): number => Date.parse(time)
export const idOf = ({ kind, id }: Entry): string => `${kind}.${id}`

export function rowsOf(entries: readonly Entry[], dayOf: (at: number) => string): TimelineRow[] {
  const rows: TimelineRow[] = []
  let newer: Group | undefined
  let day = ''
  for (const group of groupsOf(entries)) {
    const idle = newer ? newer.from - group.to : 0
    if (idle >= idleMs) rows.push({ type: 'gap', key: `gap ${group.key}`, at: group.to, ms: idle })
    const today = dayOf(group.from)
    if (today !== day) rows.push({ type: 'day', key: `day ${today}`, at: group.from, ms: 0 })
    day = today
    rows.push(...rowsOfGroup(group))
    newer = group
  }
  return rows
}

type Group = {
  readonly key: string
  readonly head: Entry | undefined
  readonly others: readonly Entry[]
  readonly attempts: ReadonlyMap<string, readonly Entry[]>
  readonly from: number
  readonly to: number
}

function groupsOf(entries: readonly Entry[]): Group[] {
  const attempts = new Map<string, Entry[]>()
  const deliveries = new Set(entries.flatMap(({ kind, id }) => (kind === 'delivery' ? [id] : [])))
  const byCause = new Map<string, Entry[]>()
  const add = (map: Map<string, Entry[]>, key: string, entry: Entry) => {
    const list = map.get(key)
    if (list) list.push(entry)
    else map.set(key, [entry])
  }
  for (const entry of entries) {
    // The task that sends a delivery adds nothing to the delivery itself.
    if (entry.kind === 'task' && entry.name === 'deliver') continue
    const isPart = entry.kind === 'attempt' && deliveries.has(entry.deliveryId ?? '')
    if (isPart) add(attempts, entry.deliveryId ?? '', entry)
    else if (entry.kind === 'attempt') add(byCause, idOf(entry), entry)
    else add(byCause, entry.causeId, entry)
  }
  for (const list of attempts.values()) list.reverse()
  const groups = [...byCause].flatMap(([cause, newestFirst]) => {
    const all = newestFirst.toReversed()
    const head = all.find(({ kind, id }) => kind === 'call' && id === cause)
    return (cause.startsWith('task:') ? runsOf(all) : [all]).map((inOrder, at) =>
      groupOf(at === 0 ? cause : `${cause} ${at}`, inOrder, head),
    )
  })
  return groups.sort((one, other) => other.from - one.from)

  function groupOf(key: string, inOrder: readonly Entry[], head: Entry | undefined): Group {
    const times = inOrder.map(timeOf)
    return {
      key,
      head,
      others: inOrder.filter((entry) => entry !== head),
      attempts,
      from: head ? timeOf(head) : Math.min(...times),
      to: Math.max(...times),
    }
  }
}

/** A task that follows a job for weeks acts in short runs: each is a group of its own. */
function runsOf(inOrder: readonly Entry[]): Entry[][] {
  const runs: Entry[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const entry of inOrder) {
    const at = timeOf(entry)
    if (at - last > pauseMs) runs.push([])
    runs.at(-1)?.push(entry)
    last = at
  }
  return runs
}

function rowsOfGroup({ head, others, attempts, from }: Group): TimelineRow[] {
  const told = joinMoves(others).map(
    (joined): TimelineEvent => ({
      entry: joined[0] as Entry,
      joined,
      attempts: attempts.get(joined[0]?.id ?? '') ?? [],
    }),
  )
  const first: TimelineEvent | undefined = head
    ? { entry: head, joined: [head], attempts: [] }
    : told.shift()
  if (!first) return []
  return [first, ...told].map((one, at) => ({
    type: at === 0 ? 'head' : 'child',
    key: idOf(one.entry),
    told: one,
    caused: at === 0 ? told : [],
    ms: Math.max(0, timeOf(one.entry) - from),
    isLast: at === told.length,
  }))
}

/** Moves of requests between the same two states, in one language or without names, are one row. */
function joinMoves(entries: readonly Entry[]): Entry[][] {
  const found: Entry[][] = []
  const alike = new Map<string, Entry[]>()
  for (const entry of entries) {
    if (entry.kind !== 'move' || !entry.requestIds) {
      found.push([entry])
      continue
    }
    const key = [entry.move, entry.from, entry.to, languagesOf([entry]).join()].join('\n')
    const before = alike.get(key)
    if (before) before.push(entry)
    else {
      const made = [entry]
      alike.set(key, made)
      found.push(made)
    }
  }
  return found
}

/** The languages of the requests that the entries name. */
export const languagesOf = (entries: readonly Entry[]): string[] => [
  ...new Set(
    entries.flatMap(({ requests = [] }) =>
      requests.map(({ targetNativeLanguageCode: code }) => languageKey(code)),
    ),
  ),
]

/** How many requests the entries move. */
export const countOf = (entries: readonly Entry[]): number =>
  new Set(entries.flatMap(({ requestIds = [] }) => requestIds)).size
