/**
 * Records every call once its response is sent: one log line, one row in the call log (possibly
 * shared), one sample in the metrics. Bodies are kept only in the sandbox and staging profiles,
 * without secrets, and never where content is sealed.
 */
import { Readable } from 'node:stream'
import { limits } from '@dragoman/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Hub } from '../../hub.ts'
import { openCallLog } from './call-log.ts'
import { isOver } from './call-tally.ts'
import type { Metrics } from './metrics.ts'
import { redactBody } from './redact.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** The response text, where bodies are kept. */
    kept: string | undefined
    /** Bytes of a response that is sent in pieces, without a Content-Length. */
    streamed: number
    /** An event stream lasts for hours: it is neither measured nor logged. */
    isStream: boolean
  }
  interface FastifyRequest {
    /**
     * The job that the call is about, if its path does not say so, and the site if it has no
     * caller.
     */
    about: About | undefined
  }
}

export type About = {
  readonly jobId?: string
  readonly siteId?: string
  /** They replace the parameters of the path. */
  readonly ids?: Readonly<Record<string, string>>
}

export function watchCalls(app: FastifyInstance, hub: Hub, metrics: Metrics): void {
  const log = openCallLog(hub, {
    dropped: (many) => metrics.countDroppedCalls(many),
    // The first of them was already logged, unless they were over the budget.
    shared: (call) => {
      const {
        traceId,
        clientId: client,
        address,
        method,
        route,
        status,
        errorCode: code,
        count = 1,
      } = call
      const more = isOver(call) ? count : count - 1
      hub.log.info({ traceId, client, address, method, route, status, code, count: more }, 'calls')
    },
  })
  // A body may hold content that is sealed elsewhere.
  const keepsBodies = hub.config.profile !== 'production' && !hub.config.sealContent
  app.decorateReply('kept', undefined)
  app.decorateReply('streamed', 0)
  app.decorateReply('isStream', false)
  app.decorateRequest('about', undefined)
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (payload instanceof Readable) countPieces(reply)
    else if (keepsBodies && typeof payload === 'string') reply.kept = payload
    else if (keepsBodies && Buffer.isBuffer(payload)) reply.kept = payload.toString('utf8', 0, seen)
    done(null, payload)
  })
  const record = (request: FastifyRequest, reply: FastifyReply): void => {
    if (reply.isStream) return
    const route = request.routeOptions.url ?? 'unknown'
    const { method, id: traceId } = request
    const status = reply.statusCode
    const milliseconds = reply.elapsedTime
    const client = request.caller as FastifyRequest['caller'] | undefined
    metrics.observeCall({ route, method, status, seconds: milliseconds / 1000 })
    if (isUpkeep(route) || isLooking(route, method, status)) return
    const ids = request.about?.ids ?? idsOf(request)
    const jobId = wellFormed(aJobId, request.about?.jobId ?? ids?.jobId)
    const fate = log.add({
      traceId,
      calledAt: hub.clock.now() - Math.round(milliseconds),
      method,
      route,
      ids,
      jobId,
      siteId: client?.siteId ?? request.about?.siteId,
      clientId: client?.clientId,
      address: request.ip,
      status,
      errorCode: reply.errorCode,
      durationUs: Math.round(milliseconds * 1000),
      bytesIn: lengthOf(request.headers['content-length']),
      bytesOut: lengthOf(reply.getHeader('content-length')) || reply.streamed,
      callBody: keepsBodies ? callBody(request) : undefined,
      answerBody: keepsBodies ? answerBody(reply) : undefined,
    })
    if (fate === 'over') metrics.countCallsOver()
    if (fate !== 'own' && fate !== 'first') return
    const requestId = wellFormed(anId, ids?.requestId ?? ids?.assetTaskId)
    const ms = Math.round(milliseconds * 10) / 10
    hub.log.info(
      { traceId, client: client?.clientId, jobId, requestId, method, route, status, ms },
      'call',
    )
  }
  app.addHook('onResponse', (request, reply, done) => {
    try {
      record(request, reply)
      done()
    } catch (error) {
      done(error as Error)
    }
  })
  app.addHook('onClose', () => log.close())
}

/** Monitoring calls are counted but not logged one by one. */
const isUpkeep = (route: string): boolean => ['/healthz', '/readyz', '/metrics'].includes(route)

/**
 * An open console polls: its reads would fill the log with calls that no client made. Refused ones
 * are logged.
 */
const isLooking = (route: string, method: string, status: number): boolean =>
  method === 'GET' &&
  status < 400 &&
  (route.startsWith('/console/') || route.startsWith('/sandbox/'))

/** Other text in a path is neither logged nor used for a lookup. */
const aJobId = /^[A-Za-z0-9]{10}$/
const anId = /^[\w-]{22}$/
const wellFormed = (form: RegExp, id: string | undefined): string | undefined =>
  id !== undefined && form.test(id) ? id : undefined

const longestId = limits.callLogIdCharacters

function idsOf(request: FastifyRequest): Record<string, string> | undefined {
  const params = request.params as Record<string, string> | undefined
  let ids: Record<string, string> | undefined
  for (const name in params) {
    const id = params[name] ?? ''
    ids ??= {}
    ids[name] = id.length > longestId ? `${id.slice(0, longestId)}…` : id
  }
  return ids
}

function countPieces(reply: FastifyReply): void {
  const { raw } = reply
  const write = raw.write.bind(raw) as (...given: unknown[]) => boolean
  raw.write = ((piece: string | Uint8Array, ...more: unknown[]) => {
    reply.streamed += Buffer.byteLength(piece)
    return write(piece, ...more)
  }) as typeof raw.write
}

const lengthOf = (header: unknown): number => Number(header ?? 0) || 0

/** Slightly more than is kept, so that a secret at the cut is still recognised. */
const seen = limits.callLogBodyBytes + 1_024

function callBody(request: FastifyRequest): string | undefined {
  if (!Buffer.isBuffer(request.body) || request.body.length === 0) return undefined
  return redactBody(
    request.body.subarray(0, seen).toString('utf8'),
    request.headers['content-type'],
  )
}

const answerBody = (reply: FastifyReply): string | undefined =>
  redactBody(reply.kept?.slice(0, seen), String(reply.getHeader('content-type') ?? ''))
