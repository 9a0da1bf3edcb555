/** The HTTP side of the hub: every hook in its order, every door, on one screen. */
import { HubError, limits } from '@dragoman/contract'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Caller } from '../../domain/access/caller.ts'
import type { Hub } from '../../hub.ts'
import { type Patience, serverOptions } from '../../listen.ts'
import { newTraceId } from '../../store/ids.ts'
import { registerMetadata } from '../oauth/metadata.ts'
import { registerToken } from '../oauth/token.ts'
import { registerPages } from '../pages/pages.ts'
import { registerSandbox } from '../sandbox/clock.ts'
import { registerFaultControls } from '../sandbox/fault-controls.ts'
import { boxOf } from '../sandbox/faults.ts'
import { takeOnlyJson } from '../sandbox/only-json.ts'
import { watchForFaults } from '../sandbox/watch-calls.ts'
import { registerSoap } from '../soap/service.ts'
import { registerDownload } from '../transfer/download.ts'
import { registerMultipart } from '../transfer/multipart.ts'
import { registerTus } from '../transfer/tus.ts'
import type { Runner } from '../work/runner.ts'
import { assetHandlers } from './assets.ts'
import { bind } from './bind.ts'
import { refuseBrokenHttp } from './broken-http.ts'
import { watchCalls } from './call-watch.ts'
import { clientHandlers } from './clients.ts'
import { allowOrigins } from './cors.ts'
import { CapitalisedResponse } from './header-names.ts'
import { jobHandlers } from './jobs.ts'
import { listenerHandlers } from './listeners.ts'
import type { Metrics } from './metrics.ts'
import { registerOperation } from './operation.ts'
import { answerToOwnNames } from './own-hosts.ts'
import { sendProblem, toHubError } from './problem.ts'
import { providerSideHandlers } from './provider-side.ts'
import { providerHandlers } from './providers.ts'
import { openThrottle, type Taken } from './rate-limit.ts'
import { requestHandlers } from './requests.ts'
import { roundHandlers } from './round.ts'
import { settingsHandlers } from './settings.ts'
import { sourceContentHandlers } from './source-content.ts'
import { sourceFileHandlers } from './source-files.ts'
import { keepToTls, tlsOptions } from './tls.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the error object, for the log. */
    errorCode: string | undefined
  }
}

const wellFormedId = new RegExp(`^[A-Za-z0-9._-]{1,${limits.traceIdCharacters}}$`)

export type AppParts = {
  readonly runner: Runner
  readonly metrics: Metrics
  /** Whether the hub was told to stop. */
  readonly isStopping: () => boolean
  readonly patience: Patience
}

export async function buildApp(
  hub: Hub,
  { runner, metrics, isStopping, patience }: AppParts,
): Promise<FastifyInstance> {
  const { tls, trustProxy, profile } = hub.config
  const sockets = { ...serverOptions(patience), ServerResponse: CapitalisedResponse }
  const app = Fastify({
    loggerInstance: hub.log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'traceId' }),
    trustProxy,
    bodyLimit: limits.jsonBytes,
    forceCloseConnections: 'idle',
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 200 },
    requestIdHeader: false,
    genReqId: ({ headers }) => {
      const given = headers['x-request-id']
      return typeof given === 'string' && wellFormedId.test(given) ? given : newTraceId()
    },
    ...(tls ? { https: { ...sockets, ...tlsOptions(tls) } } : { http: sockets }),
    frameworkErrors: (error, request, reply) => sendProblem(hub, error, request, reply as FastifyReply),
    clientErrorHandler: refuseBrokenHttp,
  }) as unknown as FastifyInstance
  const routes = listRoutes(app)
  // A header Expect that asks for something else is as none (RFC 9110, 10.1.1): Node would answer 417 with an empty body.
  app.server.on('checkExpectation', (call, answer) => app.server.emit('request', call, answer))

  app.decorateRequest('caller')
  app.decorateReply('errorCode', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  let throttleRefused: Counting | undefined
  app.setErrorHandler(async (error, request, reply) =>
    sendProblem(hub, (await throttleRefused?.(error, request, reply)) ?? error, request, reply),
  )
  app.setNotFoundHandler((request, reply) => refuseUnknown(request, reply, routes))

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    done()
  })
  keepToTls(app, hub)
  watchCalls(app, hub, metrics)
  answerToOwnNames(app, hub)
  allowOrigins(app, hub)
  throttleRefused = throttleCalls(app, hub, metrics)

  const box = boxOf(hub)
  if (box) watchForFaults(app, hub, box)

  registerOperation(app, hub, metrics, isStopping)
  registerToken(app, hub)
  registerMetadata(app, hub)
  registerPages(app, hub)
  registerSoap(app, hub)
  registerDownload(app, hub)
  await registerMultipart(app, hub)
  await registerTus(app, hub)
  if (profile === 'sandbox')
    await app.register(async (scope) => {
      takeOnlyJson(scope)
      registerSandbox(scope, hub, runner)
      if (box) registerFaultControls(scope, box)
    })
  bind(app, hub, {
    ...jobHandlers,
    ...sourceFileHandlers,
    ...sourceContentHandlers,
    ...requestHandlers,
    ...assetHandlers,
    ...providerHandlers,
    ...listenerHandlers,
    ...providerSideHandlers,
    ...roundHandlers,
    ...settingsHandlers,
    ...clientHandlers,
  })
  await app.ready()
  return app
}

/** What is to be told in place of a failure, if anything. */
type Counting = (error: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<HubError | undefined>

function throttleCalls(app: FastifyInstance, hub: Hub, metrics: Metrics): Counting {
  const throttle = openThrottle(hub)
  const take = async (
    request: FastifyRequest,
    reply: FastifyReply,
    by: 'address' | 'client',
  ): Promise<HubError | undefined> => {
    const taken =
      by === 'address'
        ? await throttle.take(request.ip)
        : await throttle.takeFor(request.caller, request.caller.rateLimit ?? hub.config.clientRateLimit)
    tellLimit(reply, by, taken)
    if (taken.allowed) return undefined
    metrics.countThrottled()
    const seconds = taken.retryAfterSeconds
    const because = `at most ${taken.limit} a second from one ${by}.`
    return new HubError('RATE_LIMITED', { because, seconds }, { retryAfter: seconds })
  }
  if (hub.config.rateLimit !== 'off')
    app.addHook('onRequest', async (request, reply) => {
      const refusal = isThrottled(request) ? await take(request, reply, 'address') : undefined
      if (refusal) throw refusal
    })
  // The first moment at which the client is known, and still before the body is read.
  app.addHook('preParsing', (request, reply, payload, done) => {
    const caller = request.caller as Caller | undefined
    if (!caller || (caller.rateLimit ?? hub.config.clientRateLimit) === 'off') return done(null, payload)
    take(request, reply, 'client').then((refusal) => done(refusal ?? null, payload), done)
  })
  return async (error, request, reply) => {
    const isRefused = isTransfer(request) && !isThrottled(request) && isCallersFault(toHubError(hub, error, request))
    return isRefused ? take(request, reply, 'address') : undefined
  }
}

const isTransfer = ({ url }: FastifyRequest): boolean => url.startsWith('/fms/')
const isCallersFault = ({ status }: HubError): boolean => status >= 400 && status < 500

/**
 * File bytes are not counted (contract, section 3), nor is what watches over the hub. A call under /fms shows only later
 * whether it is signed; it is counted when it is refused, and at once where no bytes can move.
 */
const isThrottled = (request: FastifyRequest): boolean =>
  isTransfer(request) ? request.method === 'OPTIONS' : !/^\/(healthz|readyz|metrics)\/?(\?|$)/.test(request.url)

function tellLimit(reply: FastifyReply, by: string, taken: Taken): void {
  if (!Number.isFinite(taken.limit)) return
  const add = (name: string, text: string) => {
    const before = reply.getHeader(name)
    reply.header(name, before === undefined ? text : `${before}, ${text}`)
  }
  add('ratelimit-policy', `"${by}";q=${taken.limit};w=1`)
  add('ratelimit', `"${by}";r=${taken.remaining};t=${taken.resetSeconds}`)
}

type Route = { method: string; pattern: RegExp }

/** Every route as it is registered, so that a wrong method can be told from a wrong path. */
function listRoutes(app: FastifyInstance): Route[] {
  const routes: Route[] = []
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(`^${url.replace(/[.*+?^$(){}|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}/?$`)
    for (const one of [method].flat()) if (one !== 'HEAD') routes.push({ method: one, pattern })
  })
  return routes
}

function refuseUnknown(request: FastifyRequest, reply: FastifyReply, routes: readonly Route[]): never {
  const path = request.url.split('?', 1)[0] ?? ''
  const methods = [...new Set(routes.filter((route) => route.pattern.test(path)).map((route) => route.method))]
  if (methods.length === 0) throw new HubError('NOT_FOUND', { what: `${path.slice(0, 200)}` })
  reply.header('allow', methods.join(', '))
  throw new HubError('METHOD_NOT_ALLOWED', {
    method: request.method,
    path: path.slice(0, 200),
    allowed: methods.join(', '),
  })
}
