/**
 * The guarded outgoing call, used for every address that callers control (contract, section 7).
 * Only http and https; the address is checked in the URL and again after the lookup, and the socket
 * connects to exactly the checked address. Redirects are not followed. Time and response size are
 * limited, and nothing is decompressed.
 */
import dns from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { HubError, limits } from '@dragoman/contract'
import { LRUCache } from 'lru-cache'
import type { Agent } from 'undici'
import type { Hub } from '../hub.ts'
import { perHub } from '../process/caches.ts'
import { version } from '../process/version.ts'
import { type Judge, openJudge } from './addresses.ts'
import { type Exchanged, exchange } from './exchange.ts'

export type Post = {
  readonly url: string
  /** POST unless said. */
  readonly method?: 'POST' | 'GET' | 'DELETE'
  /** JSON text, unless a type is given. */
  readonly body?: string
  readonly contentType?: string
  readonly headers?: Readonly<Record<string, string>>
  /** For the whole call, from lookup to the last byte of the response. Default: 10 s. */
  readonly timeoutMs?: number
  /** The response is read up to this size. Default: 64 KiB. */
  readonly maxBytes?: number
}

export type Posted =
  | Extract<Exchanged, { answered: true }>
  | { readonly answered: false; readonly sent?: boolean; readonly error: string }

/** This long may pass from the lookup to the end of the TLS handshake. */
const connectMs = 5_000
const forbidden = 'ERR_ADDRESS_FORBIDDEN'

const judgeOf = perHub(({ config }: Hub): Judge => openJudge(config.listenerAllow))

/** Loads the HTTP client on first use: a hub without listeners starts faster. */
export const agentOf = perHub((hub: Hub): Promise<Agent> => {
  const connect = { timeout: connectMs, lookup: guardedLookup(judgeOf(hub)) }
  return import('undici').then(
    ({ Agent }) => new Agent({ connect, connections: 64, pipelining: 1, maxHeaderSize: 32 * 1024 }),
  )
})

/**
 * Checks the resolved addresses and passes only allowed ones to the socket. There is no second
 * lookup.
 */
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

/**
 * Checks scheme, literal addresses and credentials when a listener is created. Host names are
 * checked at each call.
 */
export function mustBeAllowedUri(hub: Hub, uri: string): void {
  const because = forbiddenBecause(hub, uri)
  if (because) throw new HubError('LISTENER_URI_FORBIDDEN', { uri, because })
}

export function forbiddenBecause(hub: Hub, uri: string): string | undefined {
  const target = targetOf(hub, uri)
  return 'fault' in target ? target.fault : undefined
}

type Target = { readonly origin: string; readonly path: string } | { readonly fault: string }
/** Caches the check of the URL itself. Host names are not checked here. */
const targetsOf = perHub(() => new LRUCache<string, Target>({ max: 1_000 }))

function targetOf(hub: Hub, uri: string): Target {
  const known = targetsOf(hub).get(uri)
  if (known) return known
  const target = readUri(judgeOf(hub), uri)
  targetsOf(hub).set(uri, target)
  return target
}

/** The URL parser has normalized literal addresses (decimal, hex, octal, short). */
function readUri(judge: Judge, uri: string): Target {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (!url) return { fault: 'it is not a complete URL.' }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return { fault: `${url.protocol} is not http or https.` }
  if (url.username || url.password) return { fault: 'it carries credentials.' }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const why = isIP(host) ? judge(host) : undefined
  return why
    ? { fault: `${host} ${why}; an operator can allow it with DRAGOMAN_LISTENER_ALLOW.` }
    : { origin: url.origin, path: `${url.pathname}${url.search}` }
}

const userAgent = `Dragoman/${version}`

export async function postGuarded(hub: Hub, post: Post): Promise<Posted> {
  const {
    url,
    body = null,
    timeoutMs = limits.deliveryTimeoutMs,
    maxBytes = limits.deliveryAnswerBytes,
  } = post
  const target = targetOf(hub, url)
  if ('fault' in target)
    return { answered: false, sent: false, error: `The call was not made: ${target.fault}` }
  const { method = 'POST', contentType = 'application/json' } = post
  const headers = method === 'POST' ? ['content-type', contentType] : []
  headers.push('user-agent', userAgent)
  for (const name in post.headers) headers.push(name, post.headers[name] ?? '')
  const { origin, path } = target
  const came = await exchange(await agentOf(hub), {
    method,
    origin,
    path,
    headers,
    body,
    timeoutMs,
    maxBytes,
  })
  if (came.answered) return came
  return {
    answered: false,
    sent: came.sent,
    error: came.late ? `No response within ${timeoutMs / 1000} s.` : explain(came.error),
  }
}

/**
 * Messages for the delivery log, which callers read: what happened, without details of our network.
 */
const says: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'The connection was refused.',
  ECONNRESET: 'The connection was closed.',
  UND_ERR_SOCKET: 'The connection was closed.',
  EPIPE: 'The connection was closed.',
  ENOTFOUND: 'The name could not be resolved.',
  EAI_AGAIN: 'The name could not be resolved right now.',
  UND_ERR_CONNECT_TIMEOUT: `No connection within ${connectMs / 1000} s.`,
  ETIMEDOUT: `No connection within ${connectMs / 1000} s.`,
  EHOSTUNREACH: 'The address cannot be reached.',
  ENETUNREACH: 'The address cannot be reached.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the response are too large.',
}

export function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === forbidden)
    return `The call was not made: the name resolves to an address that ${message}; an operator can allow it with DRAGOMAN_LISTENER_ALLOW.`
  if (code && Object.hasOwn(says, code)) return `${says[code]} (${code})`
  if (code?.startsWith('HPE_')) return `The response is not HTTP. (${code})`
  if (code && /CERT|SIGNED|ERR_TLS|ERR_SSL|EPROTO|ISSUER/.test(code)) return `TLS failed. (${code})`
  return `The call failed.${code ? ` (${code})` : ''}`
}
