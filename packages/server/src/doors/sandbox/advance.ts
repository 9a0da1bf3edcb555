/**
 * Moves the clock from one due task to the next, so that each runs at its own time, in order; and
 * notes what happened on the way: tasks, due dates, tokens and secrets. The notes of the last
 * advance are kept in memory, up to a limit.
 */
import { formatTime } from '@dragoman/contract'
import { aboutTask, type Due, listDue } from '../../domain/operations/tasks/list-due.ts'
import type { Hub } from '../../hub.ts'
import { writeHubState } from '../../store/hub-state.ts'
import { nextDue } from '../../store/tasks/claim-tasks.ts'
import type { Task } from '../../store/tasks/hold-tasks.ts'
import { bringForward } from '../../store/tasks/reschedule-groups.ts'
import type { Ending, Runner } from '../work/runner.ts'
import type { Recorded } from './recorded-calls.ts'

export type Happened = Due & { readonly ending?: Ending }
export type Advance = {
  readonly from: string
  readonly to: string
  /** How many tasks ran. */
  readonly ran: number
  /** How many of them were the hub's own periodic upkeep, which is not listed. */
  readonly upkeep: number
  readonly happened: readonly Happened[]
  /** How many more there were. */
  readonly more: number
}

/** What is listed of one advance. */
const maxHappened = 200

export async function advance(
  hub: Hub,
  runner: Runner,
  target: number,
  record: Recorded | undefined,
): Promise<Advance> {
  const from = hub.clock.now()
  const span = { after: from, until: target, limit: maxHappened }
  const passed = (await listDue(hub, span)).filter(
    ({ kind }) => kind === 'dueDate' || kind === 'secret',
  )
  const expired = record ? tokensEnding(record, from, target) : []
  /** The first ones: what runs later is only counted. */
  const notes: Happened[] = []
  let upkeep = 0
  let ran = 0
  const told = (task: Task, ending: Ending): void => {
    ran += 1
    if (ending === 'again') upkeep += 1
    else if (notes.length < maxHappened)
      notes.push({ time: formatTime(hub.clock.now()), ...describe(task), ending })
  }
  // The target is saved first: a hub that is killed on the way restarts there, and never before
  // what it has already done.
  await keepOffset(hub, hub.clock.offset() + target - from)
  try {
    await walk(hub, runner, target, told)
  } catch (error) {
    await keepOffset(hub, hub.clock.offset())
    throw error
  }
  const all = [...passed, ...expired, ...notes].sort((a, b) =>
    a.time < b.time ? -1 : a.time > b.time ? 1 : 0,
  )
  return {
    from: formatTime(from),
    to: formatTime(target),
    ran,
    upkeep,
    happened: all.slice(0, maxHappened),
    more: Math.max(0, passed.length + expired.length + ran - upkeep - maxHappened),
  }
}

async function walk(
  hub: Hub,
  runner: Runner,
  target: number,
  told: (task: Task, ending: Ending) => void,
): Promise<void> {
  await runner.runDue(told)
  for (;;) {
    const due = await nextDue(hub.db.read, hub.clock.now())
    if (due === undefined || due > target) break
    hub.clock.moveTo(due)
    // Another node holds them; there is nothing to wait for.
    if ((await runner.runSome(told)) === 0) break
  }
  hub.clock.moveTo(target)
  await runner.runDue(told)
}

function describe(task: Task): Omit<Due, 'time'> {
  const { jobId } = (task.payload ?? {}) as { jobId?: unknown }
  return { ...(typeof jobId === 'string' && { jobId }), ...aboutTask(task) }
}

const keepOffset = (hub: Hub, offset: number): Promise<void> =>
  hub.db.transact((tx) => writeHubState(tx, 'clock_offset', String(offset)))

/** The last token of each client, if it expires after `after` and not later than `until`. */
export function tokensEnding(record: Recorded, after: number, until: number): Due[] {
  return [...record.tokens()]
    .filter(([, at]) => at > after && at <= until)
    .map(([clientId, at]) => ({ time: formatTime(at), kind: 'token' as const, clientId }))
}

/** Puts the clock back to an earlier offset. Every task stays as long after now as it was. */
export async function restoreClock(hub: Hub, offset: number): Promise<void> {
  await hub.db.transact(async (tx) => {
    await writeHubState(tx, 'clock_offset', String(offset))
    await bringForward(tx, hub.clock.offset() - offset)
  })
  hub.clock.setOffset(offset)
}
