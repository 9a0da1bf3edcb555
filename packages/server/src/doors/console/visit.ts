/**
 * What the console's door knows about the browser behind a call: its cookies, where it comes from,
 * and whether the connection is safe for a sign-in.
 */
import { HubError } from '@dragoman/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.ts'
import { isLoopback } from '../../config/config-values.ts'
import { nameIn } from '../../config/own-names.ts'
import type { Call } from '../../domain/access/caller.ts'
import type { Source } from '../../domain/people/sessions.ts'
import type { Expected } from '../../domain/people/webauthn.ts'
import type { Hub } from '../../hub.ts'
import { publicUrl } from '../http/public-url.ts'

export type Connection = 'secure' | 'plain' | 'refused'

export type Visit = {
  readonly from: Source
  /** The origin and the host name that passkeys are made for. */
  readonly expected: Expected
  readonly connection: Connection
  readonly traceId: string
  readonly session: Cookie
  /**
   * The call as one of the open session, for rows that need none; undefined if nobody is signed in.
   */
  openCall(): Promise<Call | undefined>
  /** What a sign-in at the OpenID provider carries. */
  readonly oidc: Cookie
}
export type Cookie = {
  read(): string | undefined
  write(value: string | undefined, seconds?: number): void
}

export function visitOf(
  hub: Hub,
  request: FastifyRequest,
  reply: FastifyReply | undefined,
  openCall: Visit['openCall'] = async () => undefined,
): Visit {
  const url = new URL(publicUrl(hub, request))
  const userAgent = request.headers['user-agent']
  return {
    from: { address: request.ip, ...(userAgent !== undefined && { userAgent }) },
    expected: { origin: url.origin, rpId: url.hostname },
    connection: connectionOf(hub.config, request),
    traceId: request.id,
    openCall,
    session: cookieOf(request, reply, 'dragoman'),
    oidc: cookieOf(request, reply, 'dragoman-oidc'),
  }
}

/**
 * Plain http is safe on loopback only: from a loopback address, under a loopback name. A proxy that
 * is not trusted fails here, because its calls come under the public name.
 */
export function connectionOf(
  { plainHttpSignIn }: Pick<Config, 'plainHttpSignIn'>,
  request: FastifyRequest,
): Connection {
  if (request.protocol === 'https') return 'secure'
  const name = nameIn(request.host)
  const isLocal =
    isLoopback(request.ip) &&
    name !== undefined &&
    (isLoopback(name) || name.endsWith('.localhost'))
  if (isLocal) return 'secure'
  return plainHttpSignIn ? 'plain' : 'refused'
}

/** Nobody signs in over a connection that others can read. */
export function mustBeSafe({ connection }: Visit): void {
  if (connection === 'refused') throw new HubError('INSECURE_SIGN_IN', {})
}

/**
 * Over https the name begins with `__Host-`: the browser then keeps other hosts from setting it,
 * and demands Secure and the path `/`, also if the hub has a path prefix. Without https (loopback,
 * or by the operator's leave) browsers refuse such a name, and cookies do not tell ports apart, so
 * the port is in the name.
 */
function cookieOf(request: FastifyRequest, reply: FastifyReply | undefined, kind: string): Cookie {
  const isSecure = request.protocol === 'https'
  const port = request.host.split(':').at(-1) ?? ''
  const name = isSecure ? `__Host-${kind}` : `${kind}-${Number(port) || 80}`
  return {
    read: () => readCookie(request.headers.cookie, name),
    write: (value, seconds) => {
      const lasts =
        value === undefined ? '; Max-Age=0' : seconds === undefined ? '' : `; Max-Age=${seconds}`
      reply?.header('set-cookie', [
        ...[reply.getHeader('set-cookie') ?? []].flat().map(String),
        `${name}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}${lasts}`,
      ])
    },
  }
}

const longestCookies = 16_384

/** A name that occurs twice counts as absent: we cannot tell which one is ours. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined || header.length > longestCookies) return undefined
  const found = header.split(';').flatMap((part) => {
    const at = part.indexOf('=')
    return at > 0 && part.slice(0, at).trim() === name ? [part.slice(at + 1).trim()] : []
  })
  return found.length === 1 && found[0] !== '' ? found[0] : undefined
}
