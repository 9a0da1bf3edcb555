/**
 * What an error of the upstream means for the job: a refusal that no later try changes, a pause it
 * asks for, or a passing fault.
 */
import { type ErrorCode, findMove, requestMoves } from '@dragoman/contract'
import { plainText } from '../../process/parse.ts'
import { moveRequests } from '../jobs/requests/move-requests.ts'
import { readLight } from '../jobs/requests/requests-of-job.ts'
import type { SentOn } from '../jobs/sent-on.ts'
import { WrongAnswer } from './remote-shapes.ts'
import { type SyncRun, saveStep } from './sync-run.ts'

type RemoteError = Error & {
  readonly status: number
  readonly retryAfter?: number
  readonly code: string
  /** The body of the answer. */
  readonly also?: { readonly code?: unknown }
}

const isRemoteError = (error: unknown): error is RemoteError =>
  error instanceof Error && 'status' in error && typeof error.status === 'number'

/** The longest pause that an upstream may ask for. */
const mostMs = 3_600_000

export type Refusal = { readonly isFinal: boolean; readonly retryAfterMs?: number }

/** Undefined if the error is not the upstream's. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof WrongAnswer) return { isFinal: false }
  if (!isRemoteError(error)) return undefined
  const { status, retryAfter } = error
  const pause =
    retryAfter === undefined
      ? {}
      : { retryAfterMs: Math.min(mostMs, Math.ceil(retryAfter * 1_000)) }
  if (status === 429) return { isFinal: false, retryAfterMs: 1_000, ...pause }
  return saidByHub(error, final) ? { isFinal: true } : { isFinal: false, ...pause }
}

/**
 * Whether it is the error object of a hub with one of these codes. What a proxy says, or an error
 * whose code the client made of its status, says nothing about the job.
 */
function saidByHub({ code, also }: RemoteError, codes: ReadonlySet<ErrorCode>): boolean {
  return also?.code === code && codes.has(code as ErrorCode)
}

/**
 * What no later try changes. All else is tried again: it ends by itself, or by what an operator
 * of either side does.
 */
const final = new Set<ErrorCode>([
  'INVALID_REQUEST',
  'INVALID_PARAMETER',
  'INVALID_LANGUAGE',
  'INVALID_TRANSITION',
  'METADATA_INVALID',
  'LANGUAGES_UNSUPPORTED',
  'PROVIDER_REQUIRED',
  'PROVIDER_NOT_FOUND',
  'JOB_NOT_FOUND',
  'JOB_ALREADY_SUBMITTED',
  'JOB_EMPTY',
  'FILE_TOO_LARGE',
  'CONTENT_TOO_LARGE',
  'UPSTREAM_LOOP',
])

const missing = new Set<ErrorCode>(['JOB_NOT_FOUND'])

/** Whether the upstream says that it has no such job. */
export const isMissing = (error: unknown): boolean =>
  isRemoteError(error) && saidByHub(error, missing)

export const refusesCredentials = (error: unknown): boolean =>
  isRemoteError(error) && (error.status === 401 || error.status === 403)

export const sentenceOf = (error: unknown): string => plainText(sentenceIn(error), mostSentence)
const mostSentence = 2_000

function sentenceIn(error: unknown): string {
  if (error instanceof WrongAnswer) return error.message
  if (!isRemoteError(error))
    return 'The hub failed while it sent this on; the reason is in its log.'
  if (refusesCredentials(error))
    return `The upstream refuses the credentials of its provider here: ${error.message}`
  if (error.code === 'JOB_NOT_FOUND') return `The upstream no longer has this job: ${error.message}`
  return error.status === 0
    ? error.message
    : `The upstream answered ${error.status}: ${error.message}`
}

/** One update for all requests that still wait. */
export const failAll = (
  run: SyncRun,
  errorMessage: string,
  more: Partial<SentOn>,
): Promise<SyncRun> =>
  saveStep(run, async (change, { job }) => {
    const all = await readLight(change.tx, job.site_id, job.job_id)
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
