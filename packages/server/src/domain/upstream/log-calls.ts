/**
 * The calls to the upstream in the timeline of a job: those that change something there, fail, or
 * bring news. Equal calls in a row are one entry, so neither polling nor an outage of a week fills
 * it. Paths have no host, no query, and no signed address of a file.
 */
import { limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { MadeCall } from '../engines/drivers/watched-fetch.ts'
import { lockIfAny } from '../jobs/find-job.ts'
import { isJobCall, pathAt } from './addresses.ts'
import {
  forgetOldCalls,
  insertUpstreamCall,
  type NewCall,
  selectLastCall,
  writeTries,
} from './call-rows.ts'

type Of = {
  readonly siteId: string
  readonly jobId: string
  readonly causeId: string
  /** The address of the upstream. */
  readonly url: string
  /** Something changed there since it was last read. */
  readonly hasNews: boolean
  /** The calls before these failed as well. */
  readonly wasFailing: boolean
}

export async function logCalls(hub: Hub, of: Of, calls: readonly MadeCall[]): Promise<void> {
  const { siteId, jobId } = of
  const rows = joined(calls.filter((call) => isShown(call, of)).map((call) => rowOf(call, of)))
  if (rows.length === 0) return
  await hub.db.transact(async (tx) => {
    if (!(await lockIfAny(tx, siteId, jobId))) return
    const [first, ...others] = rows
    const last = of.wasFailing ? await selectLastCall(tx, siteId, jobId) : undefined
    const isSame = first && last && isFailed(first) && isEqual(first, last)
    if (isSame) await writeTries(tx, siteId, last.call_id, last.tries + first.tries)
    for (const row of isSame ? others : rows) await insertUpstreamCall(tx, row)
    await forgetOldCalls(tx, siteId, jobId, limits.upstreamCalls)
  })
}

const isFailed = ({ status }: Pick<NewCall, 'status'>): boolean => status === null || status >= 400

function isShown({ method, url, status }: MadeCall, { url: base, hasNews }: Of): boolean {
  if (status === undefined || status >= 400) return true
  if (!isJobCall(base, url)) return false
  const isReading = method === 'GET' || method === 'HEAD'
  return !isReading || hasNews || pathAt(base, url).transfer !== undefined
}

const rowOf = (call: MadeCall, { siteId, jobId, causeId, url }: Of): NewCall => {
  const { path, transfer } = pathAt(url, call.url)
  return {
    site_id: siteId,
    job_id: jobId,
    called_at: call.calledAt,
    method: call.method,
    path: transfer === undefined ? path.slice(0, longestPath) : '/fms/…',
    status: call.status ?? null,
    error: call.error ?? null,
    duration_us: call.durationUs,
    tries: 1,
    trace_id: traceIn(call.headers),
    cause_id: causeId,
  }
}

const longestPath = 200

/** As every hub writes it; anything else is left out. */
function traceIn(headers: Headers): string | null {
  const given = headers.get('x-request-id') ?? ''
  return given.length <= limits.traceIdCharacters && /^[\w.-]+$/.test(given) ? given : null
}

type Told = Pick<NewCall, 'method' | 'path' | 'status' | 'error'>
const isEqual = (one: Told, other: Told): boolean =>
  one.method === other.method &&
  one.path === other.path &&
  one.status === other.status &&
  one.error === other.error

function joined(rows: readonly NewCall[]): NewCall[] {
  const all: NewCall[] = []
  for (const row of rows) {
    const before = all.at(-1)
    if (before && isEqual(before, row))
      all[all.length - 1] = {
        ...before,
        tries: before.tries + 1,
        duration_us: before.duration_us + row.duration_us,
      }
    else all.push(row)
  }
  return all
}
