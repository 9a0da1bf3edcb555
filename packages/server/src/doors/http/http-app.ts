/** The HTTP server below every door: its limits, its errors, and its hooks in order. */
import { limits } from '@dragoman/contract'
import Fastify, { type FastifyInstance, type FastifyReply, LogController } from 'fastify'
import { ConfigError } from '../../config/config.ts'
import { pathPrefix, routeBelow, withoutPrefix } from '../../config/path-prefix.ts'
import type { Hub } from '../../hub.ts'
import { type Patience, serverOptions } from '../../process/listen.ts'
import { newTraceId } from '../../store/ids.ts'
import { refuseBrokenHttp } from './broken-http.ts'
import { watchCalls } from './call-watch.ts'
import { allowOrigins } from './cors.ts'
import { CapitalisedResponse } from './header-names.ts'
import { listRoutes, type Route, refuseUnknown } from './known-routes.ts'
import type { Metrics } from './metrics.ts'
import { isNavigation, type Page } from './navigation.ts'
import { answerToOwnNames } from './own-hosts.ts'
import { sendProblem } from './problem.ts'
import { type CountRefused, throttleCalls } from './throttle-calls.ts'
import { keepToTls, tlsOptions } from './tls.ts'
import { receiveBody } from './whole-body.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the error object, for the log. */
    errorCode: string | undefined
  }
}

const wellFormedId = new RegExp(`^[A-Za-z0-9._-]{1,${limits.traceIdCharacters}}$`)

/**
 * No route has a schema of Fastify's: the hub checks values by the contract's. Its own compilers
 * bring 125 files.
 */
const compilersFactory = { buildValidator: noCompiler, buildSerializer: noCompiler }
function noCompiler(): never {
  throw new Error('A route has a schema of Fastify; use the checks of validation/.')
}

export function openHttpApp(
  hub: Hub,
  {
    metrics,
    patience,
    page,
  }: { readonly metrics: Metrics; readonly patience: Patience; readonly page?: Page | undefined },
): FastifyInstance {
  const { tls, trustProxy } = hub.config
  const prefix = pathPrefix(hub.config)
  const sockets = { ...serverOptions(patience), ServerResponse: CapitalisedResponse }
  const app = Fastify({
    loggerInstance: hub.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'traceId' }),
    trustProxy,
    bodyLimit: limits.jsonBytes,
    schemaController: { compilersFactory },
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    requestIdHeader: false,
    rewriteUrl: ({ url = '/' }) => withoutPrefix(prefix, url),
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && wellFormedId.test(given) ? given : newTraceId()
    },
    ...(tls ? { https: { ...sockets, ...tlsOptions(tls) } } : { http: sockets }),
    frameworkErrors: (error, request, reply) =>
      sendProblem(hub, error, request, reply as FastifyReply),
    clientErrorHandler: refuseBrokenHttp,
  }) as unknown as FastifyInstance
  const routes = listRoutes(app)
  app.addHook('onReady', async () => mustBeFree(prefix, routes, hub.config.publicUrl))
  // Any other Expect header is ignored (RFC 9110, 10.1.1): Node would answer 417 with an empty
  // body.
  app.server.on('checkExpectation', (call, answer) => app.server.emit('request', call, answer))

  app.decorateRequest('caller')
  app.decorateReply('errorCode', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', receiveBody)
  let countRefused: CountRefused | undefined
  app.setErrorHandler(async (error, request, reply) =>
    sendProblem(hub, (await countRefused?.(error, request, reply)) ?? error, request, reply),
  )
  app.setNotFoundHandler((request, reply) =>
    page && isNavigation(request) ? page(request, reply) : refuseUnknown(request, reply, routes),
  )

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // No answer of the hub is to be taken for another type.
    reply.header('x-content-type-options', 'nosniff')
    done()
  })
  keepToTls(app, hub)
  watchCalls(app, hub, metrics)
  answerToOwnNames(app, hub)
  allowOrigins(app, hub)
  countRefused = throttleCalls(app, hub, metrics)
  return app
}

/** Every route is known once the app is ready. */
function mustBeFree(prefix: string, routes: readonly Route[], publicUrl: string | undefined): void {
  const taken = routeBelow(
    prefix,
    routes.map(({ url }) => url),
  )
  if (taken !== undefined)
    throw new ConfigError(
      `DRAGOMAN_PUBLIC_URL is "${publicUrl}", but ${taken} is a path of the hub itself, so calls to it could not be told apart from calls below ${prefix}; use another path, such as /hub.`,
    )
}
