/** The hub's own TLS: protocol versions and ciphers, client certificates, and HSTS. */
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Tls } from '../../config/config-tls.ts'
import type { Hub } from '../../hub.ts'

/** Each has forward secrecy and authenticated encryption: no RSA key exchange, no CBC. */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

export const tlsOptions = ({ cert, key, clientCerts }: Tls) => ({
  cert,
  key,
  ciphers,
  minVersion: 'TLSv1.2' as const,
  // Requested but not required. The issuer does not matter: the thumbprint decides, and the
  // handshake has proven the key.
  requestCert: clientCerts,
  rejectUnauthorized: false,
})

const thumbprints = new WeakMap<Socket, string | undefined>()

/** The thumbprint of the client certificate (x5t#S256 of RFC 8705); undefined if there is none. */
export function certificateOf({ config }: Hub, call: FastifyRequest): string | undefined {
  const { socket } = call.raw
  if (!config.tls?.clientCerts || !(socket instanceof TLSSocket)) return undefined
  if (!thumbprints.has(socket)) {
    const shown = socket.getPeerX509Certificate()
    thumbprints.set(socket, shown && createHash('sha256').update(shown.raw).digest('base64url'))
  }
  return thumbprints.get(socket)
}

const year = 31_536_000

/**
 * Sends HSTS (RFC 6797), without subdomains. Never in the sandbox: browsers would apply it to
 * everything else on localhost.
 */
export function keepToTls(app: FastifyInstance, { config }: Hub): void {
  const isSecure = config.tls !== undefined || config.publicUrl?.startsWith('https:')
  if (!isSecure || config.profile === 'sandbox') return
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('strict-transport-security', `max-age=${year}`)
    done()
  })
}
