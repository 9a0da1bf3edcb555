/**
 * The console's door: the pages for people, and below /console/api every endpoint of the table for a session, with those that
 * only the console has.
 */
import { consoleEndpoints, endpoints } from '@dragoman/contract'
import type { FastifyInstance } from 'fastify'
import type { Hub } from '../../hub.ts'
import type { Page } from '../http/navigation.ts'
import { type AnyHandler, bindTable } from '../rest/bind.ts'
import { handlers } from '../rest/every-call.ts'
import { openConsoleFiles } from './console-files.ts'
import { identifyPerson, openCall } from './identify-person.ts'
import { ownHandlers } from './own-calls.ts'
import { registerStream, type StreamParts } from './stream.ts'
import { visitOf } from './visit.ts'

export const consoleBase = '/console/api'

export type Console = {
  /** Undefined if the console is not built. */
  readonly page: Page | undefined
  register(app: FastifyInstance, parts: StreamParts): void
}

export function openConsole(hub: Hub): Console {
  const files = openConsoleFiles(hub)
  return {
    page: files?.page,
    register(app, parts) {
      files?.register(app)
      // Those of the console also get the visit, from `more` below.
      bindTable(app, hub, {
        table: { ...endpoints, ...consoleEndpoints },
        handlers: { ...handlers, ...ownHandlers } as object as Record<string, AnyHandler>,
        base: consoleBase,
        identify: (endpoint) => identifyPerson(hub, endpoint),
        more: (request, reply) => ({ visit: visitOf(hub, request, reply, () => openCall(hub, request, reply)) }),
      })
      registerStream(app, hub, parts)
    },
  }
}
