/**
 * Calls to the hub, typed by its endpoint tables: if a field is renamed there, this does not
 * compile. Writes carry the session's CSRF token, and a POST an Idempotency-Key, so that a repeated
 * click takes effect once.
 */
import {
  type Answer,
  type ConsoleEndpoints,
  callTable,
  consoleCallTable,
  type Endpoints,
  type ErrorObject,
  type Input,
} from '@dragoman/contract/wire'
import { prefix } from './page-facts.ts'

export type Calls = Endpoints & ConsoleEndpoints
export type CallName = keyof Calls
type OrUnknown<T> = T extends undefined ? unknown : T
export type CallInput<N extends CallName> = {
  readonly params?: OrUnknown<Input<Calls[N]>['params']>
  readonly query?: Partial<OrUnknown<Input<Calls[N]>['query']>>
  readonly body?: OrUnknown<Input<Calls[N]>['body']>
}
export type CallAnswer<N extends CallName> = Answer<Calls[N]>

/** An error object of the hub; status 0 if the hub could not be reached. */
export class HubFailure extends Error {
  readonly status: number
  readonly code: string
  readonly traceId: string | undefined
  readonly details: ErrorObject['details']
  /** The thing as it is now, with VERSION_CONFLICT. */
  readonly current: ErrorObject['current']
  /** What was found and where, with CHECKS_FAILED. */
  readonly checks: ErrorObject['checks']
  /** In how many seconds the hub, or the proxy before it, wants the call again. */
  readonly retryAfter: number | undefined
  constructor(
    status: number,
    problem: Partial<Omit<ErrorObject, 'code'>> & { readonly code?: string },
    retryAfter?: number,
  ) {
    super(problem.message ?? '')
    this.retryAfter = retryAfter
    this.status = status
    this.code = problem.code ?? (status === 0 ? 'UNREACHABLE' : 'UNKNOWN')
    this.traceId = problem.traceId
    this.details = problem.details
    this.current = problem.current
    this.checks = problem.checks
  }
}

/**
 * Whether the call may still have taken effect: its response was lost, or the hub does not know or
 * is still working on it.
 */
export const isUnknown = (failure: unknown): boolean =>
  failure instanceof HubFailure &&
  (failure.status === 0 || failure.status >= 500 || failure.code === 'IDEMPOTENCY_IN_PROGRESS')

/** What the session adds to each call. */
export const credentials = { siteId: '', csrf: '' }

/**
 * Asks the person to sign in again, or to confirm their identity; resolves to whether they did. The
 * shell sets both. A write then continues by itself, so nothing that was typed is lost.
 */
export const asks: Partial<Record<string, () => Promise<boolean>>> = {}

/**
 * Dispatches every failure: the shell asks to sign in again, or says that the hub cannot be
 * reached.
 */
export const failures = new EventTarget()

export const rowOf = (name: CallName) => {
  const row = callTable[name] ?? consoleCallTable[name]
  if (!row) throw new TypeError(`There is no call ${name}.`)
  return row
}

type CallOptions = {
  readonly signal?: AbortSignal
  readonly key?: string
  /** The call outlives the page. */
  readonly keepalive?: boolean
}

export async function call<N extends CallName>(
  name: N,
  input: CallInput<N> = {},
  options: CallOptions = {},
): Promise<CallAnswer<N>> {
  const [method = '', path = ''] = rowOf(name).call.split(' ')
  const make = () =>
    send(method, fill(path, input.params) + queryOf(input.query), input.body, {
      ...options,
      base: '/console/api',
    })
  const answer = await make().catch(async (failure: HubFailure) => {
    const ask = method === 'GET' ? undefined : asks[failure.code]
    if (ask && (await ask())) return make()
    throw failure
  })
  return (await answer.json()) as CallAnswer<N>
}

/** A call outside the tables, such as those of the sandbox. The path begins at the hub's root. */
export async function callPath<T>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send(method, path, body, { base: '' })
  if (answer.status === 204) return undefined as T
  const isJson = answer.headers.get('content-type')?.includes('json') === true
  return (isJson ? await answer.json() : await answer.text()) as T
}

/** A call over the limit took no effect. If the wait is short, it is sent again without a word. */
const shortWaitSeconds = 2
const mostRefusals = 3

async function send(...given: Parameters<typeof sendOnce>): Promise<Response> {
  const { signal } = given[3]
  for (let refusals = 1; ; refusals += 1) {
    const answer = await sendOnce(...given)
    if (answer.ok) return answer
    const seconds = secondsIn(answer.headers.get('retry-after'))
    const isShort =
      answer.status === 429 && refusals < mostRefusals && (seconds ?? 1) <= shortWaitSeconds
    const problem = (await answer.json().catch(() => ({}))) as Partial<ErrorObject>
    if (!isShort) throw tell(new HubFailure(answer.status, problem, seconds))
    // Calls that were refused together do not come back together.
    await new Promise((resolve) =>
      setTimeout(resolve, ((seconds ?? 1) + Math.random() / 2) * 1_000),
    )
    signal?.throwIfAborted()
  }
}

/** Reads a Retry-After; a date there counts as unset. */
const secondsIn = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Math.max(1, Number(header)) : undefined

async function sendOnce(
  method: string,
  path: string,
  body: unknown,
  { signal, key, keepalive = false, base }: CallOptions & { readonly base: string },
): Promise<Response> {
  const isWrite = method !== 'GET'
  const headers: Record<string, string> = {
    accept: 'application/json',
    ...(credentials.siteId && { 'x-dragoman-site': credentials.siteId }),
    ...(isWrite && { 'content-type': 'application/json', 'x-dragoman-csrf': credentials.csrf }),
    ...(method === 'POST' && base && { 'idempotency-key': key ?? crypto.randomUUID() }),
  }
  const sent = {
    method,
    headers,
    keepalive,
    ...(signal && { signal }),
    ...(isWrite && { body: JSON.stringify(body ?? {}) }),
  }
  return fetch(`${prefix}${base}${path}`, sent).catch((error: unknown) => {
    signal?.throwIfAborted()
    throw tell(new HubFailure(0, { message: String((error as Error).message) }))
  })
}

function tell(failure: HubFailure): HubFailure {
  failures.dispatchEvent(new CustomEvent('failure', { detail: failure }))
  return failure
}

const fill = (path: string, params: unknown): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String((params as Record<string, unknown> | undefined)?.[name] ?? '')),
  )

function queryOf(query: unknown): string {
  const given = Object.entries((query ?? {}) as Record<string, unknown>).filter(
    ([, value]) => value !== undefined && value !== '',
  )
  const text = new URLSearchParams(
    given.flatMap(([name, value]) => [value].flat().map((one) => [name, String(one)])),
  ).toString()
  return text && `?${text}`
}
