/**
 * What an error of the upstream means for the job: a refusal that no later try changes, a pause it
 * asks for, or a passing fault.
 */
import { type ErrorCode, errors, findMove, isRetryable, requestMoves } from '@dragoman/contract'
import { moveRequests } from '../jobs/requests/move-requests.ts'
import { readRequests } from '../jobs/requests/requests-of-job.ts'
import type { SentOn } from '../jobs/sent-on.ts'
import { type SyncRun, saveStep } from './sync-run.ts'

type RemoteError = Error & {
  readonly status: number
  readonly retryAfter?: number
  readonly code: string
}

const isRemoteError = (error: unknown): error is RemoteError =>
  error instanceof Error && 'status' in error && typeof error.status === 'number'

/** The longest pause that an upstream may ask for. */
const mostMs = 3_600_000

export type Refusal = { readonly isFinal: boolean; readonly retryAfterMs?: number }

/** Undefined if the error is not the upstream's. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (!isRemoteError(error)) return undefined
  const { status, retryAfter, code } = error
  const pause =
    retryAfter === undefined
      ? {}
      : { retryAfterMs: Math.min(mostMs, Math.ceil(retryAfter * 1_000)) }
  if (status === 429) return { isFinal: false, retryAfterMs: 1_000, ...pause }
  // Credentials can be corrected on either side; what is under way there stays.
  const isPassing =
    status === 0 ||
    status >= 500 ||
    status === 401 ||
    status === 403 ||
    status === 408 ||
    status === 425
  if (isPassing || passing.has(code) || mayRepeat(code)) return { isFinal: false, ...pause }
  return { isFinal: true }
}

/** Such as a call with our Idempotency-Key that a node there was killed in. */
const mayRepeat = (code: string): boolean =>
  Object.hasOwn(errors, code) && isRetryable(code as ErrorCode)

/** Other conflicts that end by themselves or by what an operator of the upstream does. */
const passing = new Set([
  'IDEMPOTENCY_CONFLICT',
  'JOB_ARCHIVED',
  'QUOTA_EXCEEDED',
  'PROVIDER_DISABLED',
  'REQUEST_NOT_IN_REVIEW',
  'TRANSLATION_NOT_READY',
])

export function sentenceOf(error: unknown): string {
  if (!isRemoteError(error))
    return 'The hub failed while it sent this on; the reason is in its log.'
  if (error.status === 401 || error.status === 403)
    return `The upstream refuses the credentials of its provider here: ${error.message}`
  if (error.code === 'JOB_NOT_FOUND') return `The upstream no longer has this job: ${error.message}`
  return error.status === 0
    ? error.message
    : `The upstream answered ${error.status}: ${error.message}`
}

const everyRequest = 1_000_000

/** One update for all requests that still wait. */
export const failAll = (
  run: SyncRun,
  errorMessage: string,
  more: Partial<SentOn>,
): Promise<SyncRun> =>
  saveStep(run, async (change, { job }) => {
    const all = await readRequests(change.tx, job.site_id, job.job_id, { limit: everyRequest })
    const waiting = all.filter(
      ({ status }) => status !== 'TRANSLATION_APPROVED' && findMove(requestMoves, status, 'fail'),
    )
    if (waiting.length > 0)
      await moveRequests(
        change,
        job,
        waiting.map((request) => ({ request })),
        { on: 'fail', errorMessage },
      )
    return more
  })
