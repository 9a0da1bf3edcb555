/**
 * Hooks the sandbox into the REST door: records every call and applies its faults. Runs after
 * authentication and before the body is read, so that a fault can target a client and break off an
 * upload.
 */

import type { SeenCall } from '@dragoman/certify'
import { limits } from '@dragoman/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { parseJson } from '../../process/parse.ts'
import { readLargeJson } from '../http/large-json.ts'
import type { AboutJob } from './about-job.ts'
import { answeredFacts, linkDigest, sentFacts } from './call-facts.ts'
import { callFaults, type Seen } from './call-faults.ts'
import { acts, type Fault } from './fault.ts'
import type { FaultBox } from './fault-box.ts'
import { digest } from './recorded-calls.ts'

type Watched = { record: SeenCall; job?: AboutJob | undefined; acting: Fault[] }
/** The owner of a transfer URL under /fms: those calls have no token. */
type Owner = {
  readonly siteId: string
  readonly jobId: string
  readonly client: string | undefined
}
const maxAddresses = 5_000

export function watchForFaults(app: FastifyInstance, hub: Hub, box: FaultBox): void {
  const watched = new WeakMap<FastifyRequest, Watched>()
  const owners = new LRUCache<string, Owner>({ max: maxAddresses })
  const cursors = new Map<string, unknown>()
  const bearers = new LRUCache<string, string>({ max: maxAddresses })

  const seenOf = (
    request: FastifyRequest,
    reply: FastifyReply,
    { record, job }: Watched,
  ): Seen => ({
    hub,
    request,
    reply,
    record,
    job,
    cursors,
  })

  app.addHook('onRequest', async (request, reply) => {
    const route = (request.routeOptions.url ?? 'unknown').replace(/:(\w+)/g, '{$1}')
    if (!/^\/(v2|connect|fms)\b/.test(request.url)) return
    const record = box.record.call({
      id: request.id,
      method: request.method,
      route,
      ...headFacts(request),
    })
    // A refused token still identifies its client.
    record.client = bearers.get(record.token ?? '')
    watched.set(request, { record, acting: [] })
    reply.raw.once('close', () => {
      record.status = reply.raw.headersSent ? reply.statusCode : 0
      record.endedAt ??= box.record.now()
    })
  })

  app.addHook('preParsing', async (request, reply, payload) => {
    const call = watched.get(request)
    if (!call) return payload
    const { record } = call
    const owner = owners.get(pathOf(request.url))
    record.client = request.caller?.clientId ?? owner?.client
    const jobId = [record.ids?.jobId, owner?.jobId].find(
      (one) => one !== undefined && /^\w{1,40}$/.test(one),
    )
    const siteId = request.caller?.siteId ?? owner?.siteId
    if (jobId !== undefined && record.method !== 'GET') box.forget(jobId)
    if (jobId !== undefined && siteId !== undefined) call.job = await box.about(siteId, jobId)
    putBackQuestion(request, cursors)
    if (record.route !== '/connect/token') await act(request, reply, call)
    return payload
  })

  // The form of a token call names its client.
  app.addHook('preHandler', async (request, reply) => {
    const call = watched.get(request)
    if (!call) return
    call.record.sent = await factsOf(request)
    if (call.record.route !== '/connect/token') return
    call.record.client = askerOf(request)
    await act(request, reply, call)
  })

  async function act(request: FastifyRequest, reply: FastifyReply, call: Watched): Promise<void> {
    const seen = seenOf(request, reply, call)
    for (const fault of box.find('call', call.job, call.record.client)) {
      const held = fault.held
      const effect = callFaults[fault.scenario]
      if (!effect?.fits(seen, fault)) continue
      if (held === undefined && !acts(fault)) {
        fault.held = undefined
        continue
      }
      call.record.fault = { id: fault.id, scenario: fault.scenario }
      if (effect.answer) call.acting.push(fault)
      await effect.before?.(seen, fault)
      if (reply.sent) return
    }
  }

  app.addHook('onSend', async (request, reply, sent) => {
    const call = watched.get(request)
    if (!call) return sent
    // Pages are sent as bytes; faults on responses work on text.
    const payload = Buffer.isBuffer(sent) && isJson(reply) ? sent.toString() : sent
    const { record } = call
    record.endedAt = box.record.now()
    note(record, reply, payload)
    if (reply.statusCode >= 400) return payload
    let given: unknown = payload
    for (const fault of call.acting)
      given = await callFaults[fault.scenario]?.answer?.(seenOf(request, reply, call), given)
    if (given !== payload) note(record, reply, given)
    remember(call, reply, payload)
    if (record.route === '/connect/token') rememberBearer(record, payload)
    if (record.ids?.jobId && record.method !== 'GET') box.forget(record.ids.jobId)
    if (record.method !== 'GET' && record.route.startsWith('/v2/providers')) box.forget()
    return given
  })

  function rememberBearer({ client, answered }: SeenCall, payload: unknown): void {
    const { access_token: token } = (typeof payload === 'string' ? parseJson(payload) : {}) as {
      access_token?: string
    }
    if (token && client) bearers.set(digest(token), client)
    if (client && answered?.expiresIn !== undefined) box.record.token(client, answered.expiresIn)
  }

  /** Remembers the transfer URLs in the response. */
  function remember({ record, job }: Watched, reply: FastifyReply, payload: unknown): void {
    const given = [reply.getHeader('location'), ...transfersIn(record, payload)]
    const paths = given.filter((one): one is string => typeof one === 'string').map(pathOf)
    const owner = job ? { siteId: job.siteId, jobId: job.jobId, client: record.client } : undefined
    if (!owner) return
    for (const path of paths.filter((one) => one.startsWith('/fms/'))) owners.set(path, owner)
  }
}

function headFacts(request: FastifyRequest) {
  const { headers } = request
  const params = request.params as Record<string, string> | undefined
  const query = (request.query ?? {}) as Record<string, unknown>
  const cursor = [query.navNext, query.next].find((one) => typeof one === 'string' && one !== '')
  const token = /^Bearer +(\S+)/i.exec(headers.authorization ?? '')?.[1]
  const key = headers['idempotency-key']
  return {
    ...(params && Object.keys(params).length > 0 && { ids: params }),
    ...(headers.accept !== undefined && { accept: headers.accept.slice(0, 200) }),
    ...(headers['content-type'] !== undefined && {
      contentType: headers['content-type'].slice(0, 100),
    }),
    ...(token !== undefined && { token: digest(token) }),
    ...(typeof key === 'string' && { idempotencyKey: digest(key) }),
    ...(request.url.includes('?') && {
      query: digest(request.url.slice(request.url.indexOf('?'))),
    }),
    ...(typeof cursor === 'string' && { cursor: digest(cursor) }),
    ...(request.url.startsWith('/fms/') && { link: linkDigest(request.url) }),
  }
}

function note(record: SeenCall, reply: FastifyReply, payload: unknown): void {
  const location = reply.getHeader('location')
  record.status = reply.statusCode
  if (reply.errorCode !== undefined) record.code = reply.errorCode
  const retryAfter = reply.getHeader('retry-after')
  if (retryAfter !== undefined) record.retryAfter = String(retryAfter)
  if (reply.getHeader('deprecation') !== undefined || reply.statusCode === 410)
    record.deprecated = true
  const facts = answeredFacts(
    jsonOf(payload, reply),
    typeof location === 'string' ? location : undefined,
  )
  if (facts) record.answered = facts
}

function jsonOf(payload: unknown, reply: FastifyReply): unknown {
  return typeof payload === 'string' && isJson(reply) ? parseJson(payload) : undefined
}

const isJson = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).includes('json')

/**
 * Reads the body as the handler does: a large one in slices, and none that the handler would
 * refuse.
 */
async function factsOf(request: FastifyRequest) {
  const { body } = request
  if (!Buffer.isBuffer(body) || !request.url.startsWith('/v2')) return undefined
  return sentFacts(await readLargeJson(body, limits.requestsJsonValues).catch(() => undefined))
}

function transfersIn(record: SeenCall, payload: unknown): unknown[] {
  if (record.method !== 'POST' || typeof payload !== 'string' || !payload.includes('fmsUploadUrl'))
    return []
  const { fmsUploadUrl, fmsPostMultipartUrl } = parseJson(payload) as Record<string, unknown>
  return [fmsUploadUrl, fmsPostMultipartUrl]
}

const pathOf = (address: string): string => new URL(address, 'http://hub').pathname

/** A cursor that came with an empty page leads to the page that should have been there. */
function putBackQuestion(request: FastifyRequest, cursors: Map<string, unknown>): void {
  const query = request.query as Record<string, unknown> | undefined
  const cursor = query?.navNext ?? query?.next
  if (typeof cursor !== 'string' || !cursors.has(cursor)) return
  request.query = cursors.get(cursor)
  cursors.delete(cursor)
}

/** The client id in the form or in HTTP Basic; the secret is not read. */
function askerOf(request: FastifyRequest): string | undefined {
  const basic = /^Basic +(\S+)/i.exec(request.headers.authorization ?? '')?.[1]
  if (basic) return Buffer.from(basic, 'base64').toString().split(':', 1)[0]
  const form = Buffer.isBuffer(request.body)
    ? new URLSearchParams(request.body.toString())
    : undefined
  return form?.get('client_id') ?? undefined
}
