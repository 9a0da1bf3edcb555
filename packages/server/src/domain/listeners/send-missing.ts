/**
 * Sends status updates for which no delivery arrived to a listener: a delivery that failed is sent
 * again, and where there is none, one is created. Within a job they are sent in the order of the
 * updates: deliveries of later updates that still wait move behind.
 */
import type { Change } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { JobRow, StatusUpdateRow } from '../../store/tables.ts'
import { addInOrder } from '../../store/tasks/add-tasks.ts'
import { openNote } from '../files/seals/notes.ts'
import { deliverTask, deliveryOf } from './announce.ts'
import { sendAgain } from './delivery-rows.ts'
import { concerns, type ListenerEvent } from './events.ts'
import { lockForReplay, type ReplayTo } from './listener-rows.ts'
import { appendDeliveries, type Sequenced, selectSequenced, selectWhole } from './replay-rows.ts'

export { type ReplayTo, selectTold as listTold } from './listener-rows.ts'

/** A delivery that arrived, or is on its way without having failed. */
const isCared = ({ state, attempts }: Sequenced): boolean =>
  state === 'DELIVERED' || (state === 'PENDING' && attempts === 0)

const eventOf = (update: StatusUpdateRow, message: string | null = null): ListenerEvent => ({
  kind: 'requests',
  job: {
    site_id: update.site_id,
    job_id: update.job_id,
    creator_id: update.client_id,
    provider_id: update.provider_id,
  } as JobRow,
  requestIds: JSON.parse(update.request_ids) as string[],
  status: update.status as JobRow['status'],
  isError: update.has_error === 1,
  sequence: update.sequence,
  ...(message !== null && { message }),
})

/** Those of the updates that fit the listener and did not arrive. */
export async function pickMissing<U extends StatusUpdateRow>(
  db: Db,
  listener: ReplayTo,
  updates: readonly U[],
): Promise<U[]> {
  const fitting = updates.filter((update) => concerns(listener, eventOf(update)))
  const known = await knownOf(db, listener, fitting)
  const cared = new Set(known.filter(isCared).map(({ sequence }) => sequence))
  return fitting.filter(({ sequence }) => !cared.has(sequence))
}

const knownOf = (db: Db, { site_id, listener_id }: ReplayTo, updates: readonly StatusUpdateRow[]) =>
  selectSequenced(db, site_id, listener_id, [...new Set(updates.map(({ job_id }) => job_id))])

/** Returns how many are sent. */
export async function sendMissing(
  change: Change,
  listenerId: string,
  updates: readonly StatusUpdateRow[],
): Promise<number> {
  const { hub, tx, causeId } = change
  const [listener] = await lockForReplay(tx, [listenerId])
  if (!listener || listener.disabled === 1) return 0
  const missing = await pickMissing(tx, listener, updates)
  const now = hub.clock.now()
  const jobs = [...new Set(missing.map(({ job_id }) => job_id))]
  const { listener_id, site_id } = listener
  const tasks = jobs.map((job_id) => deliverTask({ listener_id, site_id, job_id }, now, causeId))
  await addInOrder(hub.db, tx, now, tasks)
  const known = await knownOf(tx, listener, missing)
  const wanted = new Set(missing.map(({ sequence }) => sequence))
  const again = known.filter(({ sequence }) => wanted.has(sequence))
  const existing = new Set(again.map(({ sequence }) => sequence))
  const deliveryIds = again.map(({ delivery_id }) => delivery_id)
  if (deliveryIds.length > 0) await sendAgain(tx, listener, { deliveryIds }, now)
  for (const jobId of jobs)
    await appendNew(
      change,
      listener,
      missing.filter(({ job_id, sequence }) => job_id === jobId && !existing.has(sequence)),
      known.filter(({ job_id }) => job_id === jobId),
    )
  return missing.length
}

async function appendNew(
  { hub, tx, causeId }: Change,
  listener: ReplayTo,
  updates: readonly StatusUpdateRow[],
  known: readonly Sequenced[],
): Promise<void> {
  if (updates.length === 0) return
  const first = Math.min(...updates.map(({ sequence }) => sequence))
  const waiting = known.filter(({ sequence, state }) => state !== 'DELIVERED' && sequence > first)
  const now = hub.clock.now()
  const created = updates.flatMap((update) => {
    const event = eventOf(update, openNote(hub, update.error_message))
    const delivery = deliveryOf(hub, listener, event, { now: update.updated_at, causeId })
    return delivery ? [{ ...delivery, created_at: now, next_attempt_at: now }] : []
  })
  const whole = await selectWhole(
    tx,
    listener.site_id,
    waiting.map(({ position }) => position),
  )
  const moved = whole.map(({ position: from, ...row }) => ({ ...row, from }))
  const inOrder = [...created, ...moved].sort((a, b) => (a.sequence ?? 0) - (b.sequence ?? 0))
  await appendDeliveries(tx, listener.site_id, inOrder)
}
