/**
 * The project settings service: SOAP 1.1, document/literal wrapped (contract, section 9). A thin
 * layer of our own: the action selects a row; the row reads the element, calls the
 * verb and writes its result. Every error becomes a fault with a SettingsFault in it; internals are
 * never shown.
 */
import { HubError } from '@dragoman/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { mayCall, mustCallFrom } from '../../domain/access/caller.ts'
import { proveClient } from '../../domain/access/prove-client.ts'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { identify } from '../http/identify.ts'
import { onceOf } from '../http/once-key.ts'
import { toHubError } from '../http/problem.ts'
import { publicUrl } from '../http/public-url.ts'
import { certificateOf } from '../http/tls.ts'
import { openEnvelope, SoapRefusal, writeAnswer, writeFault } from './envelope.ts'
import { operations } from './operations.ts'
import { elementPath } from './shapes.ts'
import { readMembers, writeElement } from './translate.ts'
import { actionOf, writeWsdl } from './wsdl.ts'

const xml = 'text/xml; charset=utf-8'

export function describeService(
  hub: Hub,
  path: string,
  call: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const address = publicUrl(hub, call) + path
  const wantsWsdl = Object.keys(call.query as object).some((name) => /^(single)?wsdl$/i.test(name))
  if (wantsWsdl) return reply.type(xml).send(writeWsdl(hub.config.soapNamespace, address))
  return reply
    .type('text/plain; charset=utf-8')
    .send(`ProjectSettingsService, SOAP 1.1. Its WSDL is at ${address}?wsdl\n`)
}

const byActionOf = perHub(
  ({ config }: Hub) =>
    new Map(Object.keys(operations).map((name) => [actionOf(config.soapNamespace, name), name])),
)

export async function answerCall(
  hub: Hub,
  call: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const namespace = hub.config.soapNamespace
  const name = operationOf(call, byActionOf(hub))
  const operation = operations[name]
  if (!operation) throw new HubError('INTERNAL', {})
  const element = await openEnvelope(bytesOf(call))
  if (element.name !== name || element.uri !== namespace)
    throw new HubError('INVALID_REQUEST', {
      because: `the SOAPAction is ${name}, but the Body contains ${element.name} of the namespace "${element.uri}".`,
    })
  const given = readMembers(namespace, element, operation.takes, '')
  mustBeOwn(call, given.organisationId)
  const input = operation.check(given) as never
  const result = await operation.run(
    hub,
    { caller: call.caller, traceId: call.id, ...onceOf(call) },
    input,
  )
  reply
    .type(xml)
    .header('cache-control', 'no-store')
    .header('soapaction', `"${actionOf(namespace, name)}Response"`)
  return reply.send(
    writeAnswer(namespace, name, writeElement(`${name}Result`, operation.gives, result)),
  )
}

/**
 * Before the body is read: a bearer token, or HTTP Basic with the client's id and secret (RFC
 * 7617).
 */
export async function authenticate(hub: Hub, call: FastifyRequest): Promise<void> {
  const header = call.headers.authorization
  if (header === undefined)
    throw new HubError('UNAUTHORIZED', {
      because: 'send HTTP Basic with client id and secret, or Authorization: Bearer <token>.',
    })
  const basic = /^Basic +(\S+) *$/i.exec(header)?.[1]
  if (basic === undefined) return identify(hub, 'settings')(call)
  const text = Buffer.from(basic, 'base64').toString()
  const colon = text.indexOf(':')
  const shown = {
    clientId: text.slice(0, colon),
    secret: text.slice(colon + 1),
    certificate: certificateOf(hub, call),
  }
  const client = colon < 0 ? undefined : await proveClient(hub, shown, call.ip)
  if (!client)
    throw new HubError('UNAUTHORIZED', {
      because: 'the client id, the secret or the certificate of the connection is wrong.',
    })
  call.caller = client
  mustCallFrom(client, call.ip)
  if (!mayCall(client, 'settings'))
    throw new HubError('FORBIDDEN', {
      because: 'the call needs the scope settings, which the client does not have.',
    })
}

/** SOAP 1.1 requires the header; some clients quote it, some do not. */
function operationOf(call: FastifyRequest, byAction: ReadonlyMap<string, string>): string {
  const type = call.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/soap+xml')
    throw new SoapRefusal(
      'VersionMismatch',
      `The Content-Type ${type} is for SOAP 1.2; send SOAP 1.1 as text/xml.`,
    )
  if (type !== '' && type !== 'text/xml' && type !== 'application/xml')
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', { given: type.slice(0, 100), wanted: 'text/xml' })
  const header = call.headers.soapaction
  const action = unquoted(typeof header === 'string' ? header : '')
  const name = byAction.get(action)
  if (name !== undefined) return name
  const [first = ''] = byAction.keys()
  const says = action
    ? `Unknown action "${action.slice(0, 200)}"`
    : 'The header SOAPAction is missing or empty'
  throw new SoapRefusal(
    'ActionNotSupported',
    `${says}; an action of this service is, for example, "${first}".`,
  )
}

function unquoted(header: string): string {
  const text = header.trim()
  return text.slice(text.startsWith('"') ? 1 : 0, text.endsWith('"') ? -1 : undefined).trim()
}

function bytesOf(call: FastifyRequest): Buffer {
  const encoding = call.headers['content-encoding']
  if (encoding && encoding !== 'identity')
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', {
      given: `encoded as ${encoding.slice(0, 100)}`,
      wanted: 'it plain',
    })
  const body = call.body as Buffer | undefined
  if (!body?.length)
    throw new HubError('INVALID_REQUEST', { because: 'it is empty; send a SOAP 1.1 envelope.' })
  return body
}

/** An organisation is the caller's site; any other id counts as unknown. */
function mustBeOwn(call: FastifyRequest, organisationId: unknown): void {
  if (
    organisationId === undefined ||
    organisationId === '' ||
    organisationId === call.caller.siteId
  )
    return
  throw new HubError('NOT_FOUND', { what: `organisation ${organisationId}` })
}

/**
 * Statuses that a client must see before it reads a body; all other faults are 500, as SOAP 1.1
 * requires.
 */
const ownStatus = new Set([401, 403, 421, 429, 503])

export function sendFault(
  hub: Hub,
  error: Error,
  call: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const problem = error instanceof SoapRefusal ? undefined : toHubError(hub, error, call)
  const status = problem && ownStatus.has(problem.status) ? problem.status : 500
  if (problem?.code === 'INTERNAL') call.log.error({ err: error }, 'internal error')
  if (status === 401)
    reply.header('www-authenticate', [
      'Bearer realm="dragoman"',
      'Basic realm="dragoman", charset="UTF-8"',
    ])
  if (problem?.retryAfter !== undefined) reply.header('retry-after', String(problem.retryAfter))
  const code = problem?.code ?? (error as SoapRefusal).code
  reply.errorCode = code
  const side = problem && problem.status >= 500 ? 'Server' : 'Client'
  reply.header('x-request-id', call.id)
  const fault = writeFault(hub.config.soapNamespace, {
    side,
    code,
    message: problem ? sentenceOf(problem) : error.message,
  })
  return reply.code(status).type(xml).send(fault)
}

/** Fields are named by their elements here. */
function sentenceOf(problem: HubError): string {
  const path = problem.details?.[0]?.path
  return path ? problem.message.replace(path, () => elementPath(path)) : problem.message
}
