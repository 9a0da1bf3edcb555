/**
 * Sends an edited body to the listener of a delivery, so that a developer can try what the receiver
 * does with it. It becomes a delivery of its own, signed and logged as every other;
 * the original stays as it is. Only in the sandbox: elsewhere the hub signs nothing but what
 * happened.
 */
import { type Delivery, HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { newId, newJobId } from '../../store/ids.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call, sightOf } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { sealNote } from '../files/seals/notes.ts'
import { deliverTask } from './announce.ts'
import { insertDeliveries, type NewDelivery } from './delivery-rows.ts'
import { describeDelivery } from './describe-listener.ts'
import { selectDelivery } from './site-delivery-rows.ts'

export function sendEdited(
  hub: Hub,
  call: Call,
  deliveryId: string,
  { body }: { body: string },
): Promise<Delivery> {
  if (hub.config.profile !== 'sandbox')
    throw new HubError('FORBIDDEN', {
      because: 'only a hub in the profile sandbox sends an edited delivery.',
    })
  return once(hub, call, async (tx) => {
    const original = await selectDelivery(tx, sightOf(call), deliveryId)
    if (!original) throw new HubError('DELIVERY_NOT_FOUND', { deliveryId })
    const { listener_id, site_id, event_type, uri } = original
    const now = hub.clock.now()
    const delivery: NewDelivery = {
      ...{ delivery_id: newId(), listener_id, site_id, event_type, uri },
      body: sealNote(hub, body),
      // A job id of its own, as a sample has: it does not wait behind the original, and holds up
      // nothing if it fails.
      ...{ job_id: newJobId(), request_ids: null, sequence: null },
      ...{
        state: 'PENDING',
        created_at: now,
        next_attempt_at: now,
        attempts: 0,
        first_attempt_at: null,
      },
      cause_id: call.traceId,
    }
    await insertDeliveries(tx, [delivery])
    await addTasks(hub.db, tx, now, [deliverTask(delivery, now, call.traceId, true)])
    await recordActs(hub, tx, actorOf(call), [
      {
        thing: 'listener',
        verb: 'deliveries replayed',
        id: listener_id,
        siteId: site_id,
        fields: ['body'],
      },
    ])
    return describeDelivery(delivery, [])
  })
}
