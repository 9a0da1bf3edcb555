/** SQL of the report latency: deliveries with their attempts, and calls, each a bounded part of an index. */

import { type SqlBool, sql } from 'kysely'
import type { Db } from '../../store/engine.ts'
import type { PageBounds } from '../../store/filtered-page.ts'
import { pageAfter } from '../../store/page.ts'
import type { DeliveryRow } from '../../store/tables.ts'
import type { Span } from './report-rows.ts'

const up = (...columns: readonly string[]) => columns.map((column) => ({ column, descending: false }))

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
  return pageAfter(deliveries, up('created_at', 'position'), after).limit(limit).execute()
}

/** How long each attempt of these deliveries took. */
export const selectDurations = (db: Db, positions: readonly number[]) =>
  db
    .selectFrom('attempts')
    .select(['position', 'duration_ms'])
    .where('position', 'in', positions.length > 0 ? positions : [0])
    .execute()

/** Calls by their time. Repeats the condition of the partial index. */
export function selectCalls(db: Db, siteId: string, { from, to }: Span, { after, limit }: PageBounds) {
  const calls = db
    .selectFrom('calls')
    .select(['call_id', 'called_at', 'method', 'route', 'duration_us', 'count'])
    .where('site_id', '=', siteId)
    .where(sql<SqlBool>`site_id <> ''`)
    .where('called_at', '>=', from)
    .where('called_at', '<', to)
  return pageAfter(calls, up('called_at', 'call_id'), after).limit(limit).execute()
}

export const selectListenerUris = (db: Db, siteId: string, ids: readonly string[]) =>
  db
    .selectFrom('listeners')
    .select(['listener_id as id', 'client_id', 'job_uri', 'request_uri'])
    .where('site_id', '=', siteId)
    .where('listener_id', 'in', ids)
    .execute()
