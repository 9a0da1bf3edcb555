/** SQL of the report effort: a bounded part of an index. */
import type { Db } from '../../../store/database.ts'
import type { PageBounds } from '../../../store/filtered-page.ts'
import { pageAfter } from '../../../store/page.ts'
import type { Span } from './report-rows.ts'

const order = ['delivered_at', 'job_id', 'request_id', 'provider_id', 'engine'].map((column) => ({
  column,
  descending: false,
}))

export function selectEffort(
  db: Db,
  siteId: string,
  { from, to }: Span,
  { after, limit }: PageBounds,
) {
  const rows = db
    .selectFrom('engine_effort')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('delivered_at', '>=', from)
    .where('delivered_at', '<', to)
  return pageAfter(rows, order, after).limit(limit).execute()
}
