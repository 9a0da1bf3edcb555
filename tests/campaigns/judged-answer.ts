/**
 * What a response to an attacker must never be. Each finding is a sentence; there are none if the
 * response is right.
 */
import { type Endpoint, type ErrorCode, errors } from '@dragoman/contract'
import { ownKeywords } from '@dragoman/docs/reference'
import { Ajv, type ValidateFunction } from 'ajv'
import { page } from '../../packages/contract/src/schemas/parts.ts'
import type { AttackAnswer } from './attack-call.ts'

/** Stack traces, our paths, and database error messages. */
const inside =
  /node_modules|\bat [^\n]{1,200}\.[jt]s:\d+|\/packages\/server\/|SQLITE_[A-Z]+|syntax error at or near|invalid byte sequence|violates (?:unique|check|not-null|foreign)|relation "\w+"|\bselect "[a-z_]+"|TypeError|RangeError|ReferenceError/

export type Judge = {
  /** Texts that only another site, or nobody, may read. */
  readonly never: readonly string[]
}

/** Checks the text of a response against everything that must not appear. */
export function judgeTexts({ text, headers }: AttackAnswer, { never }: Judge): string[] {
  const all = `${text}\n${[...headers.values()].join('\n')}`
  const shown = inside.exec(all)
  const secret = never.find((one) => all.includes(one))
  return [
    ...(shown ? [`shows the inside: ${shown[0]}`] : []),
    ...(secret === undefined ? [] : [`shows what is not for this caller: ${secret.slice(0, 12)}…`]),
  ]
}

/**
 * A REST refusal: the error object and nothing else, with the status of its code; `may` are the
 * codes of the call.
 */
export function judgeRefusal(answer: AttackAnswer, may?: readonly ErrorCode[]): string[] {
  const { status, headers, text } = answer
  if (status < 400) return []
  if (!headers.get('content-type')?.startsWith('application/json'))
    return [`is ${headers.get('content-type')}, not JSON`]
  const problem = parsed(text) as Partial<Record<string, unknown>> | undefined
  if (typeof problem !== 'object' || problem === null) return ['is no JSON object']
  const { code, message, traceId, details } = problem
  const known =
    typeof code === 'string' && Object.hasOwn(errors, code) ? (code as ErrorCode) : undefined
  const isBusy = status === 503 && headers.has('retry-after')
  const late = status === 408 || status === 431
  return [
    ...(status >= 500 && !isBusy ? [`is ${status} ${String(code)}`] : []),
    ...(known === undefined ? [`has the code ${JSON.stringify(code)}, which is none`] : []),
    ...(known !== undefined && errors[known].status !== status && !late
      ? [`is ${status}, but ${known} is not`]
      : []),
    ...(known !== undefined && may && !may.includes(known)
      ? [`is ${known}, which the call does not name`]
      : []),
    ...(typeof message === 'string' && message !== '' ? [] : ['has no message']),
    ...(traceId === headers.get('x-request-id')
      ? []
      : ['has another traceId than its x-request-id']),
    ...(details === undefined || isDetails(details) ? [] : ['has details of another form']),
  ]
}

const ajv = new Ajv({ validateFormats: false, strict: false, keywords: [...ownKeywords] })
const checks = new Map<string, ValidateFunction>()

/** A success has the form that the endpoint promises. */
export function judgeForm(answer: AttackAnswer, endpoint: Endpoint): string[] {
  // A file is of its own form.
  if (answer.status >= 300 || endpoint.gives) return []
  const body = parsed(answer.text)
  if (body === undefined) return ['is no JSON']
  const check = checks.get(endpoint.call) ?? ajv.compile(formOf(endpoint))
  checks.set(endpoint.call, check)
  return check(body) ? [] : [`has another form: ${ajv.errorsText(check.errors)}`]
}

const formOf = ({ answers, collection }: Endpoint): object =>
  collection === undefined ? answers : page(collection, answers)

const isDetails = (details: unknown): boolean =>
  Array.isArray(details) &&
  details.every(
    (one) =>
      typeof one?.path === 'string' && typeof one?.message === 'string' && one.message !== '',
  )

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
