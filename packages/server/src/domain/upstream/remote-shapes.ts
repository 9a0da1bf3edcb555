/**
 * What an upstream answers, read as strangers' words: only the members that are used, of the type
 * that they have here. Anything else is a fault of the upstream, never a value in a row.
 */
import { type Job, type JobRequest, jobStatuses, requestStatuses } from '@dragoman/contract'
import { isObject, plainText } from '../../process/parse.ts'

/** The upstream answered with something that this interface does not have. */
export class WrongAnswer extends Error {
  override readonly name = 'WrongAnswer'
}

export type RemoteJob = Pick<Job, 'jobId' | 'statusCode' | 'hasError' | 'archived'> & {
  readonly latestErrorMessage?: string
}
export type RemoteRequest = Pick<
  JobRequest,
  'requestId' | 'statusCode' | 'hasError' | 'modifiedDate' | 'targetNativeLanguageCode'
> & { readonly latestErrorMessage?: string }

/** The longest sentence that is stored. */
const mostMessage = 2_000
const mostId = 200

export function remoteJobIn(answer: unknown): RemoteJob {
  const told = objectIn(answer, 'job')
  return {
    jobId: idIn(told, 'jobId'),
    statusCode: stateIn(told, jobStatuses),
    archived: told.archived === true,
    ...errorIn(told),
  }
}

export function remoteRequestIn(answer: unknown): RemoteRequest {
  const told = objectIn(answer, 'request')
  return {
    requestId: idIn(told, 'requestId'),
    statusCode: stateIn(told, requestStatuses),
    modifiedDate: idIn(told, 'modifiedDate'),
    targetNativeLanguageCode: idIn(told, 'targetNativeLanguageCode'),
    ...errorIn(told),
  }
}

/** An id, a date or a code: a short text that can be kept. */
export function idIn(answer: unknown, name: string): string {
  const value = isObject(answer) ? answer[name] : undefined
  if (typeof value === 'string' && value !== '' && value.length <= mostId && isPlain(value))
    return value
  throw new WrongAnswer(`The upstream answered without a usable ${name}.`)
}
const isPlain = (text: string): boolean => !/[\p{Cc}\p{Cs}]/u.test(text)

/** The sentence of an error, which may be of any type. */
function errorIn(told: Record<string, unknown>): {
  hasError: boolean
  latestErrorMessage?: string
} {
  const { latestErrorMessage: said } = told
  const text = typeof said === 'string' ? plainText(said, mostMessage) : ''
  return {
    hasError: told.hasError === true,
    ...(text !== '' && { latestErrorMessage: text }),
  }
}

function stateIn<State extends string>(
  told: Record<string, unknown>,
  states: readonly State[],
): State {
  const found = states.find((state) => state === told.statusCode)
  if (found !== undefined) return found
  throw new WrongAnswer('The upstream answered with a status that is none.')
}

function objectIn(answer: unknown, what: string): Record<string, unknown> {
  if (isObject(answer)) return answer
  throw new WrongAnswer(`The upstream did not answer with a ${what}.`)
}
