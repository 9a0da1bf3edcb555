/** What answers call this hub: the configured public URL, else what the call itself called it (contract, section 1). */
import type { FastifyRequest } from 'fastify'
import { issuerOf } from '../../domain/access/tokens.ts'
import type { Hub } from '../../hub.ts'

/**
 * Without a slash at its end. Forwarded headers count only where the operator trusts the proxy (Fastify sees to that), and
 * the name is one of ours (own-hosts.ts sees to that).
 */
export const publicUrl = (hub: Hub, call: FastifyRequest): string =>
  hub.config.publicUrl ?? `${call.protocol}://${call.host}`

/**
 * What the call is told of the issuer of tokens. Fixed, but in the sandbox: strict OpenID clients compare it with the name
 * that they asked, and there that may be any of loopback.
 */
export const issuerFor = (hub: Hub, call: FastifyRequest): string =>
  hub.config.profile === 'sandbox' ? publicUrl(hub, call) : issuerOf(hub)
