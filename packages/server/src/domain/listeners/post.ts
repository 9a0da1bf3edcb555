/**
 * The guarded outgoing call, the only one that goes where a caller of ours says (contract, section 7). http and https only;
 * the address is judged as it stands in the URL and again as the resolver gives it, and the socket goes to just that
 * address; redirects are not followed; time and bytes of the answer are bounded, and nothing in it is unpacked.
 */
import dns from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { HubError, limits } from '@dragoman/contract'
import type { Agent, request } from 'undici'
import type { Hub } from '../../hub.ts'
import { version } from '../../version.ts'
import { type Judge, openJudge } from './addresses.ts'

export type Post = {
  readonly url: string
  /** JSON text. */
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
  /** For everything, from the lookup to the last byte of the answer; 10 s unless said. */
  readonly timeoutMs?: number
  /** As much of the answer is read; 64 KiB unless said. */
  readonly maxBytes?: number
}

export type Posted =
  | {
      readonly answered: true
      readonly status: number
      /** As it came, still packed if it was. */
      readonly body: Buffer
      /** False where the answer was longer than was read, or broke off. */
      readonly whole: boolean
      readonly headers: { readonly retryAfter?: string; readonly date?: string }
    }
  | { readonly answered: false; readonly error: string }

/** From the lookup to the end of the TLS handshake. */
const connectMs = 5_000
const forbidden = 'ERR_ADDRESS_FORBIDDEN'

const judges = new WeakMap<Hub, Judge>()

function judgeOf(hub: Hub): Judge {
  const judge = judges.get(hub) ?? openJudge(hub.config.listenerAllow)
  judges.set(hub, judge)
  return judge
}

type Line = { readonly agent: Agent; readonly request: typeof request }
const lines = new WeakMap<Hub, Promise<Line>>()

/** The client is loaded with the first call: a hub that has nobody to call starts without it. */
function lineOf(hub: Hub): Promise<Line> {
  const known = lines.get(hub)
  if (known) return known
  const connect = { timeout: connectMs, lookup: guardedLookup(judgeOf(hub)) }
  const opened = import('undici').then((undici) => ({
    agent: new undici.Agent({ connect, connections: 64, pipelining: 1, maxHeaderSize: 32 * 1024 }),
    request: undici.request,
  }))
  lines.set(hub, opened)
  return opened
}

/** What the resolver gives is judged here, and only what was judged is handed to the socket: there is no second lookup. */
const guardedLookup =
  (judge: Judge): LookupFunction =>
  (name, options, done) => {
    dns.lookup(name, { ...options, all: true }, (error, addresses) => {
      if (error) return done(error, '')
      const open = addresses.filter(({ address }) => judge(address) === undefined)
      const [first] = open
      if (!first) {
        const why = addresses.map(({ address }) => judge(address))[0] ?? 'has no address'
        return done(Object.assign(new Error(why), { code: forbidden }), '')
      }
      if (options.all) return done(null, open)
      done(null, first.address, first.family)
    })
  }

/** At creation: schemes, literal addresses, credentials. Names are judged at each call. */
export function mustBeAllowedUri(hub: Hub, uri: string): void {
  const because = forbiddenBecause(hub, uri)
  if (because) throw new HubError('LISTENER_URI_FORBIDDEN', { uri, because })
}

export const forbiddenBecause = (hub: Hub, uri: string): string | undefined => faultOf(judgeOf(hub), uri)

/** What is wrong with the URL itself. The parser has made one spelling of every literal: decimal, hex, octal, short. */
function faultOf(judge: Judge, uri: string): string | undefined {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (!url) return 'it is not a whole address.'
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `${url.protocol} is not http or https.`
  if (url.username || url.password) return 'it carries credentials.'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (!isIP(host)) return undefined
  const why = judge(host)
  return why && `${host} ${why}.`
}

export async function postGuarded(hub: Hub, post: Post): Promise<Posted> {
  const { url, body, timeoutMs = limits.deliveryTimeoutMs, maxBytes = limits.deliveryAnswerBytes } = post
  const fault = forbiddenBecause(hub, url)
  if (fault) return { answered: false, error: `The call was not made: ${fault}` }
  const { agent, request } = await lineOf(hub)
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), timeoutMs)
  try {
    const answer = await request(url, {
      dispatcher: agent,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': `Dragoman/${version}`, ...post.headers },
      body,
      signal: late.signal,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    const read = await readHead(answer.body, maxBytes)
    const { 'retry-after': retryAfter, date } = answer.headers
    return {
      answered: true,
      status: answer.statusCode,
      ...read,
      headers: {
        ...(typeof retryAfter === 'string' && { retryAfter }),
        ...(typeof date === 'string' && { date }),
      },
    }
  } catch (error) {
    return { answered: false, error: late.signal.aborted ? `No answer within ${timeoutMs / 1000} s.` : tell(error) }
  } finally {
    clearTimeout(timer)
  }
}

/** The first bytes; what follows is not waited for, and its connection is closed. */
async function readHead(body: AsyncIterable<Buffer>, most: number): Promise<{ body: Buffer; whole: boolean }> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, most - size))
      size += chunk.length
      if (size > most) return { body: Buffer.concat(chunks), whole: false }
    }
  } catch {
    return { body: Buffer.concat(chunks), whole: false }
  }
  return { body: Buffer.concat(chunks), whole: true }
}

/** For the log that the caller reads: what happened, and nothing of our network. */
const says: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was broken off.',
  UND_ERR_SOCKET: 'The connection was broken off.',
  EPIPE: 'The connection was broken off.',
  ENOTFOUND: 'The name could not be resolved.',
  EAI_AGAIN: 'The name could not be resolved just now.',
  UND_ERR_CONNECT_TIMEOUT: `No connection within ${connectMs / 1000} s.`,
  ETIMEDOUT: `No connection within ${connectMs / 1000} s.`,
  EHOSTUNREACH: 'The address cannot be reached.',
  ENETUNREACH: 'The address cannot be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too large.',
}

function tell(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === forbidden) return `The call was not made: the name leads to an address that ${message}.`
  if (code && Object.hasOwn(says, code)) return `${says[code]} (${code})`
  if (code?.startsWith('HPE_')) return `The answer is not HTTP. (${code})`
  if (code && /CERT|SIGNED|ERR_TLS|ERR_SSL|EPROTO|ISSUER/.test(code)) return `TLS failed. (${code})`
  return `The call failed.${code ? ` (${code})` : ''}`
}
