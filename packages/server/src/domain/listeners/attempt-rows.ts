/**
 * SQL of the tries: what is next for jobs and listeners, and what became of it. Asked for many at once, by whoever holds
 * their tasks. No site: by the random ids in tasks of several sites, each written with its deliveries in one transaction.
 */
import type { Db, Engine } from '../../store/engine.ts'
import { amongGiven, joinFirst, withGiven } from '../../store/given-values.ts'
import type { AttemptRow, DeliveryRow, ListenerRow } from '../../store/tables.ts'
import { endingUnless, type Task } from '../../store/tasks.ts'

/** What is sent in order: all that is told to one listener about one job. */
export type Line = { readonly listenerId: string; readonly jobId: string }
export const nameOf = ({ listenerId, jobId }: Line): string => `${listenerId} ${jobId}`

/** With what the partial index says, so that both planners see it fit. */
const isPending = `d.state <> 'DELIVERED' and d.state = 'PENDING'`
const isNext = `${isPending} and d.listener_id = given.listener_id and d.job_id = given.job_id`
const lineColumns = { listener_id: 'text', job_id: 'text' } as const
const valuesOf = ({ listenerId, jobId }: Line): [string, string] => [listenerId, jobId]
const named = (row: { listener_id: string; job_id: string }): string =>
  nameOf({ listenerId: row.listener_id, jobId: row.job_id })

/** The delivery that is next, with its listener. */
export type NextDelivery = NextRow & { listener: Addressee }

type NextRow = Pick<
  DeliveryRow,
  'delivery_id' | 'position' | 'listener_id' | 'job_id' | 'event_type' | 'body' | 'uri'
> &
  Pick<DeliveryRow, 'attempts' | 'first_attempt_at' | 'next_attempt_at'> & {
    /** Of the last attempt, in all rounds. */
    last_number: number | null
  }

/** What the call needs to know of a listener. */
export type Addressee = Pick<ListenerRow, 'listener_id' | 'job_uri' | 'request_uri' | 'auth_type' | 'disabled'> &
  Pick<ListenerRow, 'failing_since' | 'sealed_secret' | 'sealed_old_secret' | 'old_secret_until'> & {
    /** The client that owns it: absent when it was removed, or is an outside issuer's. */
    owner_id: string | null
    owner_disabled_at: number | null
  }

const nextOf = withGiven<NextRow & { listener?: Addressee }>(
  lineColumns,
  (engine) => `select n.delivery_id, n.position, n.listener_id, n.job_id, n.event_type, n.body, n.uri, n.attempts,
    n.first_attempt_at, n.next_attempt_at,
    (select max(a.number) from attempts a where a.position = n.position) as last_number
  from given ${joinFirst(engine, { table: 'deliveries', key: 'position', as: 'n', where: isNext })}`,
  'kept',
)

const addresseesOf = withGiven<Addressee>(
  { listener_id: 'text' },
  `select h.listener_id, h.job_uri, h.request_uri, h.auth_type, h.sealed_secret, h.sealed_old_secret, h.old_secret_until,
    h.disabled, h.failing_since, c.client_id as owner_id, c.disabled_at as owner_disabled_at
  from given join listeners h on h.listener_id = given.listener_id 
    left join clients c on c.client_id = h.client_id and c.site_id = h.site_id`,
  'kept',
)

/**
 * By the name of the line; a line of which nothing is pending has none. Most lines of a busy moment are of few listeners:
 * those are read once each.
 */
export async function selectNext(engine: Engine, lines: readonly Line[]): Promise<Map<string, NextDelivery>> {
  const listenerIds = [...new Set(lines.map(({ listenerId }) => listenerId))]
  const [rows, addressees] = await Promise.all([
    nextOf(engine, engine.read, lines.map(valuesOf)),
    addresseesOf(
      engine,
      engine.read,
      listenerIds.map((listenerId) => [listenerId]),
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
}

const triedOnce = withGiven<{ position: number }>(
  { position: 'bigint', state: 'text', at: 'bigint', next: 'bigint' },
  (engine) => `update deliveries set
    attempts = deliveries.attempts + 1,
    first_attempt_at = coalesce(deliveries.first_attempt_at, given.at),
    next_attempt_at = case when given.state = 'DELIVERED' or deliveries.state = 'PENDING' then given.next end,
    state = case when given.state = 'DELIVERED' or deliveries.state = 'PENDING' then given.state else deliveries.state end
  from given where deliveries.position = given.position${amongGiven(engine, 'deliveries.position', 'position')}
    returning deliveries.position`,
  'kept',
)

/**
 * One more try each; gives back the positions of the deliveries that are still there. A failure does not bring back one
 * that was set aside meanwhile.
 */
export async function writeOutcomes(engine: Engine, tx: Db, outcomes: readonly Outcome[]): Promise<Set<number>> {
  const given = outcomes.map(
    ({ position, state, attemptedAt, nextAttemptAt }) => [position, state, attemptedAt, nextAttemptAt] as const,
  )
  const rows = await triedOnce(engine, tx, given)
  return new Set(rows.map((row) => row.position))
}

const attemptColumns = {
  position: 'bigint',
  number: 'bigint',
  attempted_at: 'bigint',
  duration_ms: 'bigint',
  response_code: 'bigint',
  error: 'text',
  call_headers: 'text',
  answer_head: 'text',
} as const satisfies Record<keyof AttemptRow, 'text' | 'bigint'>
const names = Object.keys(attemptColumns) as (keyof AttemptRow)[]

/** One statement for any number of them; the last is given several times. */
const insertGiven = withGiven<never>(
  attemptColumns,
  `insert into attempts (${names.join(', ')}) select distinct ${names.join(', ')} from given`,
  'kept',
)

export async function insertAttempts(engine: Engine, tx: Db, attempts: readonly AttemptRow[]): Promise<void> {
  await insertGiven(
    engine,
    tx,
    attempts.map((attempt) => names.map((name) => attempt[name])),
  )
}

const stillWaiting = withGiven<{ listener_id: string; job_id: string }>(
  lineColumns,
  // Not `exists`: PostgreSQL would rather read all that is pending once than look for each.
  `select given.listener_id, given.job_id from given where (select d.position from deliveries d
    where ${isNext} order by d.position limit 1) is not null`,
  'kept',
)

/** The names of the lines that have more to be sent. */
export async function selectWaiting(engine: Engine, tx: Db, lines: readonly Line[]): Promise<Set<string>> {
  return new Set((await stillWaiting(engine, tx, lines.map(valuesOf))).map(named))
}

const endUnlessMore = endingUnless(
  { ...lineColumns, position: 'bigint' },
  `(select d.position from deliveries d where ${isNext} and d.position <> given.position
    order by d.position limit 1) is not null`,
)

/** Ends the tasks of lines that have nothing to be sent but the delivery at this position; gives back their ids. */
export function endLines(
  engine: Engine,
  tx: Db,
  lines: readonly (Line & { readonly task: Task; readonly position: number })[],
): Promise<Set<number>> {
  const ends = lines.map(({ task, listenerId, jobId, position }) => ({
    task,
    values: { listener_id: listenerId, job_id: jobId, position },
  }))
  return endUnlessMore(engine, tx, ends)
}
