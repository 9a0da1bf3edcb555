/**
 * Replays status updates that never arrived at the listener of their client (mode `missing`).
 * Counts them in slices, without a transaction; a few are sent in the transaction of the call, many
 * in the background, listener by listener, oldest first.
 */
import { limits } from '@dragoman/contract'
import type { Change, Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { StatusUpdateRow } from '../../../store/tables.ts'
import { addTasks } from '../../../store/tasks/add-tasks.ts'
import { finishTask, type Task } from '../../../store/tasks/hold-tasks.ts'
import type { Act } from '../../access/audit/acts.ts'
import { listTold, pickMissing, type ReplayTo, sendMissing } from '../send-missing.ts'
import type { DeliveryFilter } from '../site-deliveries.ts'
import { selectUpdatesOf } from './update-rows.ts'

export const missingTask = 'replay-missing'
const sliceSize = 500

type Payload = {
  readonly filter: DeliveryFilter
  readonly listenerId: string
  readonly after: number
}
export type Missing = {
  readonly total: number
  /**
   * Of each listener. The updates are listed only as long as they can be sent in one transaction.
   */
  readonly of: { readonly listener: ReplayTo; readonly updates: StatusUpdateRow[] }[]
}

/** Later updates are not looked at: they have deliveries of their own. */
export const upToNow = (hub: Hub, filter: DeliveryFilter): DeliveryFilter => ({
  ...filter,
  until: Math.min(filter.until ?? Number.MAX_SAFE_INTEGER, hub.clock.now()),
})

export async function findMissing(db: Db, filter: DeliveryFilter): Promise<Missing> {
  const of: Missing['of'] = []
  let total = 0
  for (const listener of await listTold(db, filter.siteId, filter)) {
    const updates: StatusUpdateRow[] = []
    const before = total
    for (let after: number | undefined = 0; after !== undefined; ) {
      const slice = await readSlice(db, listener, filter, after)
      total += slice.missing.length
      if (total <= limits.replayAtOnce) for (const one of slice.missing) updates.push(one)
      after = slice.next
    }
    if (total > before) of.push({ listener, updates })
  }
  return { total, of }
}

async function readSlice(
  db: Db,
  listener: ReplayTo,
  { jobId, since, until }: DeliveryFilter,
  after: number,
): Promise<{ missing: StatusUpdateRow[]; next: number | undefined }> {
  const updates = await selectUpdatesOf(db, listener.site_id, listener.client_id, {
    ...(jobId !== undefined && { jobId }),
    ...(since !== undefined && { since }),
    ...(until !== undefined && { until }),
    after,
    limit: sliceSize,
  })
  const missing = await pickMissing(db, listener, updates)
  return { missing, next: updates.length < sliceSize ? undefined : updates.at(-1)?.sequence }
}

/** Sends what `findMissing` found, or adds the task that does. */
export async function replayMissing(
  change: Change,
  filter: DeliveryFilter,
  { total, of }: Missing,
): Promise<{ replayed: number; acts: Act[] }> {
  const acts = of.map(
    ({ listener }): Act => ({
      thing: 'listener',
      verb: 'deliveries replayed',
      id: listener.listener_id,
      siteId: listener.site_id,
    }),
  )
  const [first] = of
  if (total > limits.replayAtOnce && first) {
    await addSlice(change, { filter, listenerId: first.listener.listener_id, after: 0 })
    return { replayed: total, acts }
  }
  let replayed = 0
  for (const { listener, updates } of of)
    replayed += await sendMissing(change, listener.listener_id, updates)
  return { replayed, acts }
}

function addSlice({ hub, tx, causeId }: Change, payload: Payload): Promise<void> {
  const { siteId } = payload.filter
  const now = hub.clock.now()
  return addTasks(hub.db, tx, now, [
    { name: missingTask, payload, dueAt: now, causeId, ...(siteId !== undefined && { siteId }) },
  ])
}

/** The task: one slice of one listener, and a task for the next slice or the next listener. */
export async function replayMissingSlice(hub: Hub, task: Task): Promise<'settled'> {
  const { filter, listenerId, after } = task.payload as Payload
  const listeners = await listTold(hub.db.read, filter.siteId, {
    ...(filter.listenerId !== undefined && { listenerId: filter.listenerId }),
    from: listenerId,
  })
  const [listener, following] = listeners
  const isSame = listener?.listener_id === listenerId
  const slice = listener && (await readSlice(hub.db.read, listener, filter, isSame ? after : 0))
  await hub.db.transact(async (tx) => {
    const change = { hub, tx, causeId: task.causeId }
    await finishTask(tx, task)
    if (!listener || !slice) return
    await sendMissing(change, listener.listener_id, slice.missing)
    if (slice.next !== undefined)
      await addSlice(change, { filter, listenerId: listener.listener_id, after: slice.next })
    else if (following)
      await addSlice(change, { filter, listenerId: following.listener_id, after: 0 })
  })
  return 'settled'
}
