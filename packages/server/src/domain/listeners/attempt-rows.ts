/**
 * SQL of delivery attempts: the next delivery of each queue, and the outcome of attempts. Handles
 * many queues at once, for the holder of their tasks. No site: by the random ids in tasks of
 * several sites, each written with its deliveries in one transaction.
 */
import type { Database, Db } from '../../store/database.ts'
import { insertMany, onRows } from '../../store/many-rows.ts'
import type { DeliveryRow, ListenerRow } from '../../store/tables.ts'
import { endingUnless, type Task } from '../../store/tasks/hold-tasks.ts'

/** All deliveries to one listener about one job: sent in order, one at a time. */
export type DeliveryQueue = { readonly listenerId: string; readonly jobId: string }
export const nameOf = ({ listenerId, jobId }: DeliveryQueue): string => `${listenerId} ${jobId}`

/** Repeats the condition of the partial index, so that both planners use it. */
const isPending = `d.state <> 'DELIVERED' and d.state = 'PENDING'`
const isNext = `${isPending} and d.listener_id = given.listener_id and d.job_id = given.job_id`
const queueColumns = { listener_id: 'text', job_id: 'text' } as const
const rowOf = ({ listenerId, jobId }: DeliveryQueue) => ({ listener_id: listenerId, job_id: jobId })
const named = (row: { listener_id: string; job_id: string }): string =>
  nameOf({ listenerId: row.listener_id, jobId: row.job_id })

/** The next delivery, with its listener. */
export type NextDelivery = NextRow & { listener: Addressee }

type NextRow = Pick<
  DeliveryRow,
  'delivery_id' | 'position' | 'listener_id' | 'job_id' | 'event_type' | 'body' | 'uri'
> &
  Pick<DeliveryRow, 'attempts' | 'first_attempt_at' | 'next_attempt_at'> & {
    /** The number of the last attempt, across replays. */
    last_number: number | null
  }

/** What a call needs from the listener. */
export type Addressee = Pick<
  ListenerRow,
  'listener_id' | 'job_uri' | 'request_uri' | 'auth_type' | 'disabled'
> &
  Pick<
    ListenerRow,
    'failing_since' | 'sealed_secret' | 'sealed_old_secret' | 'old_secret_until'
  > & {
    /** The owning client. Null if it was removed or belongs to an outside issuer. */
    owner_id: string | null
    owner_disabled_at: number | null
  }

const nextOf = onRows<typeof queueColumns, NextRow & { listener?: Addressee }>(
  queueColumns,
  ({
    joinFirst,
  }) => `select n.delivery_id, n.position, n.listener_id, n.job_id, n.event_type, n.body, n.uri, n.attempts,
    n.first_attempt_at, n.next_attempt_at,
    (select max(a.number) from attempts a where a.position = n.position) as last_number
  from given ${joinFirst({ table: 'deliveries', key: 'position', as: 'n', where: isNext })}`,
)

const addresseesOf = onRows<{ listener_id: 'text' }, Addressee>(
  { listener_id: 'text' },
  ({
    join,
  }) => `select h.listener_id, h.job_uri, h.request_uri, h.auth_type, h.sealed_secret, h.sealed_old_secret, h.old_secret_until,
    h.disabled, h.failing_since, c.client_id as owner_id, c.disabled_at as owner_disabled_at
  from given ${join} listeners h on h.listener_id = given.listener_id
    left join clients c on c.client_id = h.client_id and c.site_id = h.site_id`,
)

/**
 * The next deliveries by queue name; a queue without pending deliveries has no entry. Many queues
 * share few listeners, so each listener is read once.
 */
export async function selectNext(
  db: Database,
  queues: readonly DeliveryQueue[],
): Promise<Map<string, NextDelivery>> {
  const listenerIds = [...new Set(queues.map(({ listenerId }) => listenerId))]
  const [rows, addressees] = await Promise.all([
    nextOf(db.read, queues.map(rowOf)),
    addresseesOf(
      db.read,
      listenerIds.map((listenerId) => ({ listener_id: listenerId })),
    ),
  ])
  const listeners = new Map(addressees.map((row) => [row.listener_id, row]))
  const found = new Map<string, NextDelivery>()
  for (const row of rows) {
    const listener = listeners.get(row.listener_id)
    if (!listener) continue
    row.listener = listener
    found.set(named(row), row as NextDelivery)
  }
  return found
}

export type Outcome = {
  readonly position: number
  readonly state: DeliveryRow['state']
  readonly attemptedAt: number
  readonly nextAttemptAt: number | null
  readonly responseCode: number | null
  readonly error: string | null
}

const outcomeColumns = {
  position: 'bigint',
  state: 'text',
  at: 'bigint',
  next: 'bigint',
  code: 'bigint',
  error: 'text',
} as const

const triedOnce = onRows<typeof outcomeColumns, { position: number }>(
  outcomeColumns,
  ({ among }) => `update deliveries set
    attempts = deliveries.attempts + 1,
    last_code = given.code,
    last_error = given.error,
    last_attempt_at = given.at,
    first_attempt_at = coalesce(deliveries.first_attempt_at, given.at),
    next_attempt_at = case when given.state = 'DELIVERED' or deliveries.state = 'PENDING' then given.next end,
    state = case when given.state = 'DELIVERED' or deliveries.state = 'PENDING' then given.state else deliveries.state end
  from given where deliveries.position = given.position${among('deliveries.position', 'position')}
    returning deliveries.position`,
)

/** How much of an error is stored: an index holds it. */
const maxErrorCharacters = 300

/**
 * Records one more attempt each, and returns the positions of deliveries that still exist. A
 * failure does not revive a delivery that was parked in the meantime.
 */
export async function writeOutcomes(tx: Db, outcomes: readonly Outcome[]): Promise<Set<number>> {
  const given = outcomes.map(
    ({ attemptedAt: at, nextAttemptAt: next, responseCode: code, ...outcome }) => {
      return {
        ...outcome,
        at,
        next,
        code,
        error: outcome.error?.slice(0, maxErrorCharacters) ?? null,
      }
    },
  )
  const rows = await triedOnce(tx, given)
  return new Set(rows.map((row) => row.position))
}

export const insertAttempts = insertMany('attempts', {
  position: 'bigint',
  job_id: 'text',
  number: 'bigint',
  attempted_at: 'bigint',
  duration_ms: 'bigint',
  response_code: 'bigint',
  error: 'text',
  call_headers: 'text',
  answer_head: 'text',
})

const stillWaiting = onRows<typeof queueColumns, { listener_id: string; job_id: string }>(
  queueColumns,
  // Not `exists`: PostgreSQL would then scan all pending deliveries instead of probing the index
  // for each queue.
  () => `select given.listener_id, given.job_id from given where (select d.position from deliveries d
    where ${isNext} order by d.position limit 1) is not null`,
)

/** The names of queues that have more to send. */
export async function selectWaiting(
  tx: Db,
  queues: readonly DeliveryQueue[],
): Promise<Set<string>> {
  return new Set((await stillWaiting(tx, queues.map(rowOf))).map(named))
}

const endUnlessMore = endingUnless(
  { ...queueColumns, position: 'bigint' },
  `(select d.position from deliveries d where ${isNext} and d.position <> given.position
    order by d.position limit 1) is not null`,
)

/**
 * Ends the tasks of queues with no delivery but the one at this position, and returns the ids of
 * those tasks.
 */
export function endQueues(
  tx: Db,
  queues: readonly (DeliveryQueue & { readonly task: Task; readonly position: number })[],
): Promise<Set<number>> {
  const ends = queues.map(({ task, listenerId, jobId, position }) => ({
    task,
    values: { listener_id: listenerId, job_id: jobId, position },
  }))
  return endUnlessMore(tx, ends)
}

const hastenGiven = onRows<typeof queueColumns, never>(
  queueColumns,
  ({ value }) => `update deliveries set next_attempt_at = ${value('bigint', 0)} where position in (
    select (select d.position from deliveries d where ${isNext} order by d.position limit 1) from given)`,
)

/** The next delivery of each queue is sent at once. */
export async function hastenQueues(
  tx: Db,
  queues: readonly DeliveryQueue[],
  now: number,
): Promise<void> {
  if (queues.length > 0) await hastenGiven(tx, queues.map(rowOf), now)
}
