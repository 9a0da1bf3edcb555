/** The delivery log of a listener, replays and samples (contract, sections 7 and 11). */
import {
  type Delivery,
  type Endpoints,
  HubError,
  type Input,
  limits,
  mustParseTime,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { newId, newJobId } from '../../store/ids.ts'
import { mustMatch, openCursor, type Page, sealCursor } from '../../store/page.ts'
import type { JobRow, ListenerRow } from '../../store/tables.ts'
import { addTasks } from '../../store/tasks/add-tasks.ts'
import type { Call } from '../access/caller.ts'
import { once } from '../access/once.ts'
import { deliverTask, deliveryOf } from './announce.ts'
import * as rows from './delivery-rows.ts'
import { describeDelivery } from './describe-listener.ts'
import type { ListenerEvent } from './events.ts'
import {
  type ListenerOfSide,
  mustFindListener,
  mustLockListener,
  readerOf,
  type Side,
  writerOf,
} from './listeners.ts'
import { sendChosen } from './resume.ts'

type DeliveriesQuery = Input<Endpoints['listDeliveries']>['query']
type Replay = Input<Endpoints['replayDeliveries']>['body']

/** Newest first. A cursor carries the states it filters by. */
export async function listDeliveries(
  hub: Hub,
  call: Call,
  { side, listenerId }: ListenerOfSide,
  asked: DeliveriesQuery,
): Promise<Page<Delivery>> {
  const { siteId } = call.caller
  const db = hub.db.read
  await mustFindListener(db, readerOf(call, side), listenerId)
  const list = `listener-deliveries:${listenerId}`
  const sent = asked.state?.length ? { filter: asked.state.join() } : {}
  const cursor = asked.navNext
    ? mustMatch(openCursor(hub.vault, siteId, list, asked.navNext), sent)
    : undefined
  const filter = cursor ? cursor.filter : sent.filter
  const limit = asked.pageSize ?? limits.pageItems
  const found = await rows.selectDeliveries(db, siteId, listenerId, {
    ...(filter ? { states: filter.split(',') as Delivery['state'][] } : {}),
    ...(cursor ? { before: [Number(cursor.key[0]), Number(cursor.key[1])] as const } : {}),
    limit: limit + 1,
  })
  const page = found.slice(0, limit)
  const positions = page.map((row) => row.position)
  const attempts = new Map<number, rows.ShownAttempt[]>(positions.map((position) => [position, []]))
  for (const attempt of await rows.selectAttempts(db, positions))
    attempts.get(attempt.position)?.push(attempt)
  const items = page.map((row) => describeDelivery(row, attempts.get(row.position) ?? []))
  const last = page.at(-1)
  if (found.length <= limit || !last) return { items }
  const next = { list, key: [last.created_at, last.position], ...(filter ? { filter } : {}) }
  return { items, next: sealCursor(hub.vault, siteId, next) }
}

/**
 * Sends delivered or parked deliveries again, with the same webhook-id. An empty request replays
 * everything still in the log.
 */
export function replayDeliveries(
  hub: Hub,
  call: Call,
  { side, listenerId }: ListenerOfSide,
  input: Replay,
): Promise<{ replayed: number }> {
  const { siteId } = call.caller
  const choice = {
    ...(input.deliveryIds && { deliveryIds: [...new Set(input.deliveryIds)] }),
    ...(input.since === undefined ? {} : { since: mustParseTime(input.since) }),
    ...(input.until === undefined ? {} : { until: mustParseTime(input.until) }),
  }
  return once(hub, call, async (tx) => {
    const listener = await mustLockListener(tx, writerOf(call, side), listenerId)
    if (choice.deliveryIds) {
      const known = await rows.selectIds(tx, siteId, listenerId, choice.deliveryIds)
      const missing = choice.deliveryIds.find((id) => !known.has(id))
      if (missing !== undefined) throw new HubError('DELIVERY_NOT_FOUND', { deliveryId: missing })
    }
    return { replayed: await sendChosen({ hub, tx, causeId: call.traceId }, listener, choice) }
  })
}

/**
 * Sends a sample call about a job that does not exist, marked by `test` in its body. It takes the
 * path of every delivery and is also sent, once, to a disabled listener.
 */
export function testListener(
  hub: Hub,
  call: Call,
  side: Side,
  listenerId: string,
): Promise<Delivery> {
  return once(hub, call, async (tx) => {
    const listener = await mustFindListener(tx, writerOf(call, side), listenerId)
    const now = hub.clock.now()
    const delivery = deliveryOf(hub, listener, sampleFor(listener), {
      now,
      causeId: call.traceId,
      more: { test: true },
    })
    if (!delivery) {
      const because = 'the listener has no URI to send a sample to.'
      throw new HubError('INVALID_REQUEST', { because })
    }
    await rows.insertDeliveries(tx, [delivery])
    await addTasks(hub.db, tx, now, [deliverTask(delivery, now, call.traceId, true)])
    return describeDelivery(delivery, [])
  })
}

/** Each sample has a job id of its own, so that a failing one does not hold up others. */
function sampleFor(listener: ListenerRow): ListenerEvent {
  const { site_id, client_id, side, type, provider_id, job_uri } = listener
  const job = {
    site_id,
    job_id: newJobId(),
    creator_id: client_id,
    provider_id: provider_id ?? newId(),
  } as JobRow
  if (type === 'JOB_STATUS_UPDATED' || (side === 'provider' && job_uri !== null))
    return { kind: 'job', job, status: 'IN_TRANSLATION', archived: false, deleted: false }
  const status = side === 'provider' ? 'TRANSLATION_APPROVED' : 'REVIEW_TRANSLATION'
  return { kind: 'requests', job, requestIds: [newId()], status, isError: false }
}

/** The number of undelivered deliveries over all sites, for operators. */
export const deliveryDepth = (hub: Hub): Promise<{ pending: number; parked: number }> =>
  rows.countWaiting(hub.db.read)
