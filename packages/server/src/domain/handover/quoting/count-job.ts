/**
 * Counts a job's words by band without a price list (contract, section 11, Queries). Writes
 * nothing.
 */
import type { Band, JobWords } from '@dragoman/contract'
import { noCounts, weightedWords } from '@dragoman/text/counting'
import type { Hub } from '../../../hub.ts'
import type { Call } from '../../access/caller.ts'
import { mustReach } from '../../jobs/job-activity.ts'
import { bandRequests } from './band-requests.ts'
import { requestsOf } from './quote-job.ts'

/** The bands that most translation tools count by. */
export const usualBands: Band[] = [
  { name: 'Repetition', kind: 'Repetition', factor: '1' },
  { name: 'Context', kind: 'Context', factor: '1' },
  { name: 'Exact', kind: 'Exact', factor: '1' },
  { name: '95-99', kind: 'Fuzzy', minPercent: 95, maxPercent: 99, factor: '1' },
  { name: '85-94', kind: 'Fuzzy', minPercent: 85, maxPercent: 94, factor: '1' },
  { name: '75-84', kind: 'Fuzzy', minPercent: 75, maxPercent: 84, factor: '1' },
  { name: 'New', kind: 'New', factor: '1' },
]

export const countJobWords = (hub: Hub, call: Call, jobId: string): Promise<JobWords> =>
  countWordsIn(hub, call.caller.siteId, jobId, call)

/** The same for the hub itself. */
export async function countWordsIn(
  hub: Hub,
  siteId: string,
  jobId: string,
  call: Pick<Call, 'gone'> = {},
): Promise<JobWords> {
  const job = await mustReach(hub.db.read, siteId, jobId)
  const requests = await requestsOf(hub.db.read, job)
  const banded = await bandRequests(hub, { bands: usualBands }, requests, call)
  const lines: JobWords['lines'] = []
  const warnings: string[] = []
  for (const { request_id: requestId, request_name: name, target_language } of requests) {
    const found = banded.get(requestId) ?? { because: 'it was not counted' }
    if ('because' in found) {
      warnings.push(`Request ${requestId} (${name}) is not counted: ${found.because}.`)
      continue
    }
    const bands = usualBands.map((band) => ({
      name: band.name,
      words: weightedWords(found.tallies.get(band.name)?.counts ?? noCounts),
    }))
    lines.push({ requestId, targetNativeLanguageCode: target_language, bands })
  }
  return { jobId, lines, ...(warnings.length > 0 && { warnings }) }
}
