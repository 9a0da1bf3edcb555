/**
 * Turns any failure into the error object of contract, section 3. Unexpected errors reveal nothing.
 */
import { type ErrorObject, HubError } from '@dragoman/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { BlobConflict, BlobTrouble } from '../../blobs/blob-store.ts'
import type { Hub } from '../../hub.ts'
import { publicUrl } from './public-url.ts'

/** How long the rest of a refused body is read only to be dropped. */
const droppingMs = 15_000

export function sendProblem(
  hub: Hub,
  error: unknown,
  call: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = toHubError(hub, error, call)
  if (problem.code === 'INTERNAL') call.log.error({ err: error }, 'internal error')
  if (problem.status === 401) reply.header('www-authenticate', challenge(hub, call))
  if (problem.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter))
  else if (problem.status === 503) reply.header('retry-after', '5')
  if (problem.code === 'CONTENT_TOO_LARGE' || !reply.raw.shouldKeepAlive) dropRest(call, reply)
  reply.errorCode = problem.code
  // Errors that the framework raises itself arrive here without passing the hooks.
  reply.header('x-request-id', call.id)
  return reply
    .code(problem.status)
    .type('application/json; charset=utf-8')
    .send(errorObject(problem, call.id))
}

/**
 * The framework closes the connection after a refusal of a body, and Node closes it where the call
 * asks for that, as proxies do. If the rest of the body is still on its way, the client (or the
 * proxy, which then counts the node as failed) gets a reset in place of the response: what is left
 * is read and dropped for a while, and the connection is closed after it.
 */
function dropRest({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return
  const { socket } = raw
  const answer = reply.raw
  const closes = !answer.shouldKeepAlive
  answer.shouldKeepAlive = true
  answer.removeHeader('connection')
  reply.removeHeader('connection')
  const timer = setTimeout(() => socket.destroy(), droppingMs).unref()
  const close = () => {
    if (answer.writableFinished) socket.end()
    else answer.once('finish', () => socket.end())
  }
  raw.once('close', () => clearTimeout(timer))
  raw.once('end', () => {
    clearTimeout(timer)
    if (closes) close()
  })
  raw.resume()
}

export function errorObject(problem: HubError, traceId: string): ErrorObject {
  const [first] = problem.details ?? []
  return {
    code: problem.code,
    message: problem.message,
    ...(problem.details ? { details: problem.details } : {}),
    ...(problem.quota ? { quota: problem.quota } : {}),
    ...problem.also,
    ...(first ? { field: first.path } : {}),
    traceId,
  }
}

export const assistantPath = '/mcp'
/** Where RFC 9728 says which tokens that path takes. */
export const resourcePath = `/.well-known/oauth-protected-resource${assistantPath}`

/**
 * RFC 6750: `invalid_token` if a token was sent and refused; a plain challenge if it is missing.
 */
function challenge(hub: Hub, call: FastifyRequest): string {
  const refused = call.headers.authorization ? ', error="invalid_token"' : ''
  const isAssistant = call.routeOptions.url === assistantPath
  const metadata = isAssistant ? `, resource_metadata="${publicUrl(hub, call)}${resourcePath}"` : ''
  return `Bearer realm="dragoman"${refused}${metadata}`
}

export function toHubError(hub: Hub, error: unknown, call: FastifyRequest): HubError {
  if (error instanceof HubError) return error
  if (error instanceof BlobConflict)
    return new HubError(
      'FMS_UNAVAILABLE',
      { because: 'another call is writing this upload.' },
      { retryAfter: 1 },
    )
  if (error instanceof BlobTrouble)
    return new HubError('FMS_UNAVAILABLE', { because: error.message }, { retryAfter: 5 })
  if (hub.db.isBusy(error))
    return new HubError(
      'SERVICE_UNAVAILABLE',
      { because: 'the database does not respond.' },
      { retryAfter: 5 },
    )
  const known = error as Partial<FastifyError>
  if (known.code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new HubError('CONTENT_TOO_LARGE', {
      what: 'The body',
      limit: call.routeOptions.bodyLimit,
    })
  if (known.code === 'FST_ERR_CTP_INVALID_CONTENT_LENGTH' || known.code === 'ECONNRESET')
    return new HubError('INVALID_REQUEST', { because: 'it did not arrive completely.' })
  // Errors raised by the framework (a malformed URL or header) are the caller's fault.
  if (known.statusCode && known.statusCode >= 400 && known.statusCode < 500)
    return new HubError('INVALID_REQUEST', { because: 'the call is malformed.' })
  return new HubError('INTERNAL', {})
}
