/**
 * The access token: requested once and used until shortly before it expires, so that the secret is
 * rarely sent. Concurrent calls share one refresh.
 */
import { HubError, type Token } from '@dragoman/contract/wire'
import { parsedOrNone, readText, smallAnswerBytes } from './bounded.ts'
import { now } from './clock.ts'
import { failureOf, unreachable } from './failures.ts'
import type { Log } from './log.ts'
import type { Retries } from './retry.ts'

export type Credentials = {
  readonly authUrl: string
  readonly clientId: string
  readonly clientSecret: string
  readonly scope?: string
}

export type Tokens = {
  get(): Promise<string>
  /** The hub refused it: the next call requests another. */
  drop(token: string): void
}

/** A token is renewed this long before it expires, or after nine tenths of a short lifetime. */
const marginMs = 60_000

export type TokenLine = {
  readonly fetch: typeof globalThis.fetch
  readonly retries: Retries
  readonly log: Log
  readonly timeoutMs: number
}

export function openTokens(who: Credentials, line: TokenLine): Tokens {
  let held: { token: string; until: number } | undefined
  let asking: Promise<string> | undefined
  const ask = async (): Promise<string> => {
    const begun = now()
    const answer = await line.retries.run((attempt) => askOnce(who, line, attempt))
    const lifeMs = answer.expires_in * 1_000
    held = { token: answer.access_token, until: begun + lifeMs - Math.min(marginMs, lifeMs / 10) }
    return held.token
  }
  return {
    get: () => {
      if (held && held.until > now()) return Promise.resolve(held.token)
      asking ??= ask().finally(() => {
        asking = undefined
      })
      return asking
    },
    drop: (token) => {
      if (held?.token === token) held = undefined
    },
  }
}

/** It is a header of every call. */
const longestToken = 32_768
const tokenPath = '/connect/token'

async function askOnce(
  who: Credentials,
  { fetch, log, timeoutMs }: TokenLine,
  attempt: number,
): Promise<Token> {
  const form = new URLSearchParams({ grant_type: 'client_credentials', client_id: who.clientId })
  form.set('client_secret', who.clientSecret)
  if (who.scope !== undefined) form.set('scope', who.scope)
  const begun = now()
  const write = (status: number, traceId?: string) =>
    log({
      method: 'POST',
      path: tokenPath,
      status,
      attempt,
      begun,
      ...(traceId !== undefined && { traceId }),
    })
  const answer = await fetch(`${who.authUrl}${tokenPath}`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: form,
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    write(0)
    throw unreachable(who.authUrl, error)
  })
  write(answer.status, answer.headers.get('x-request-id') ?? undefined)
  const body = parsedOrNone(await readText(answer, { most: smallAnswerBytes, where: who.authUrl }))
  if (!answer.ok) throw failureOf(answer, body, who.authUrl)
  if (isToken(body)) return body
  throw new HubError('UNAUTHORIZED', {
    because: `${who.authUrl}${tokenPath} answered without a token.`,
  })
}

const isToken = (body: unknown): body is Token =>
  typeof body === 'object' &&
  body !== null &&
  'access_token' in body &&
  typeof body.access_token === 'string' &&
  body.access_token.length <= longestToken &&
  'expires_in' in body &&
  typeof body.expires_in === 'number'
