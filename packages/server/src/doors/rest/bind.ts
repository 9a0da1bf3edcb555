/**
 * Turns the endpoint table into routes: each row gives the route, who may call it, the checks of
 * path, query and body, and the form of the response. An endpoint without a handler does not
 * compile. The table is bound twice: at /v2 for clients with a token, and for people at the console
 * (doors/console).
 */
import { Readable } from 'node:stream'
import {
  aliasesFor,
  bodyBytesOf,
  bodyValuesOf,
  type Endpoint,
  type EndpointName,
  type Endpoints,
  endpoints,
  type FileAnswer,
  type Further,
  gone,
  type HandlerAnswer,
  HubError,
  type Input,
  JsonBytes,
  methodOf,
  statusFor,
  takesKey,
} from '@dragoman/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathPrefix } from '../../config/path-prefix.ts'
import type { Call } from '../../domain/access/caller.ts'
import { onceAround } from '../../domain/access/once.ts'
import { dispositionOf } from '../../domain/files/serve.ts'
import type { Hub } from '../../hub.ts'
import { bodySteps, compiledOnce, queryCheck, queryNames } from '../../validation/validate.ts'
import { identify } from '../http/identify.ts'
import { onceOf } from '../http/once-key.ts'
import { publicUrl } from '../http/public-url.ts'
import { readBody } from '../http/read-body.ts'
import { inflow } from '../transfer/inflow.ts'
import { pageAnswer } from './page-answer.ts'
import { settled } from './settled.ts'

/** What a handler may need to know about the call besides its parts. */
export type Web = { readonly publicUrl: string; readonly accept: string | undefined }
export type Handler<N extends EndpointName> = (
  hub: Hub,
  call: Call,
  input: Input<Endpoints[N]>,
  web: Web,
) => HandlerAnswer<Endpoints[N]> | Promise<HandlerAnswer<Endpoints[N]>>
export type Handlers = { [N in EndpointName]: Handler<N> }
export type AnyHandler = (hub: Hub, call: Call, input: unknown, web: Web) => unknown
/** What handlers of one binding know besides. */
export type More = (request: FastifyRequest, reply: FastifyReply) => object
/** Finds out before the body is read who is calling, and whether they may. */
export type Identify = (
  endpoint: Endpoint,
) => (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export const base = '/v2'
const urlOf = (base: string, path: string): string => base + path.replace(/\{(\w+)\}/g, ':$1')

export function bind(app: FastifyInstance, hub: Hub, handlers: Handlers): void {
  bindTable(app, hub, {
    table: endpoints,
    handlers: handlers as Record<string, AnyHandler>,
    base,
    identify: (row) => identify(hub, row.scope),
  })
  bindFormer(app)
  for (const row of gone) {
    const [method, path] = row.call.split(' ') as [string, string]
    app.route({
      method,
      url: urlOf(base, path),
      onRequest: identify(hub, 'any'),
      handler: () => {
        throw new HubError('GONE', { call: row.call, successor: row.successor })
      },
    })
  }
}

export type Binding = {
  readonly table: Readonly<Record<string, Endpoint>>
  readonly handlers: Readonly<Record<string, AnyHandler>>
  readonly base: string
  readonly identify: Identify
  readonly more?: More
}

/** Binds the rows of a table below `base`. */
export function bindTable(
  app: FastifyInstance,
  hub: Hub,
  { table, handlers, base, identify, more }: Binding,
): void {
  for (const [name, endpoint] of Object.entries(table)) {
    const [method, path] = endpoint.call.split(' ') as [string, string]
    const handler = handlers[name] as AnyHandler
    app.route({
      method,
      url: urlOf(base, path),
      bodyLimit: bodyBytesOf(endpoint),
      onRequest: identify(endpoint),
      ...(endpoint.takes && { config: { streams: endpoint.body ? 'unless JSON' : 'always' } }),
      handler: answer(hub, endpoint, handler, more),
    })
  }
}

function goneOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  if (reply.raw.closed) gone.abort()
  else reply.raw.once('close', () => gone.abort())
  return gone.signal
}

/** The earlier API versions answer 410 as a whole. */
function bindFormer(app: FastifyInstance): void {
  for (const url of ['/v1', '/v1/*'])
    app.all(url, () => {
      throw new HubError('GONE', { call: 'Everything under /v1', successor: base })
    })
}

function answer(hub: Hub, endpoint: Endpoint, handler: AnyHandler, more?: More) {
  const read = reader(endpoint)
  const prefix = pathPrefix(hub.config)
  const addAliases = aliasesFor(endpoint.answers)
  const isWrite = methodOf(endpoint) !== 'GET'
  const known = endpoint.query ? queryNames(endpoint.query) : new Set<string>()
  return async (request: FastifyRequest, reply: FastifyReply) => {
    let gone: AbortSignal | undefined
    const call: Call = {
      ...{ caller: request.caller, traceId: request.id, ...onceOf(request) },
      // Few verbs ask for it.
      get gone() {
        gone ??= goneOf(reply)
        return gone
      },
    }
    const web: Web = {
      publicUrl: publicUrl(hub, request),
      accept: request.headers.accept,
      ...more?.(request, reply),
    }
    tellIgnored(request, reply, known)
    const input = await read(request)
    const given = isKept(endpoint, call)
      ? await onceAround(hub, call, async () => {
          const { once: _, ...plainCall } = call
          return settled(endpoint, await handler(hub, plainCall, input, web))
        })
      : await handler(hub, call, input, web)
    if (isWrite) request.about = jobIn(given)
    if (endpoint.deprecated)
      deprecate(reply, prefix, endpoint.deprecated, request.params as Record<string, string>)
    reply.code(statusFor(endpoint, given as object)).header('cache-control', 'no-store')
    if (endpoint.redirects) return reply.redirect((given as { location: string }).location, 307)
    if (endpoint.gives) return sendFile(reply, given as FileAnswer)
    reply.type('application/json; charset=utf-8')
    if (given instanceof JsonBytes) return reply.send(given.bytes)
    if (!endpoint.collection) return reply.send(JSON.stringify(addAliases(given)))
    const page = given as { items: unknown[]; next?: string; further?: Further }
    for (const item of page.items) if (!(item instanceof JsonBytes)) addAliases(item)
    const form = {
      name: endpoint.collection,
      url: prefix + request.url,
      format: call.caller.pageFormat,
      addAliases,
    }
    return reply.send(await pageAnswer(page, form))
  }
}

/** A POST keeps its answer itself, in the transaction of its effect. */
const isKept = (endpoint: Endpoint, { once }: Call): boolean =>
  once !== undefined && takesKey(endpoint) && methodOf(endpoint) !== 'POST'

/** The most names that the header lists. */
const maxIgnored = 20

/**
 * A parameter that the call does not know may be a misspelt one: the answer names it (contract,
 * section 11, Queries).
 */
function tellIgnored(
  request: FastifyRequest,
  reply: FastifyReply,
  known: ReadonlySet<string>,
): void {
  const ignored = Object.keys(request.query as object).filter((name) => !known.has(name))
  if (ignored.length === 0) return
  const names = ignored
    .slice(0, maxIgnored)
    .map((name) => encodeURIComponent(name.slice(0, 100).toWellFormed()))
  reply.header('x-ignored-parameters', names.join(', '))
}

/** The job that the answer to a write names: the one that it created, for example. */
const jobIn = (given: unknown): { jobId: string } | undefined => {
  const { jobId } = (given ?? {}) as { jobId?: unknown }
  return typeof jobId === 'string' ? { jobId } : undefined
}

/**
 * Checks and returns the three parts of a call. The checks are compiled on the endpoint's first
 * call.
 */
function reader(endpoint: Endpoint): (request: FastifyRequest) => Promise<unknown> {
  const params = endpoint.params && compiledOnce(queryCheck, endpoint.params)
  const query = endpoint.query && compiledOnce(queryCheck, endpoint.query)
  const steps = endpoint.body && compiledOnce(bodySteps, endpoint.body)
  const mayBeEmpty = !(
    (endpoint.body as { required?: string[] } | undefined)?.required?.length ?? 0
  )
  const maxValues = bodyValuesOf(endpoint)
  return async (request) => ({
    params: params?.(request.params as Record<string, unknown>),
    query: query && oneCursor(query(request.query as Record<string, unknown>)),
    body:
      endpoint.takes && !Buffer.isBuffer(request.body)
        ? fileIn(request, endpoint.takes)
        : steps && (await readBody(request, { steps, mayBeEmpty, maxValues })),
  })
}

/** The bytes of a body that is a file, as they arrive. */
function fileIn(
  { body, headers, raw }: FastifyRequest,
  takes: readonly string[],
): AsyncIterable<Uint8Array> {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase()
  if (type !== undefined && !takes.includes(type) && type !== 'application/octet-stream')
    throw new HubError('UNSUPPORTED_MEDIA_TYPE', {
      given: type.slice(0, 100),
      wanted: takes.join(' or '),
    })
  return body === undefined ? Readable.from([]) : arriving(raw)
}

/**
 * If they are not read to the end, the rest is dropped, so that the caller gets to read the
 * response.
 */
async function* arriving(raw: FastifyRequest['raw']): AsyncGenerator<Uint8Array, void> {
  const { bytes, leave } = inflow(raw)
  try {
    yield* bytes
  } finally {
    leave()
  }
}

function sendFile(reply: FastifyReply, { fileName, contentType, bytes }: FileAnswer) {
  // It may hold anything, and comes from the address of the console.
  reply
    .type(contentType)
    .header('content-disposition', dispositionOf(fileName))
    .header('x-content-type-options', 'nosniff')
    .header('content-security-policy', "default-src 'none'; sandbox")
  return reply.send(Readable.from(bytes, { objectMode: false }))
}

/** `navNext` and `next` are two names of the cursor; an empty cursor asks for the first page. */
function oneCursor(query: unknown): unknown {
  const { next, navNext, ...rest } = query as { next?: string; navNext?: string }
  if (next && navNext && next !== navNext)
    throw new HubError('INVALID_PARAMETER', {
      because: 'navNext and next are given with different values.',
    })
  const cursor = navNext || next
  return cursor ? { ...rest, navNext: cursor } : rest
}

/** RFC 9745; the date is the day on which the specification named the successors. */
function deprecate(
  reply: FastifyReply,
  prefix: string,
  successor: string,
  params: Readonly<Record<string, string>>,
): void {
  const pattern = successor.split(' ')[1] ?? successor
  // Some calls name an id differently than their successor; the place of the id is the same.
  const values = Object.values(params)
  let at = -1
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => {
    at += 1
    return encodeURIComponent(params[name] ?? values[at] ?? '')
  })
  reply
    .header('deprecation', '@1624924800')
    .header('link', `<${prefix}${base}${path}>; rel="successor-version"`)
}
