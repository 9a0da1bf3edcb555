/** The columns of the endpoint table, and what follows from the shape of a row alone. */
import type { TSchema } from 'typebox'
import type { ErrorCode } from '../errors.ts'
import { limits } from '../limits.ts'
import type { Role } from '../schemas/console/role.ts'
import type { Scope } from '../schemas/token.ts'
import { type Method, methodOf } from './call-path.ts'

/** The specification's name, where it has one. */
export type Tag =
  | 'Providers'
  | 'Jobs'
  | 'Requests'
  | 'FileTransfer'
  | 'SupportAssets'
  | 'TranslationMemory'
  | 'StatusUpdates'
  | 'Listeners'
  | 'ProviderSide'
  | 'Desk'
  | 'Settings'
  | 'Quota'
  | 'Operating'
  | 'Console'

export type Endpoint = {
  /** Method and path below /v2. */
  readonly call: `${Method} /${string}`
  readonly says: string
  readonly tag: Tag
  /**
   * Who may call: `admin` always may; `any` requires only a valid token; of several scopes one is
   * enough.
   */
  readonly scope: Scope | 'any' | readonly Scope[]
  /**
   * The people who may call it from the console; by default this follows from scope and method
   * (`rolesOf`).
   */
  readonly roles?: readonly Role[]
  /**
   * About the work of providers: people whose roles are limited to some providers may call it, and
   * see no more than that.
   */
  readonly work?: true
  /** In the console, needs no session: it is used to get one. */
  readonly open?: true
  /** In the console, needs a session that was confirmed in the last few minutes. */
  readonly confirm?: true
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** The body is optional. */
  readonly bodyOptional?: true
  /** The largest body; 2 MiB by default. */
  readonly bodyBytes?: number
  /**
   * The body is a file in one of these media types, of any size: the handler gets its bytes as they
   * arrive. JSON as well, if there is a `body`.
   */
  readonly takes?: readonly string[]
  /** The response is a file in one of these media types. */
  readonly gives?: readonly string[]
  /** The response; for a collection, one item. */
  readonly answers: TSchema
  readonly status?: number
  /** A different status for a response that has this member. */
  readonly statusWith?: Readonly<Record<string, number>>
  /** The name of the collection: the response then has the page form. */
  readonly collection?: string
  /** False if the collection is returned whole. */
  readonly paged?: false
  /** The errors of this call, besides those of every call. */
  readonly fails: readonly ErrorCode[]
  /** The successor of a deprecated call. */
  readonly deprecated?: string
  /** The response is a 307 with a Location. */
  readonly redirects?: true
  /** A POST that only asks: an Idempotency-Key is not needed. */
  readonly asks?: true
}

/** Lets the compiler check rows while keeping their exact types. */
export const rows = <const R extends Record<string, Endpoint>>(table: R) => table

export function statusOf(endpoint: Endpoint): number {
  return endpoint.redirects ? 307 : (endpoint.status ?? 200)
}

/** All success statuses. */
export function successesOf(endpoint: Endpoint): number[] {
  return [statusOf(endpoint), ...Object.values(endpoint.statusWith ?? {})]
}

/** The status of this response. */
export function statusFor(endpoint: Endpoint, answer: object): number {
  const special = Object.entries(endpoint.statusWith ?? {}).find(([member]) => member in answer)
  return special?.[1] ?? statusOf(endpoint)
}

export function scopesOf(endpoint: Pick<Endpoint, 'scope'>): readonly (Scope | 'any')[] {
  return typeof endpoint.scope === 'string' ? [endpoint.scope] : endpoint.scope
}

export function bodyBytesOf(endpoint: Endpoint): number {
  return endpoint.bodyBytes ?? limits.jsonBytes
}

/**
 * The maximum number of values in the body. No valid call needs that many, so a larger body is
 * refused before it is parsed.
 */
export function bodyValuesOf(endpoint: Endpoint): number {
  return bodyBytesOf(endpoint) > limits.jsonBytes ? limits.requestsJsonValues : limits.jsonValues
}

const keyed: readonly string[] = ['POST', 'PUT', 'PATCH'] satisfies Method[]

/** Whether an Idempotency-Key gives the call its effect once. */
export const takesKey = (endpoint: Endpoint): boolean =>
  keyed.includes(methodOf(endpoint)) && !endpoint.asks

/** Every error that the call can return: its own and those that follow from its shape. */
export function failsOf(endpoint: Endpoint): ErrorCode[] {
  const all = new Set<ErrorCode>(endpoint.fails)
  all
    .add('UNAUTHORIZED')
    .add('FORBIDDEN')
    .add('RATE_LIMITED')
    .add('INTERNAL')
    .add('SERVICE_UNAVAILABLE')
  if (endpoint.tag === 'Console' && !endpoint.open) all.add('SIGN_IN_NEEDED')
  if (endpoint.confirm) all.add('CONFIRM_NEEDED')
  if (endpoint.params || endpoint.query) all.add('INVALID_PARAMETER')
  if (endpoint.collection && endpoint.paged !== false) all.add('INVALID_CURSOR')
  if (endpoint.body || endpoint.takes)
    all.add('INVALID_REQUEST').add('CONTENT_TOO_LARGE').add('UNSUPPORTED_MEDIA_TYPE')
  // An Idempotency-Key may be invalid, used for another call, or still in progress.
  if (takesKey(endpoint))
    all.add('INVALID_PARAMETER').add('IDEMPOTENCY_CONFLICT').add('IDEMPOTENCY_IN_PROGRESS')
  return [...all]
}
