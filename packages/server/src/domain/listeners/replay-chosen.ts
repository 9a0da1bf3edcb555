/**
 * Sends the deliveries of several listeners again: those that fail now, or all that are chosen. A
 * few in the transaction of the call; many in the background, slice by slice from the oldest on, so
 * that the order within a job is kept.
 */
import { HubError, limits } from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import { finishTask, type Task } from '../../store/tasks/hold-tasks.ts'
import type { Act } from '../access/audit/acts.ts'
import { lockForReplay } from './listener-rows.ts'
import {
  type ChosenOf,
  conditionOf,
  countFollowing,
  type Replay,
  selectChosen,
  selectKnown,
} from './replay-rows.ts'
import { sendChosen } from './resume.ts'

export type { Replay } from './replay-rows.ts'

export const replayTask = 'replay-deliveries'
/** Positions that one run of the background looks at. */
const sliceSize = 2_000

type Payload = Omit<Replay, 'deliveryIds' | 'between'> & {
  readonly after: number
  readonly upTo: number
}

/** What a replay would send, and what waits behind it. */
export async function countChosen(
  db: Db,
  replay: Replay,
): Promise<{ wouldReplay: number; wouldFollow?: number }> {
  const wouldReplay = totalOf(await choose(db, replay))
  const wouldFollow = wouldReplay > 0 ? await countFollowing(db, replay) : 0
  return { wouldReplay, ...(wouldFollow > 0 && { wouldFollow }) }
}

/** Returns how many were chosen, and the acts for the audit log. */
export async function replayChosen(
  change: Change,
  replay: Replay,
): Promise<{ replayed: number; acts: Act[] }> {
  const chosen = await choose(change.tx, replay)
  const total = totalOf(chosen)
  if (total <= limits.replayAtOnce)
    return { replayed: await sendAll(change, replay, chosen), acts: actsOf(chosen) }
  const { mode, filter } = replay
  const after = chosen.reduce((least, { first }) => Math.min(least, first), Infinity) - 1
  const upTo = chosen.reduce((most, { last }) => Math.max(most, last), -Infinity)
  await addSlice(change, { mode, filter, after, upTo })
  return { replayed: total, acts: actsOf(chosen) }
}

const totalOf = (chosen: readonly ChosenOf[]): number =>
  chosen.reduce((sum, { count }) => sum + count, 0)

const actsOf = (chosen: readonly ChosenOf[]): Act[] =>
  chosen.map(({ listener_id: id, site_id: siteId }) => ({
    thing: 'listener',
    verb: 'deliveries replayed',
    id,
    siteId,
  }))

async function choose(db: Db, replay: Replay): Promise<ChosenOf[]> {
  const { deliveryIds, filter } = replay
  if (deliveryIds) {
    const known = await selectKnown(db, filter.siteId, deliveryIds)
    const missing = deliveryIds.find((id) => !known.has(id))
    if (missing !== undefined) throw new HubError('DELIVERY_NOT_FOUND', { deliveryId: missing })
  }
  return selectChosen(db, replay)
}

/** The listeners are locked first, as at every replay. */
async function sendAll(
  change: Change,
  replay: Replay,
  chosen: readonly ChosenOf[],
): Promise<number> {
  const listeners = await lockForReplay(
    change.tx,
    chosen.map(({ listener_id }) => listener_id),
  )
  const also = conditionOf(replay)
  let sent = 0
  for (const listener of listeners) sent += await sendChosen(change, listener, { also })
  return sent
}

function addSlice({ hub, tx, causeId }: Change, payload: Payload): Promise<void> {
  const { siteId } = payload.filter
  const now = hub.clock.now()
  return addTasks(hub.db, tx, now, [
    { name: replayTask, payload, dueAt: now, causeId, ...(siteId !== undefined && { siteId }) },
  ])
}

/** The task: one slice, and a task for the next. */
export async function replaySlice(hub: Hub, task: Task): Promise<'settled'> {
  const { after, upTo, ...replay } = task.payload as Payload
  const end = Math.min(upTo, after + sliceSize)
  await hub.db.transact(async (tx) => {
    const change = { hub, tx, causeId: task.causeId }
    await finishTask(tx, task)
    const slice = { ...replay, between: [after, end] as const }
    await sendAll(change, slice, await selectChosen(tx, slice))
    if (end < upTo) await addSlice(change, { ...replay, after: end, upTo })
  })
  return 'settled'
}
