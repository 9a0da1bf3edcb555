/**
 * One call to the hub: with token, retries, JSON parsing and a log entry. A POST carries an
 * Idempotency-Key that stays the same over its retries, so that it takes effect once.
 */
import type { HubError, Method } from '@dragoman/contract/wire'
import {
  type LongAnswers,
  parsedOrNone,
  readJson,
  readText,
  smallAnswerBytes,
  usualAnswerBytes,
} from './bounded.ts'
import { now } from './clock.ts'
import { failureOf, unreachable } from './failures.ts'
import type { Log } from './log.ts'
import { openPatience } from './patience.ts'
import type { Retries } from './retry.ts'
import type { Tokens } from './token.ts'

export type CallOptions = {
  readonly signal?: AbortSignal
  /**
   * The Idempotency-Key of a POST; reuse it after a restart of the process to repeat the call
   * safely.
   */
  readonly key?: string
  /** More pages of a list than this are an error. Unlimited by default. */
  readonly mostPages?: number
}

export type Call = CallOptions & {
  readonly method: Method
  /** Below the hub's URL: `/v2/jobs`. */
  readonly path: string
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  /** The type of a body that is a file; other bodies are sent as JSON. */
  readonly contentType?: string
  readonly accept?: string
  /** Besides those of every call. */
  readonly headers?: Readonly<Record<string, string>>
  readonly redirect?: 'follow' | 'manual'
  /**
   * A file takes as long as it takes: the timeout is for the first byte of the response, or not for
   * one that is sent.
   */
  readonly file?: 'given' | 'taken'
}

export type Transport = {
  readonly url: string
  readonly fetch: typeof globalThis.fetch
  readonly retries: Retries
  readonly log: Log
  readonly timeoutMs: number
  /** The most bytes that are read of one answer in JSON. */
  readonly mostAnswerBytes?: number
  readonly longAnswers?: LongAnswers
  /** The raw response, unless it is an error; one 401 is retried with a new token. */
  send(call: Call): Promise<Response>
  /** The same, parsed as JSON; a truncated response is requested again. */
  ask(call: Call): Promise<unknown>
}

export type TransportParts = Omit<Transport, 'send' | 'ask'> & { readonly tokens: Tokens }

export function openTransport(parts: TransportParts): Transport {
  const { retries, tokens } = parts
  const repeat = <T>(call: Call, read: (answer: Response) => Promise<T>): Promise<T> => {
    const key = call.method === 'POST' ? (call.key ?? newKey()) : undefined
    return retries.run(async (attempt) => {
      const token = await orAborted(tokens.get(), call.signal)
      const answer = await sendOnce(parts, call, { attempt, token, key })
      if (answer.status !== 401) return read(await mustSucceed(parts, call, answer))
      // Revoked early, or the hub's clock has moved: retry once with a new token.
      tokens.drop(token)
      await answer.body?.cancel()
      const next = await orAborted(tokens.get(), call.signal)
      return read(
        await mustSucceed(parts, call, await sendOnce(parts, call, { attempt, token: next, key })),
      )
    }, call.signal)
  }
  const send = (call: Call) => repeat(call, async (answer) => answer)
  const ask = (call: Call): Promise<unknown> =>
    repeat({ accept: 'application/json', ...call }, (answer) =>
      readJson(answer, {
        most: parts.mostAnswerBytes ?? usualAnswerBytes,
        where: parts.url,
        ...(parts.longAnswers && { longAnswers: parts.longAnswers }),
      }).catch((error: unknown) => {
        call.signal?.throwIfAborted()
        throw error
      }),
    )
  return { ...parts, send, ask }
}

/** Other callers may wait for the same promise, so aborting affects only this one. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, refuse) => {
    const leave = () => refuse(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    promise.then(resolve, refuse).finally(() => signal.removeEventListener('abort', leave))
  })
}

type Attempt = {
  readonly attempt: number
  readonly token: string
  readonly key: string | undefined
}

async function sendOnce(
  parts: TransportParts,
  call: Call,
  { attempt, token, key }: Attempt,
): Promise<Response> {
  const begun = now()
  const { method, path } = call
  const headers = {
    ...call.headers,
    authorization: `Bearer ${token}`,
    accept: call.accept ?? 'application/json',
    ...(call.body !== undefined && { 'content-type': call.contentType ?? 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
  }
  const patience = openPatience(parts.timeoutMs, call.signal)
  const signals = { given: patience.begin, taken: () => call.signal ?? null }
  try {
    const answer = await parts.fetch(addressOf(parts.url, call), {
      method,
      headers,
      ...(call.body !== undefined && {
        body: call.contentType ? (call.body as string) : JSON.stringify(call.body),
      }),
      ...(call.redirect && { redirect: call.redirect }),
      signal: call.file ? signals[call.file]() : within(parts.timeoutMs, call.signal),
    })
    const traceId = answer.headers.get('x-request-id') ?? undefined
    parts.log({
      method,
      path,
      status: answer.status,
      attempt,
      begun,
      ...(traceId !== undefined && { traceId }),
    })
    return answer
  } catch (error) {
    parts.log({ method, path, status: 0, attempt, begun })
    call.signal?.throwIfAborted()
    throw unreachable(parts.url, error)
  } finally {
    patience.end()
  }
}

/** The caller's own signal combined with a timeout. */
export function within(ms: number, signal?: AbortSignal): AbortSignal {
  return signal ? AbortSignal.any([signal, AbortSignal.timeout(ms)]) : AbortSignal.timeout(ms)
}

async function mustSucceed(parts: TransportParts, call: Call, answer: Response): Promise<Response> {
  // A browser reports a redirect that it does not follow with status 0. Only a download asks for a
  // link: any other redirect comes from something between the client and the hub.
  const isLink = answer.status === 307 && call.redirect === 'manual'
  if (answer.ok || isLink || answer.type === 'opaqueredirect') return answer
  throw await readFailure(answer, parts.url)
}

export async function readFailure(answer: Response, where: string): Promise<HubError> {
  const text = await readText(answer, { most: smallAnswerBytes, where }).catch(() => '')
  return failureOf(answer, parsedOrNone(text), where)
}

/** Lists repeat their parameter; undefined values are left out. */
function addressOf(url: string, { path, query }: Call): string {
  const parameters = new URLSearchParams()
  for (const [name, given] of Object.entries(query ?? {}))
    for (const value of [given].flat())
      if (value !== undefined && value !== null) parameters.append(name, String(value))
  const text = parameters.toString()
  return `${url}${path}${text === '' ? '' : `?${text}`}`
}

/** 128 random bits in hex; `randomUUID` is missing on insecure pages. */
export function newKey(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
