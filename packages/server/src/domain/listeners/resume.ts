/**
 * Queues deliveries again: when a listener is enabled, at a replay, and in the daily search for
 * forgotten ones.
 */
import { limits } from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import { newTraceId } from '../../store/ids.ts'
import type { ListenerRow } from '../../store/tables.ts'
import { addInOrder, addTasks } from '../../store/tasks/add-tasks.ts'
import { unparkTasks } from '../../store/tasks/reschedule-groups.ts'
import { deliverTask } from './announce.ts'
import { hastenQueues } from './attempt-rows.ts'
import {
  type Choice,
  removeDelivered,
  selectForgotten,
  selectJobs,
  sendAgain,
} from './delivery-rows.ts'
import { lockOfSite, removeDeleted, updateListener } from './listener-rows.ts'

type Which = Pick<ListenerRow, 'listener_id' | 'site_id'>

/** Sends pending and parked deliveries in their original order. Returns how many. */
export const resume = (change: Change, listener: Which): Promise<number> =>
  sendChosen(change, { ...listener, disabled: 0 }, { states: ['PENDING', 'PARKED'] })

/**
 * Sends the parked deliveries of an enabled listener. Returns how many; undefined if there is no
 * such listener.
 */
export async function replayParked(change: Change, which: Which): Promise<number | undefined> {
  const listener = await lockOfSite(change.tx, which.site_id, which.listener_id)
  return listener?.disabled === 0 ? sendChosen(change, listener, { states: ['PARKED'] }) : undefined
}

/**
 * Sends what waits for an enabled listener now. Returns how many; undefined if there is no such
 * listener.
 */
export async function resumeListener(change: Change, which: Which): Promise<number | undefined> {
  const listener = await lockOfSite(change.tx, which.site_id, which.listener_id)
  return listener?.disabled === 0 ? resume(change, listener) : undefined
}

/**
 * Enables a listener that the hub disabled, and sends what waits for it. Returns how many;
 * undefined if there is none.
 */
export async function enableListener(change: Change, which: Which): Promise<number | undefined> {
  const { site_id, listener_id } = which
  const listener = await lockOfSite(change.tx, site_id, listener_id)
  if (listener?.disabled !== 1 || listener.disabled_reason === null) return undefined
  const enabled = {
    disabled: 0,
    disabled_reason: null,
    failing_since: null,
    modified_at: change.hub.clock.now(),
  }
  await updateListener(change.tx, site_id, listener_id, enabled)
  return resume(change, listener)
}

/**
 * Writes the tasks before the rows, in the lock order of a finished attempt. A disabled listener
 * gets no tasks. The oldest come first, across jobs, so that neighbouring rows are written
 * together.
 */
export async function sendChosen(
  { hub, tx, causeId }: Change,
  listener: Which & Pick<ListenerRow, 'disabled'>,
  choice: Choice,
): Promise<number> {
  const { listener_id, site_id, disabled } = listener
  const now = hub.clock.now()
  if (disabled === 0) {
    const jobs = await selectJobs(tx, site_id, listener_id, choice)
    const tasks = jobs.map((job_id) => deliverTask({ listener_id, site_id, job_id }, now, causeId))
    // The listener's row is locked and everyone else who adds its tasks waits for it, so no other
    // lock order can occur.
    await addInOrder(hub.db, tx, now, tasks)
  }
  return sendAgain(tx, listener, choice, disabled === 0 ? now : null)
}

/** For tasks that a person makes due: the delivery that each of them sends next is due too. */
export const hastenDeliveries = hastenQueues

const batchSize = 500

/**
 * Part of the sweep: removes delivered deliveries past the log period, and all of deleted
 * listeners. Others stay.
 */
export async function pruneDeliveries(hub: Hub): Promise<void> {
  const before = hub.clock.now() - limits.deliveryLogMs
  while ((await hub.db.transact((tx) => removeDelivered(tx, before, batchSize))) === batchSize);
  await hub.db.transact((tx) => removeDeleted(tx, before))
}

/**
 * Adds missing tasks: a task that failed (for example during a day without database) must not
 * strand a job's deliveries.
 */
export async function reviveDeliveries(hub: Hub): Promise<void> {
  await unparkTasks(hub.db, 'deliver', hub.clock.now())
  for (;;) {
    const lost = await selectForgotten(hub.db.read, batchSize)
    const now = hub.clock.now()
    const tasks = lost.map((queue) => deliverTask(queue, now, `schedule:${newTraceId()}`))
    await hub.db.transact((tx) => addTasks(hub.db, tx, now, tasks))
    if (lost.length < batchSize) return
  }
}
