/** What brings deliveries back onto their way: enabling a listener, a replay, and the daily look for forgotten ones. */
import { limits } from '@dragoman/contract'
import type { Change, Hub } from '../../hub.ts'
import { newTraceId } from '../../store/ids.ts'
import type { ListenerRow } from '../../store/tables.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import { unparkTasks } from '../../store/tasks/reschedule-groups.ts'
import { deliverTask } from './announce.ts'
import { type Choice, removeDelivered, selectForgotten, selectJobs, sendAgain } from './delivery-rows.ts'

type Which = Pick<ListenerRow, 'listener_id' | 'site_id'>

/** What was pending or set aside, in its old order. */
export async function resume(change: Change, listener: Which): Promise<void> {
  await sendChosen(change, { ...listener, disabled: 0 }, { states: ['PENDING', 'PARKED'] })
}

/**
 * The tasks first, then the rows: in the order in which a try that ends takes them. A disabled listener has no task. What is
 * oldest goes first, also between jobs: rows that lie together are then written together.
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
    // Whoever else adds tasks of this listener waits for its row, which is locked: no other order can be met here.
    await addTasks(hub.engine, tx, now, tasks, 'as given')
  }
  return sendAgain(tx, site_id, listener_id, choice, disabled === 0 ? now : null)
}

const some = 500

/** Delivered ones that nobody looks at any more; what is pending or set aside stays. Part of the sweep. */
export async function pruneDeliveries(hub: Hub): Promise<void> {
  const before = hub.clock.now() - limits.deliveryLogMs
  while ((await hub.engine.transact((tx) => removeDelivered(tx, before, some))) === some);
}

/** A task that failed on its own (the database was gone for a day) must not leave a job's deliveries behind. */
export async function reviveDeliveries(hub: Hub): Promise<void> {
  await unparkTasks(hub.engine, 'deliver', hub.clock.now())
  for (;;) {
    const lost = await selectForgotten(hub.engine.read, some)
    const now = hub.clock.now()
    const tasks = lost.map((line) => deliverTask(line, now, newTraceId()))
    await hub.engine.transact((tx) => addTasks(hub.engine, tx, now, tasks))
    if (lost.length < some) return
  }
}
