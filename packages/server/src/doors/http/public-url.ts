/**
 * The base URL used in responses: the configured public URL, else the one the call used (contract,
 * section 1).
 */
import type { FastifyRequest } from 'fastify'
import { issuerOf } from '../../domain/access/tokens.ts'
import type { Hub } from '../../hub.ts'

/**
 * Without a trailing slash. Forwarded headers count only if the operator trusts the proxy (Fastify
 * checks that) and the name is one of ours (own-hosts.ts checks that).
 */
export const publicUrl = (hub: Hub, call: FastifyRequest): string =>
  hub.config.publicUrl ?? `${call.protocol}://${call.host}`

/**
 * The token issuer as shown to this call. Fixed, except in the sandbox: strict OpenID clients
 * compare it with the host they called, which may be any loopback name.
 */
export const issuerFor = (hub: Hub, call: FastifyRequest): string =>
  hub.config.profile === 'sandbox' ? publicUrl(hub, call) : issuerOf(hub)
