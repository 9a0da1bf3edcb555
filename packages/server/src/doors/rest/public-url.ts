/** What answers call this hub: the configured public URL, else what the call itself called it (contract, section 1). */
import type { FastifyRequest } from 'fastify'
import type { Hub } from '../../hub.ts'

/** Without a slash at its end. Forwarded headers count only where the operator trusts the proxy (Fastify sees to that). */
export const publicUrl = (hub: Hub, call: FastifyRequest): string =>
  hub.config.publicUrl?.replace(/(?<!\/)\/+$/, '') ?? `${call.protocol}://${call.host}`
