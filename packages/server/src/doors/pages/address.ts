/** The address of the hub as pages show it. */
import type { FastifyRequest } from 'fastify'
import type { Hub } from '../../hub.ts'
import { publicUrl } from '../http/public-url.ts'

/** Readers copy examples into shells, so a Host that is more than a name and a port is not used. */
export function addressOf(hub: Hub, call: FastifyRequest): string {
  const url = publicUrl(hub, call)
  return /^https?:\/\/[\w.:[\]/~-]+$/.test(url) ? url : 'http://HUB'
}
