/**
 * Reads the call log (contract, section 12): an admin the calls of the site, an operator those of
 * the hub. A call is in it within a second. Bodies are content of a site, so an operator does not
 * see them.
 */
import {
  type CallCountsQuery,
  type CallsQuery,
  formatTime,
  HubError,
  type LoggedCall,
  mustParseTime,
} from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { readPage } from '../../../store/filtered-page.ts'
import type { Page } from '../../../store/page.ts'
import { type Call, noSite, sightOf } from '../../access/caller.ts'
import { type CallFilter, type ListedCall, selectCall, selectCalls } from './call-list-rows.ts'

export async function listCalls(
  hub: Hub,
  call: Call,
  asked: CallsQuery,
): Promise<Page<LoggedCall>> {
  const list = { vault: hub.vault, siteId: call.caller.siteId, name: 'calls' }
  const { rows, next } = await readPage(
    list,
    asked,
    (filter, part) =>
      selectCalls(hub.db.read, sightOf(call, filter.siteId), filterOf(filter), part),
    (row) => [row.called_at, row.call_id],
  )
  return { items: rows.map(describe), ...(next && { next }) }
}

export async function findCall(hub: Hub, call: Call, traceId: string): Promise<LoggedCall> {
  const sight = sightOf(call)
  const row = await selectCall(hub.db.read, sight, traceId)
  if (!row) throw new HubError('CALL_NOT_FOUND', { traceId })
  const { call_body: callBody, answer_body: answerBody } = row
  if (sight === undefined) return describe(row)
  return {
    ...describe(row),
    ...(callBody !== null && { callBody }),
    ...(answerBody !== null && { answerBody }),
  }
}

export const filterOf = (asked: CallCountsQuery): CallFilter => ({
  jobId: asked.jobId,
  code: asked.code,
  status: asked.statusCode,
  statusClass: asked.statusClass,
  clientId: asked.client,
  route: asked.route && storedRoute(asked.route),
  without: asked.without,
  since: asked.since === undefined ? undefined : mustParseTime(asked.since),
  until: asked.until === undefined ? undefined : mustParseTime(asked.until),
})

/** `/v2/jobs/{jobId}` is how people write `/v2/jobs/:jobId`. */
const storedRoute = (route: string): string => route.replaceAll('{', ':').replaceAll('}', '')

const describe = (row: ListedCall): LoggedCall => ({
  traceId: row.trace_id,
  time: formatTime(row.called_at),
  method: row.method,
  route: row.route,
  ...(row.ids !== null && { ids: JSON.parse(row.ids) as Record<string, string> }),
  ...(row.job_id !== null && { jobId: row.job_id }),
  ...(row.site_id !== null && row.site_id !== noSite && { siteId: row.site_id }),
  ...(row.client_id !== null && { clientId: row.client_id }),
  address: row.address,
  statusCode: row.status,
  ...(row.error_code !== null && { code: row.error_code }),
  durationMs: row.duration_us / 1_000,
  bytesIn: row.bytes_in,
  bytesOut: row.bytes_out,
  count: row.count,
})
