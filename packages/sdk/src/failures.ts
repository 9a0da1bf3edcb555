/**
 * Every failure as a HubError: the hub's own error object, the token endpoint's, or no response at
 * all. `status` is 0 if there was no response.
 */
import {
  type Also,
  certificateAdvice,
  type Detail,
  type ErrorCode,
  errors,
  HubError,
  heardError,
  isRetryable,
} from '@dragoman/contract/wire'
import { now } from './clock.ts'

/** The error in a response, whose body the caller has read as far as possible. */
export function failureOf(answer: Response, body: unknown, where: string): HubError {
  const told = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const retryAfter = retryAfterOf(answer)
  const more = {
    status: answer.status,
    traceId: textOf(told.traceId) ?? answer.headers.get('x-request-id') ?? undefined,
    ...(Array.isArray(told.details) && { details: told.details as Detail[] }),
    ...(retryAfter !== undefined && { retryAfter }),
    also: told as Also,
  }
  const message = textOf(told.message) ?? textOf(told.error_description)
  if (message !== undefined)
    return heardError(textOf(told.code) ?? codeFor(answer.status), message, more)
  const says = `${where} answered ${answer.status}, and not as a hub does: is this the address of a hub?`
  return heardError(codeFor(answer.status), says, more)
}

/** No response: no connection, or it broke. The sentence includes the network error. */
export function unreachable(where: string, cause: unknown): HubError {
  const reason = reasonOf(cause)
  const remedy = certificateAdvice(reason)
  const says = `The hub at ${where} cannot be reached: ${reason}.${remedy ? ` ${remedy}.` : ''}`
  return heardError('SERVICE_UNAVAILABLE', says, {
    status: 0,
    cause,
  })
}

/**
 * Whether the same call may be repeated after a pause: 429, 50x except 501, and calls without a
 * response.
 */
export function isPassing(error: unknown): error is HubError {
  if (!(error instanceof HubError)) return false
  if (error.status === 0 || error.status === 429) return true
  if (error.status >= 500) return error.status !== 501
  return Object.hasOwn(errors, error.code) && isRetryable(error.code)
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

function codeFor(status: number): ErrorCode {
  const known: Record<number, ErrorCode> = {
    401: 'UNAUTHORIZED',
    403: 'FORBIDDEN',
    404: 'NOT_FOUND',
    410: 'GONE',
    413: 'CONTENT_TOO_LARGE',
    429: 'RATE_LIMITED',
    501: 'NOT_IMPLEMENTED',
    503: 'SERVICE_UNAVAILABLE',
  }
  return known[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_REQUEST')
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function retryAfterOf(answer: Response): number | undefined {
  const text = answer.headers.get('retry-after')?.trim()
  if (!text) return undefined
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - now()) / 1_000)
}

function reasonOf(cause: unknown): string {
  const seen: string[] = []
  for (let at: unknown = cause; at instanceof Error && seen.length < 5; at = at.cause) {
    const code = 'code' in at && typeof at.code === 'string' ? at.code : undefined
    const inside = at instanceof AggregateError ? at.errors.map(reasonOf).join(', ') : ''
    const said =
      at.name === 'TimeoutError'
        ? 'it did not answer in time'
        : (code ?? at.message) || inside || at.name
    if (said !== 'fetch failed') seen.push(said)
  }
  return seen.at(-1) ?? 'there is no connection'
}
