/**
 * The deliveries of all listeners of a site, and for an operator of all sites (contract, section
 * 12): a list, one delivery with what was sent and answered, and the causes of those that fail.
 */
import {
  type DeliveryCause,
  type DeliveryCounts,
  type Endpoints,
  formatTime,
  HubError,
  type Input,
  limits,
  mustParseTime,
  type SentDelivery,
  type SiteDelivery,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { readPage } from '../../store/filtered-page.ts'
import type { Page } from '../../store/page.ts'
import { type Call, sightOf } from '../access/caller.ts'
import { openNote } from '../files/seals/notes.ts'
import { type ShownAttempt, selectAttempts } from './delivery-rows.ts'
import { uriFor } from './events.ts'
import { withoutSecrets } from './sign.ts'
import * as rows from './site-delivery-rows.ts'

export type { DeliveryFilter } from './site-delivery-rows.ts'

type SiteDeliveriesQuery = Input<Endpoints['listSiteDeliveries']>['query']
type GivenFilter = Omit<SiteDeliveriesQuery, 'navNext' | 'next' | 'pageSize' | 'state'> & {
  state?: SiteDeliveriesQuery['state'] | SiteDelivery['state']
}

/** The filter of a list or of a replay, for what this caller sees. */
export function filterOf(call: Call, given: GivenFilter): rows.DeliveryFilter {
  const { state = [], listenerId, jobId, responseCode, error, since, until } = given
  const states = [...new Set([state].flat())].sort()
  return {
    siteId: sightOf(call, given.siteId),
    ...(states.length > 0 && { states }),
    ...(listenerId !== undefined && { listenerId }),
    ...(jobId !== undefined && { jobId }),
    ...(responseCode !== undefined && { responseCode }),
    ...(error !== undefined && { error }),
    ...(since !== undefined && { since: mustParseTime(since) }),
    ...(until !== undefined && { until: mustParseTime(until) }),
  }
}

/** Newest first. A cursor carries its filter. */
export async function listSiteDeliveries(
  hub: Hub,
  call: Call,
  asked: SiteDeliveriesQuery,
): Promise<Page<SiteDelivery>> {
  const { rows: found, next } = await readPage(
    { vault: hub.vault, siteId: call.caller.siteId, name: 'site-deliveries' },
    asked,
    (filter, { after, limit }) =>
      rows.selectNewest(hub.db.read, filterOf(call, filter), {
        ...(after && { before: [Number(after[0]), Number(after[1])] as const }),
        limit,
      }),
    ({ created_at, position }) => [created_at, position],
  )
  const attempts = await attemptsOf(hub.db.read, found)
  const items = found.map((row) => ({
    ...describe(row),
    attempts: attempts(row).map(describeAttempt),
  }))
  return { items, ...(next !== undefined && { next }) }
}

/**
 * Those that match the filter, up to a bound, for a person who wants to know how many there are.
 */
export async function countDeliveries(
  hub: Hub,
  call: Call,
  asked: GivenFilter,
): Promise<DeliveryCounts> {
  const found = await rows.countNewest(hub.db.read, filterOf(call, asked), limits.deliveriesCounted)
  const of = (state: SiteDelivery['state'], tried?: number): number =>
    found.reduce(
      (sum, row) =>
        sum + (row.state === state && row.tried === (tried ?? row.tried) ? row.count : 0),
      0,
    )
  return {
    delivered: of('DELIVERED'),
    waiting: of('PENDING', 0),
    retrying: of('PENDING', 1),
    parked: of('PARKED'),
    more: found.reduce((sum, { count }) => sum + count, 0) >= limits.deliveriesCounted,
  }
}

const describe = (row: rows.SeenDelivery): Omit<SiteDelivery, 'attempts'> => ({
  deliveryId: row.delivery_id,
  siteId: row.site_id,
  listenerId: row.listener_id,
  eventType: row.event_type as SiteDelivery['eventType'],
  jobId: row.job_id,
  ...(row.request_ids !== null && { requestIds: JSON.parse(row.request_ids) as string[] }),
  ...(row.sequence !== null && { sequence: row.sequence }),
  state: row.state,
  createdTime: formatTime(row.created_at),
  ...(row.state === 'PENDING' &&
    row.next_attempt_at !== null && { nextAttemptTime: formatTime(row.next_attempt_at) }),
  tries: row.attempts,
  ...(row.last_attempt_at !== null && { lastAttemptTime: formatTime(row.last_attempt_at) }),
  ...(row.last_code !== null && { responseCode: row.last_code }),
  ...(row.last_error !== null && { error: row.last_error }),
  causeId: row.cause_id,
})

/**
 * An operator sees no content of a site: neither bodies nor what stands in the query of the URL.
 */
export async function findDelivery(
  hub: Hub,
  call: Call,
  deliveryId: string,
): Promise<SentDelivery> {
  const db = hub.db.read
  const siteId = sightOf(call)
  const row = await rows.selectDelivery(db, siteId, deliveryId)
  if (!row) throw new HubError('DELIVERY_NOT_FOUND', { deliveryId })
  const attempts = await rows.selectLastAttempts(db, row.position)
  const [listener] = await rows.selectExamples(db, [row.position])
  const body = openNote(hub, row.body)
  const url = (listener && uriFor(listener, row.event_type)) ?? row.uri
  return {
    ...describe(row),
    url: siteId === undefined ? withoutQuery(url) : url,
    ...(siteId !== undefined && body !== null && { body }),
    attempts: attempts.reverse().map((attempt) => ({
      number: attempt.number,
      ...describeAttempt(attempt),
      ...(attempt.call_headers !== null && {
        headers: withoutSecrets(JSON.parse(attempt.call_headers)),
      }),
      ...(attempt.answer_head !== null && siteId !== undefined && { answer: attempt.answer_head }),
    })),
  }
}

/** Groups what fails now by listener and by the last response or error. */
export async function listDeliveryCauses(
  hub: Hub,
  call: Call,
  asked: { siteId?: string },
): Promise<{ items: DeliveryCause[] }> {
  const db = hub.db.read
  const causes = await rows.selectCauses(db, sightOf(call, asked.siteId), limits.deliveryCauses)
  const examples = await rows.selectExamples(
    db,
    causes.map(({ example }) => example),
  )
  const byPosition = new Map(examples.map((example) => [example.position, example]))
  const items = causes.flatMap((cause): DeliveryCause[] => {
    const example = byPosition.get(cause.example)
    if (!example) return []
    const host = hostOf(uriFor(example, example.event_type) ?? example.uri)
    return [
      {
        siteId: cause.site_id,
        listenerId: cause.listener_id,
        host,
        ...(cause.last_code !== null && { responseCode: cause.last_code }),
        ...(cause.last_error !== null && { error: cause.last_error }),
        count: cause.count,
        firstTime: formatTime(cause.first_at),
        lastTime: formatTime(cause.last_at ?? cause.first_at),
        says: sentenceOf(cause, host, example.disabled === 1),
        deliveryId: example.delivery_id,
      },
    ]
  })
  return { items }
}

const withoutQuery = (uri: string): string => uri.split('?', 1)[0] ?? ''

const hostOf = (uri: string): string => (URL.canParse(uri) ? new URL(uri).host : uri)

function sentenceOf(
  { count, last_code, last_error }: rows.CauseRow,
  host: string,
  isDisabled: boolean,
): string {
  const many = count === 1 ? '1 delivery does' : `${count} deliveries do`
  const answers = last_code === null ? undefined : `${host} answers ${last_code}.`
  const why = [answers, last_error ?? undefined].filter((part) => part !== undefined).join(' ')
  const disabled = isDisabled ? ' The listener is disabled; enable it to send them.' : ''
  return `${many} not arrive: ${why || `nothing was sent to ${host} yet.`}${disabled}`
}

/** How many deliveries of what the caller sees fail now, counted up to the limit. */
export const countFailing = (hub: Hub, call: Call, limit: number): Promise<number> =>
  rows.countFailingDeliveries(hub.db.read, sightOf(call), limit)

const describeAttempt = (attempt: ShownAttempt): SiteDelivery['attempts'][number] => ({
  attemptTime: formatTime(attempt.attempted_at),
  durationMs: attempt.duration_ms,
  ...(attempt.response_code !== null && { responseCode: attempt.response_code }),
  ...(attempt.error !== null && { error: attempt.error }),
})

/** The last attempts of each of these deliveries, oldest first. */
async function attemptsOf(db: Db, deliveries: readonly rows.SeenDelivery[]) {
  const found = new Map<number, ShownAttempt[]>()
  const positions = deliveries.map(({ position }) => position)
  for (const attempt of await selectAttempts(db, positions)) {
    const some = found.get(attempt.position) ?? []
    some.push(attempt)
    found.set(attempt.position, some)
  }
  return ({ position }: rows.SeenDelivery) =>
    (found.get(position) ?? []).slice(-limits.deliveryAttemptsShown)
}
