/**
 * Waiting for a job, by asking ever less often. It ends when every request has a translation, was cancelled, or has an
 * error that did not go away; what is in which state is told, nothing is thrown for a provider's trouble.
 */
import type { Job, JobRequest, RequestStatus } from '@dragoman/contract/wire'
import type { Calls, Each } from './client.ts'
import { now, pause } from './clock.ts'

export type WaitOptions = {
  readonly signal?: AbortSignal
  /** The first pause between two questions; 1 s unless given. */
  readonly everyMs?: number
  /** The longest; 60 s unless given. */
  readonly mostMs?: number
  /** How long at all; for ever unless given. */
  readonly timeoutMs?: number
  readonly onProgress?: (job: Job) => void
}

export type Waited = {
  /** Their translations can be had. */
  readonly ready: JobRequest[]
  readonly failed: JobRequest[]
  readonly cancelled: JobRequest[]
  /** Neither of those: the time was up. */
  readonly open: JobRequest[]
}

export type Wait = (jobId: string, options?: WaitOptions) => Promise<Waited>

const translated: readonly RequestStatus[] = ['REVIEW_TRANSLATION', 'TRANSLATION_APPROVED']

export function openWait(calls: Pick<Calls, 'findJob'>, each: Each): Wait {
  return async (jobId, { signal, everyMs = 1_000, mostMs = 60_000, timeoutMs, onProgress } = {}) => {
    const late = timeoutMs === undefined ? undefined : now() + timeoutMs
    const options = signal && { signal }
    for (let wait = everyMs; ; wait = Math.min(mostMs, wait * 1.5)) {
      const job = await calls.findJob({ params: { jobId }, query: { aggregateRequests: true } }, options)
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
  const closed = [...translated, 'CANCELLED'].reduce((sum, status) => sum + (byStatusCode[status] ?? 0), 0)
  return total - closed <= withErrors
}

function placeOf({ statusCode, hasError }: JobRequest, sorted: Waited): JobRequest[] {
  if (translated.includes(statusCode)) return sorted.ready
  if (statusCode === 'CANCELLED') return sorted.cancelled
  return hasError ? sorted.failed : sorted.open
}
