/**
 * What the token endpoint and its neighbours share: a form, the credentials of a client in it or in
 * HTTP Basic, and refusals with the error codes of RFC 6749, section 5.2.
 */
import { HubError, limits, type TokenErrorCode, tokenErrors } from '@dragoman/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mustCallFrom } from '../../domain/access/caller.ts'
import type { KnownClient } from '../../domain/access/known-clients.ts'
import { type Credentials, proveClient } from '../../domain/access/prove-client.ts'
import type { Hub } from '../../hub.ts'
import { errorObject, sendProblem } from '../http/problem.ts'
import { certificateOf } from '../http/tls.ts'

export type Form = ReadonlyMap<string, string>

export type FormEndpoint = {
  readonly path: string
  /** Refuses a form before any credential is read. */
  readonly check: (form: Form) => void
  readonly answer: (client: KnownClient, form: Form, call: FastifyRequest) => Promise<object>
}

/** A POST with a form, by a client that proves who it is. */
export function formEndpoint(
  app: FastifyInstance,
  hub: Hub,
  { path, check, answer }: FormEndpoint,
): void {
  const errorHandler = (error: Error, call: FastifyRequest, reply: FastifyReply) =>
    sendRefusal(hub, error, call, reply)
  app.post(path, { bodyLimit: limits.tokenFormBytes, errorHandler }, async (call, reply) => {
    const form = readForm(call)
    check(form)
    const certificate = certificateOf(hub, call)
    const credentials = { ...readCredentials(call, form, certificate !== undefined), certificate }
    const client = await proveClient(hub, credentials, call.ip)
    if (!client)
      throw new Refusal(
        'invalid_client',
        'The client id, the secret or the certificate of the connection is wrong.',
      )
    mustCallFrom(client, call.ip)
    return reply.headers(neverStored).send(await answer(client, form, call))
  })
}

/** RFC 6749, 5.1. */
const neverStored = { 'cache-control': 'no-store', pragma: 'no-cache' }

export class Refusal extends Error {
  readonly error: TokenErrorCode
  constructor(error: TokenErrorCode, sentence: string) {
    super(sentence)
    this.error = error
  }
}

/** 3.2: a form without duplicate parameters; an empty parameter counts as absent. */
function readForm(call: FastifyRequest): Form {
  const mediaType = call.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (mediaType !== 'application/x-www-form-urlencoded')
    throw new Refusal(
      'invalid_request',
      'The body must be a form: Content-Type application/x-www-form-urlencoded.',
    )
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(
    Buffer.isBuffer(call.body) ? call.body.toString() : '',
  )) {
    if (form.has(name)) throw new Refusal('invalid_request', 'A parameter appears more than once.')
    form.set(name, value)
  }
  return new Map([...form].filter(([, value]) => value !== ''))
}

/**
 * 2.3.1: in the form or by HTTP Basic, not both, and never in the URL. With a certificate the id is
 * enough (RFC 8705, 2).
 */
function readCredentials(call: FastifyRequest, form: Form, hasCertificate: boolean): Credentials {
  if (new URL(call.url, 'http://hub').searchParams.has('client_secret'))
    throw new Refusal(
      'invalid_request',
      'A secret must not be in the URL; send it in the form or with HTTP Basic.',
    )
  const clientId = form.get('client_id')
  const secret = form.get('client_secret')
  if (usesBasic(call)) {
    const basic = readBasic(call.headers.authorization ?? '')
    if (secret !== undefined || (clientId !== undefined && clientId !== basic.clientId))
      throw new Refusal(
        'invalid_request',
        'Send the credentials in the form or with HTTP Basic, not both.',
      )
    return basic
  }
  if (clientId === undefined || (secret === undefined && !hasCertificate))
    throw new Refusal(
      'invalid_client',
      'The credentials are missing: client_id and client_secret, or HTTP Basic.',
    )
  return { clientId, secret }
}

const usesBasic = (call: FastifyRequest): boolean =>
  /^basic\b/i.test(call.headers.authorization ?? '')

/** Both halves are form-encoded inside the base64 (2.3.1 and appendix B). */
function readBasic(header: string): Credentials {
  const text = Buffer.from(header.replace(/^basic\s*/i, ''), 'base64').toString()
  const colon = text.indexOf(':')
  try {
    if (colon > 0)
      return { clientId: decode(text.slice(0, colon)), secret: decode(text.slice(colon + 1)) }
  } catch {
    // A stray percent sign: refused below like any other unreadable header.
  }
  throw new Refusal('invalid_client', 'The Basic credentials cannot be read.')
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/**
 * 5.2: its two members, and those of every other error of the hub. Errors without an OAuth code
 * (throttling, an internal error) carry only their name.
 */
function sendRefusal(
  hub: Hub,
  error: Error,
  call: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  reply.headers(neverStored)
  if (error instanceof Refusal) {
    const status = tokenErrors[error.error]
    if (status === 401 && call.headers.authorization)
      reply.header('www-authenticate', 'Basic realm="dragoman", charset="UTF-8"')
    const code = status === 401 ? 'UNAUTHORIZED' : 'INVALID_REQUEST'
    reply.errorCode = code
    return reply
      .code(status)
      .send({ ...inBoth(error.error, error.message), code, traceId: call.id })
  }
  const tooFast = error instanceof HubError && error.code === 'RATE_LIMITED'
  if (!tooFast) return sendProblem(hub, error, call, reply)
  reply.errorCode = error.code
  reply.header('retry-after', String(error.retryAfter ?? 1))
  return reply
    .code(error.status)
    .send({ ...errorObject(error, call.id), ...inBoth('slow_down', error.message) })
}

const inBoth = (error: string, sentence: string) => ({
  error,
  error_description: sentence,
  message: sentence,
})
