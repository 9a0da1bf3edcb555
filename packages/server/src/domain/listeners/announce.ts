/**
 * Queues deliveries to listeners, in the transaction of the event: for each recipient one delivery
 * row with its full body, and the task that sends it. A job's moves hold its lock, so its delivery
 * rows are in the order of its events.
 */
import type { Change, Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { newId } from '../../store/ids.ts'
import { addTasks, type NewTask } from '../../store/tasks/add-tasks.ts'
import type { Task } from '../../store/tasks/hold-tasks.ts'
import { sealNote } from '../files/seals/notes.ts'
import { insertDeliveries, type NewDelivery } from './delivery-rows.ts'
import {
  bodyFor,
  concerns,
  eventTypeOf,
  type ListenerEvent,
  type Recipient,
  uriFor,
  viewFor,
} from './events.ts'
import { selectOwners, selectRecipients } from './listener-rows.ts'

export type { ListenerEvent } from './events.ts'

type Addressed = readonly [Recipient, ListenerEvent]
/** Whether a client's provider listener may receive events of this provider's jobs. */
type Owns = (clientId: string, providerId: string) => boolean

async function findOwners(tx: Db, siteId: string, recipients: readonly Recipient[]): Promise<Owns> {
  const clients = [
    ...new Set(
      recipients.filter(({ side }) => side === 'provider').map(({ client_id }) => client_id),
    ),
  ]
  const owners = clients.length === 0 ? [] : await selectOwners(tx, siteId, clients)
  return (clientId, providerId) =>
    owners.some(
      (owner) =>
        owner.client_id === clientId && (owner.isAdmin || owner.provider_id === providerId),
    )
}

function addressedTo(
  recipients: readonly Recipient[],
  owns: Owns,
  event: ListenerEvent,
): Addressed[] {
  const { creator_id, provider_id } = event.job
  const isTheirs = (recipient: Recipient): boolean =>
    recipient.side === 'connector'
      ? recipient.client_id === creator_id
      : provider_id !== null &&
        (recipient.provider_id === null || recipient.provider_id === provider_id) &&
        owns(recipient.client_id, provider_id)
  return recipients
    .filter(isTheirs)
    .map((recipient): Addressed => [recipient, viewFor(recipient, event)])
    .filter(([recipient, view]) => concerns(recipient, view))
}

/**
 * Takes all events of one transaction, in order and of one site. Costs one indexed query if there
 * are no listeners.
 */
export async function announce(
  { hub, tx, causeId }: Change,
  events: ListenerEvent | readonly ListenerEvent[],
): Promise<void> {
  const list = 'kind' in events ? [events] : events
  const siteId = list[0]?.job.site_id
  if (siteId === undefined) return
  const clientIds = [...new Set(list.map(({ job }) => job.creator_id))]
  const providerIds = [...new Set(list.map(({ job }) => job.provider_id ?? ''))]
  const recipients = await selectRecipients(tx, siteId, { clientIds, providerIds })
  if (recipients.length === 0) return
  const owns = await findOwners(tx, siteId, recipients)
  const now = hub.clock.now()
  const deliveries = list
    .flatMap((event) => addressedTo(recipients, owns, event))
    .flatMap(([recipient, view]) => deliveryOf(hub, recipient, view, { now, causeId }) ?? [])
  await insertDeliveries(tx, deliveries)
  await addTasks(
    hub.db,
    tx,
    now,
    deliveries.map((delivery) => deliverTask(delivery, now, causeId)),
  )
}

export function deliveryOf(
  hub: Hub,
  recipient: Recipient,
  event: ListenerEvent,
  {
    now,
    causeId,
    more,
  }: { readonly now: number; readonly causeId: string; readonly more?: object },
): NewDelivery | undefined {
  const eventType = eventTypeOf(recipient, event)
  const uri = uriFor(recipient, eventType)
  if (uri === undefined) return undefined
  return {
    delivery_id: newId(),
    listener_id: recipient.listener_id,
    site_id: event.job.site_id,
    event_type: eventType,
    job_id: event.job.job_id,
    request_ids: event.kind === 'requests' ? JSON.stringify(event.requestIds) : null,
    sequence:
      recipient.side === 'connector' && 'sequence' in event ? (event.sequence ?? null) : null,
    uri,
    body: sealNote(hub, bodyFor(recipient, event, now, more)),
    state: 'PENDING',
    created_at: now,
    next_attempt_at: now,
    attempts: 0,
    first_attempt_at: null,
    cause_id: causeId,
  }
}

export type DeliverPayload = {
  readonly listenerId: string
  readonly jobId: string
  readonly sample?: true
}

/** The site that deliverTask wrote. */
export function siteOf({ taskId, siteId }: Pick<Task, 'taskId' | 'siteId'>): string {
  if (siteId === undefined)
    throw new Error(`Task ${taskId} delivers to a listener and names no site.`)
  return siteId
}

/** One task per job and listener, so that at most one call is in progress. */
export function deliverTask(
  delivery: { listener_id: string; site_id: string; job_id: string },
  dueAt: number,
  causeId: string,
  sample?: true,
): NewTask {
  const { listener_id: listenerId, job_id: jobId, site_id: siteId } = delivery
  const payload: DeliverPayload = { listenerId, jobId, ...(sample && { sample }) }
  return {
    name: 'deliver',
    payload,
    siteId,
    key: `deliver:${listenerId}:${jobId}`,
    dueAt,
    causeId,
    lane: 'outside',
  }
}
