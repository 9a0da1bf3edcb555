/**
 * The throttle as hooks: counts calls by address when they arrive, and by client once it is known.
 */
import { HubError } from '@dragoman/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../domain/access/caller.ts'
import type { Hub } from '../../hub.ts'
import type { Metrics } from './metrics.ts'
import { isNavigation } from './navigation.ts'
import { toHubError } from './problem.ts'
import { openThrottle, type Taken } from './rate-limit.ts'

/**
 * Counts a refused call that has not been counted yet; returns the refusal to send instead, if
 * there is one.
 */
export type CountRefused = (
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<HubError | undefined>

export function throttleCalls(app: FastifyInstance, hub: Hub, metrics: Metrics): CountRefused {
  const throttle = openThrottle(hub)
  const take = async (
    request: FastifyRequest,
    reply: FastifyReply,
    by: 'address' | 'client',
  ): Promise<HubError | undefined> => {
    const taken =
      by === 'address'
        ? await throttle.take(request.ip)
        : await throttle.takeFor(
            request.caller,
            request.caller.rateLimit ?? hub.config.clientRateLimit,
          )
    tellLimit(reply, by, taken)
    if (taken.allowed) return undefined
    metrics.countThrottled()
    const seconds = taken.retryAfterSeconds
    const because = `at most ${taken.limit} per second from one ${by}.`
    return new HubError('RATE_LIMITED', { because, seconds }, { retryAfter: seconds })
  }
  if (hub.config.rateLimit !== 'off')
    app.addHook('onRequest', async (request, reply) => {
      const refusal = isThrottled(request) ? await take(request, reply, 'address') : undefined
      if (refusal) throw refusal
    })
  // The first hook where the client is known, still before the body is read.
  app.addHook('preParsing', (request, reply, payload, done) => {
    const caller = request.caller as Caller | undefined
    if (!caller || (caller.rateLimit ?? hub.config.clientRateLimit) === 'off')
      return done(null, payload)
    take(request, reply, 'client').then((refusal) => done(refusal ?? null, payload), done)
  })
  return async (error, request, reply) => {
    const isRefused =
      isTransfer(request) &&
      !isThrottled(request) &&
      isCallersFault(toHubError(hub, error, request))
    return isRefused ? take(request, reply, 'address') : undefined
  }
}

const isTransfer = ({ url }: FastifyRequest): boolean => url.startsWith('/fms/')
const isCallersFault = ({ status }: HubError): boolean => status >= 400 && status < 500

/**
 * The page of the console, its files and the pages of /docs: a browser asks for a dozen of them at
 * once, and they cost next to nothing. A refused page would be a line of JSON in place of the
 * console.
 */
const isStatic = (request: FastifyRequest): boolean =>
  isNavigation(request) ||
  ((request.method === 'GET' || request.method === 'HEAD') &&
    /^\/(?:console\/assets\/|docs(?:[/?]|$))/.test(request.url))
const isMonitoring = ({ url }: FastifyRequest): boolean =>
  /^\/(healthz|readyz|metrics)\/?(\?|$)/.test(url)

/**
 * File bytes (contract, section 3), static files and monitoring calls are not counted. A call under
 * /fms only later shows whether it is signed: it is counted when refused, or at once if it cannot
 * carry bytes.
 */
const isThrottled = (request: FastifyRequest): boolean =>
  isTransfer(request) ? request.method === 'OPTIONS' : !isMonitoring(request) && !isStatic(request)

function tellLimit(reply: FastifyReply, by: string, taken: Taken): void {
  if (!Number.isFinite(taken.limit)) return
  const add = (name: string, text: string) => {
    const before = reply.getHeader(name)
    reply.header(name, before === undefined ? text : `${before}, ${text}`)
  }
  add('ratelimit-policy', `"${by}";q=${taken.limit};w=1`)
  add('ratelimit', `"${by}";r=${taken.remaining};t=${taken.resetSeconds}`)
}
