/**
 * SQL of the report latency: deliveries with their attempts, a bounded part of an index, and the
 * sums of calls.
 */

import { dayMs } from '@dragoman/text/counting'
import type { Db } from '../../../store/database.ts'
import type { PageBounds } from '../../../store/filtered-page.ts'
import { ascending, pageAfter } from '../../../store/page.ts'
import type { DeliveryRow } from '../../../store/tables.ts'
import type { Span } from './report-rows.ts'

/** Deliveries in one state by the time of their creation. */
export function selectCreated(
  db: Db,
  siteId: string,
  { state, from, to }: Span & Pick<DeliveryRow, 'state'>,
  { after, limit }: PageBounds,
) {
  const deliveries = db
    .selectFrom('deliveries')
    .select(['position', 'listener_id', 'created_at'])
    .where('site_id', '=', siteId)
    .where('state', '=', state)
    .where('created_at', '>=', from)
    .where('created_at', '<', to)
  return pageAfter(deliveries, ascending('created_at', 'position'), after).limit(limit).execute()
}

/** How long each attempt of these deliveries took. */
export const selectDurations = (db: Db, positions: readonly number[]) =>
  db
    .selectFrom('attempts')
    .select(['position', 'duration_ms'])
    .where('position', 'in', positions.length > 0 ? positions : [0])
    .execute()

/** How often calls of each route took so long: sums by day, however many calls the log has. */
export function selectTimes(db: Db, siteId: string, { from, to }: Span) {
  return db
    .selectFrom('call_times')
    .select(({ fn }) => ['route', 'ms', fn.sum<number>('times').as('times')])
    .where('site_id', '=', siteId)
    .where('day', '>=', Math.floor(from / dayMs))
    .where('day', '<', Math.ceil(to / dayMs))
    .groupBy(['route', 'ms'])
    .execute()
}

export const selectListenerUris = (db: Db, siteId: string, ids: readonly string[]) =>
  db
    .selectFrom('listeners')
    .select(['listener_id as id', 'client_id', 'job_uri', 'request_uri'])
    .where('site_id', '=', siteId)
    .where('listener_id', 'in', ids)
    .execute()
