/**
 * The console's door: the pages for people, and below /console/api every endpoint of the table for
 * a session, with those that only the console has.
 */
import { consoleEndpoints, endpoints } from '@dragoman/contract'
import type { FastifyInstance } from 'fastify'
import { mustBeWork } from '../../domain/jobs/work.ts'
import type { Hub } from '../../hub.ts'
import type { Page } from '../http/navigation.ts'
import { type AnyHandler, bindTable } from '../rest/bind.ts'
import { handlers } from '../rest/every-call.ts'
import { openConsoleFiles } from './console-files.ts'
import { identifyPerson, openCall } from './identify-person.ts'
import { ownHandlers } from './own-calls.ts'
import { registerPreview } from './preview.ts'
import { registerStream, type StreamParts } from './stream.ts'
import { visitOf } from './visit.ts'

/** What a session reads is for our own pages, and is never taken for another type. */
const ownHeaders = {
  'x-content-type-options': 'nosniff',
  'cross-origin-resource-policy': 'same-origin',
}

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
      app.addHook('onRequest', (request, reply, done) => {
        // A path below it that is none has no route.
        if ((request.routeOptions.url ?? request.url).startsWith('/console/'))
          reply.headers(ownHeaders)
        done()
      })
      // Those of the console also get the visit, from `more` below.
      bindTable(app, hub, {
        table: { ...endpoints, ...consoleEndpoints },
        handlers: limited({ ...handlers, ...ownHandlers } as object as Record<string, AnyHandler>),
        base: consoleBase,
        identify: (endpoint) => identifyPerson(hub, endpoint),
        more: (request, reply) => ({
          visit: visitOf(hub, request, reply, () => openCall(hub, request, reply)),
        }),
      })
      registerStream(app, hub, parts)
      registerPreview(app, hub)
    },
  }
}

/**
 * Checks what a call names before its handler runs, for people who are limited to the work of some
 * providers.
 */
const limited = (all: Readonly<Record<string, AnyHandler>>): Record<string, AnyHandler> =>
  Object.fromEntries(
    Object.entries(all).map(([name, handler]): [string, AnyHandler] => [
      name,
      async (hub, call, input, web) => {
        if (call.caller?.work) await mustBeWork(hub, call, input as object)
        return handler(hub, call, input, web)
      },
    ]),
  )
