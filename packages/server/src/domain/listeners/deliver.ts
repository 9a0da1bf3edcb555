/**
 * Sends the deliveries for one listener about one job, oldest first, one call at a time (contract,
 * section 7). A delivery keeps its webhook-id across attempts; the response decides whether it is
 * delivered, retried or parked. Delivery is at least once: an attempt whose outcome could not be
 * saved is repeated.
 */
import { formatTime, limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { type Posted, postGuarded } from '../../outgoing/post.ts'
import type { AttemptRow } from '../../store/tables.ts'
import { postponeTask, type Task } from '../../store/tasks/hold-tasks.ts'
import { openNote } from '../files/seals/notes.ts'
import { type DeliverPayload, siteOf } from './announce.ts'
import type { Addressee, NextDelivery } from './attempt-rows.ts'
import { uriFor } from './events.ts'
import { findNext } from './find-next.ts'
import { type Ended, failedTooLong, recordAttempt } from './record-attempts.ts'
import { nextTry, pauseOf } from './schedule.ts'
import { signatures, withoutSecrets } from './sign.ts'

/** After this many deliveries, or this long, the task yields to others. */
const maxDeliveries = 50
const maxRunMs = 5_000

/** Held while the receiver is called. */
type Slot = { release(): void; acquire(): void }

export async function deliverNext(
  hub: Hub,
  task: Task,
  slot: Slot,
): Promise<'done' | 'settled' | { again: number }> {
  const { listenerId, jobId, sample = false } = task.payload as DeliverPayload
  const queue = { listenerId, jobId }
  const begun = performance.now()
  for (let sent = 0; sent < maxDeliveries && performance.now() - begun < maxRunMs; sent += 1) {
    const next = await findNext(hub, queue)
    // A sample is also sent to a disabled listener, to show whether it would work again.
    if (!next || !mayReceive(hub, next.listener) || (next.listener.disabled === 1 && !sample))
      return 'done'
    const now = hub.clock.now()
    const due = next.next_attempt_at ?? now
    if (due > now) {
      await hub.db.transact((tx) => postponeTask(tx, task, due))
      return 'settled'
    }
    slot.acquire()
    const recorded = await recordAttempt(hub, async () => {
      const { attempt, posted } = await tryOnce(hub, siteOf(task), next, now).finally(() =>
        slot.release(),
      )
      return { task, ...queue, attempt, ...consequence(next, attempt, posted) }
    })
    if (recorded === 'settled') return 'settled'
  }
  return { again: hub.clock.now() }
}

/** A disabled or removed client receives nothing. A client of an outside issuer has no row. */
const mayReceive = (hub: Hub, { owner_id, owner_disabled_at }: Addressee): boolean =>
  owner_disabled_at === null && (owner_id !== null || hub.config.outsideIssuer !== undefined)

async function tryOnce(
  hub: Hub,
  siteId: string,
  next: NextDelivery,
  now: number,
): Promise<{ attempt: AttemptRow; posted: Posted }> {
  const body = openNote(hub, next.body)
  const headers = headersOf(hub, next, body ?? '', now)
  const begun = performance.now()
  const url = uriFor(next.listener, next.event_type) ?? next.uri
  const post = async (sent: Readonly<Record<string, string>>): Promise<Posted> =>
    body === null
      ? { answered: false, error: damaged }
      : postGuarded(hub, { url, body, headers: sent })
  const of = { siteId, jobId: next.job_id, listenerId: next.listener_id }
  const posted = await (hub.faults?.delivery(of, { headers, post, instead: pretend }) ??
    post(headers))
  const attempt = {
    position: next.position,
    job_id: next.job_id,
    number: (next.last_number ?? 0) + 1,
    attempted_at: now,
    duration_ms: Math.round(performance.now() - begun),
    response_code: posted.answered ? posted.status : null,
    error: errorOf(posted),
    call_headers: JSON.stringify(withoutSecrets(headers)),
    answer_head: posted.answered ? headOf(posted.body) : null,
  }
  return { attempt, posted }
}

const damaged =
  'The body is sealed and cannot be opened: the operator must check it (dragoman check).'

/** The result of a call that a sandbox fault replaced. */
const pretend = (outcome: { readonly status: number } | { readonly error: string }): Posted =>
  'error' in outcome
    ? { answered: false, error: outcome.error }
    : { answered: true, status: outcome.status, body: Buffer.alloc(0), whole: true, headers: {} }

/**
 * Uses the machine's time even if the sandbox clock was moved, because the receiver compares it
 * with its own clock.
 */
function headersOf(
  hub: Hub,
  next: NextDelivery,
  body: string,
  now: number,
): Record<string, string> {
  const id = next.delivery_id
  const seconds = Math.floor((now - hub.clock.offset()) / 1_000)
  const headers: Record<string, string> = { 'webhook-id': id, 'webhook-timestamp': String(seconds) }
  if (next.listener.auth_type === 'SIGNATURE')
    headers['webhook-signature'] = signatures(hub.vault, next.listener, now, { id, seconds, body })
  return headers
}

function errorOf(posted: Posted): string | null {
  if (!posted.answered) return posted.error
  return posted.status >= 300 && posted.status < 400 ? 'Redirects are not followed.' : null
}

/** As text that both databases can store; the receiver controls the content. */
const headOf = (body: Buffer): string =>
  body.toString('utf8', 0, limits.deliveryKeptBytes).replaceAll('\0', '\ufffd')

const isDelivered = (posted: Posted): boolean =>
  posted.answered && posted.status >= 200 && posted.status < 300

function consequence(
  next: NextDelivery,
  { attempted_at: now, error }: AttemptRow,
  posted: Posted,
): Pick<Ended, 'nextAt' | 'failingSince' | 'disable'> {
  const { failing_since, disabled } = next.listener
  const failing = failing_since === null ? {} : { failingSince: failing_since }
  if (isDelivered(posted)) return failing
  const since = failing_since ?? now
  const last = posted.answered ? `The last response was ${posted.status}.` : (error ?? '')
  if (posted.answered && posted.status === 410)
    return { nextAt: null, ...failing, disable: 'The URL returned 410: it is permanently gone.' }
  if (failedTooLong(since, now))
    return {
      nextAt: null,
      ...failing,
      disable: `It has failed since ${formatTime(since)}. ${last}`,
    }
  // A sample to a disabled listener is tried once.
  if (disabled === 1) return { nextAt: null, ...failing }
  const pause = posted.answered ? pauseOf(posted.headers.retryAfter, posted.headers.date, now) : 0
  const tries = { count: next.attempts + 1, first: next.first_attempt_at ?? now, last: now }
  return { nextAt: nextTry(tries, pause) ?? null, ...failing }
}
