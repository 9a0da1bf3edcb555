/**
 * Waits for a job, polling less and less often. Ends when every request has a translation, was
 * cancelled, or has a permanent error. Returns the requests by state; a provider's error does not
 * throw.
 */
import type { Job, JobRequest, RequestStatus } from '@dragoman/contract/wire'
import type { Calls, Each } from './client.ts'
import { now, pause } from './clock.ts'

export type WaitOptions = {
  readonly signal?: AbortSignal
  /** The first pause between two polls; 1 s by default. */
  readonly everyMs?: number
  /** The longest pause; 60 s by default. */
  readonly mostMs?: number
  /** Overall timeout; none by default. */
  readonly timeoutMs?: number
  readonly onProgress?: (job: Job) => void
}

export type Waited = {
  /** Their translations can be downloaded. */
  readonly ready: JobRequest[]
  readonly failed: JobRequest[]
  readonly cancelled: JobRequest[]
  /** Still open when the time was up. */
  readonly open: JobRequest[]
}

export type Wait = (jobId: string, options?: WaitOptions) => Promise<Waited>

const translated: readonly RequestStatus[] = ['REVIEW_TRANSLATION', 'TRANSLATION_APPROVED']

export function openWait(calls: Pick<Calls, 'findJob'>, each: Each): Wait {
  return async (
    jobId,
    { signal, everyMs = 1_000, mostMs = 60_000, timeoutMs, onProgress } = {},
  ) => {
    const late = timeoutMs === undefined ? undefined : now() + timeoutMs
    const options = signal && { signal }
    for (let wait = everyMs; ; wait = Math.min(mostMs, wait * 1.5)) {
      const job = await calls.findJob(
        { params: { jobId }, query: { aggregateRequests: true } },
        options,
      )
      onProgress?.(job)
      if (isSettled(job) || (late !== undefined && now() >= late)) break
      await pause(wait, signal)
    }
    const sorted: Waited = { ready: [], failed: [], cancelled: [], open: [] }
    for await (const request of each('listRequests', { params: { jobId } }, options))
      placeOf(request, sorted).push(request)
    return sorted
  }
}

function isSettled({ statusCode, aggregateRequests }: Job): boolean {
  if (statusCode === 'COMPLETED' || statusCode === 'CANCELLED') return true
  if (!aggregateRequests) return false
  const { total, withErrors, byStatusCode } = aggregateRequests
  const closed = [...translated, 'CANCELLED'].reduce(
    (sum, status) => sum + (byStatusCode[status] ?? 0),
    0,
  )
  return total - closed <= withErrors
}

function placeOf({ statusCode, hasError }: JobRequest, sorted: Waited): JobRequest[] {
  if (translated.includes(statusCode)) return sorted.ready
  if (statusCode === 'CANCELLED') return sorted.cancelled
  return hasError ? sorted.failed : sorted.open
}
