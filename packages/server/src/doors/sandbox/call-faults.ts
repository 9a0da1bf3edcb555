/**
 * What each fault does to a call: refuse it, delay it, break it off, or change its query or its
 * response. The rest of the call runs unchanged, so the hub behaves as always.
 */
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { SeenCall } from '@dragoman/certify'
import type { ScenarioName } from '@dragoman/certify/scenarios'
import { endpoints, HubError } from '@dragoman/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findAssetTask } from '../../domain/handover/asset-tasks.ts'
import { invokeProvider } from '../../domain/handover/submit-job.ts'
import { archiveJob } from '../../domain/jobs/archive-job.ts'
import type { Hub } from '../../hub.ts'
import { newId } from '../../store/ids.ts'
import { errorObject } from '../http/problem.ts'
import type { AboutJob } from './about-job.ts'
import type { Fault } from './fault.ts'
import { secondsOf } from './fault-box.ts'
import { asProvider } from './work-faults.ts'

/** A call as the faults see it. */
export type Seen = {
  readonly hub: Hub
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly record: SeenCall
  readonly job: AboutJob | undefined
  /** Queries that were answered with an empty page, by the cursor that was returned. */
  readonly cursors: Map<string, unknown>
}
export type CallFault = {
  readonly fits: (seen: Seen, fault: Fault) => boolean
  /** Runs before the hub reads the body. May answer, throw, or change the query. */
  readonly before?: (seen: Seen, fault: Fault) => unknown
  /** Changes a successful response on its way out. */
  readonly answer?: (seen: Seen, payload: unknown) => unknown
}

const isApi = ({ record }: Seen): boolean => record.route.startsWith('/v2')
const isGet = (seen: Seen): boolean => seen.record.method === 'GET' && isApi(seen)
const isAt = (call: string) => (seen: Seen) => `${seen.record.method} ${seen.record.route}` === call
const isToken = isAt('POST /connect/token')
const makesJob = (seen: Seen): boolean =>
  ['POST /v2/jobs', 'POST /v2/jobs/{jobId}/requests/add', 'PUT /v2/jobs/{jobId}/submit'].some(
    (call) => isAt(call)(seen),
  )
const isDownload = ({ record: { method, route } }: Seen): boolean =>
  method === 'GET' && /^\/fms\/(files|contents)/.test(route)
const isUpload = ({ record: { method, route } }: Seen): boolean =>
  (method === 'PATCH' && route.startsWith('/fms/tus')) ||
  (method === 'POST' && route.startsWith('/fms/'))
const isRetrieval = (seen: Seen): boolean =>
  isGet(seen) && /\/retrieve(file)?$/.test(seen.record.route)

const collections = new Set(
  Object.values(endpoints as Record<string, { call: string; collection?: string; paged?: false }>)
    .filter(
      ({ call, collection, paged }) => collection && paged !== false && call.startsWith('GET '),
    )
    .map(({ call }) => `/v2${call.slice(4)}`),
)
const isList = (seen: Seen): boolean => isGet(seen) && collections.has(seen.record.route)

/** Refuses as the hub does, but with the fault's own Retry-After, or none. */
function refuse(problem: HubError, wait: 'says when' | 'silent') {
  return ({ request, reply }: Seen, fault: Fault): void => {
    if (wait === 'says when') reply.header('retry-after', String(secondsOf(fault)))
    reply.errorCode = problem.code
    reply
      .code(problem.status)
      .type('application/json; charset=utf-8')
      .send(errorObject(problem, request.id))
  }
}

const limited = new HubError('RATE_LIMITED', { because: 'caused by a sandbox fault.', seconds: 1 })
const unavailable = new HubError('SERVICE_UNAVAILABLE', { because: 'caused by a sandbox fault.' })
const noFiles = new HubError('FMS_UNAVAILABLE', { because: 'caused by a sandbox fault.' })

function breakOff({ request, reply }: Seen): void {
  reply.hijack()
  request.raw.socket.destroy()
}

/** Breaks small uploads off at once; of larger ones the hub receives about half. */
function breakOffLater({ request, reply }: Seen): void {
  const length = Number(request.headers['content-length'] ?? 0)
  const { socket } = request.raw
  if (length < 128 * 1024) {
    reply.hijack()
    socket.destroy()
    return
  }
  const half = socket.bytesRead + length / 2
  const timer = setInterval(() => {
    if (socket.bytesRead >= half) socket.destroy()
    if (socket.destroyed) clearInterval(timer)
  }, 1)
  reply.raw.once('close', () => clearInterval(timer))
}

/** Sends the first half, then ends the connection. */
function cut({ reply }: Seen, payload: unknown): unknown {
  if (typeof payload === 'string') {
    const bytes = Buffer.from(payload)
    reply.header('content-length', bytes.length)
    return brokenAfter(Readable.from([bytes]), bytes.length / 2)
  }
  return payload instanceof Readable
    ? brokenAfter(payload, Number(reply.getHeader('content-length') ?? 0) / 2)
    : payload
}

function brokenAfter(source: Readable, half: number): Readable {
  async function* some() {
    let left = Math.floor(half)
    for await (const piece of source as AsyncIterable<Buffer>) {
      yield piece.subarray(0, left)
      left -= piece.length
      if (left <= 0) break
    }
    // Time for the written bytes to leave.
    await delay(20)
    throw new Error('broken off by a fault of the sandbox')
  }
  return Readable.from(some(), { objectMode: false })
}

/** Refuses the first token it sees, until another one arrives. */
const isHeldToken = ({ record }: Seen, fault: Fault): boolean => {
  if (record.token === undefined) return false
  fault.held ??= record.token
  return fault.held === record.token
}

const unauthorized = (because: string) => () => {
  throw new HubError('UNAUTHORIZED', { because })
}

function emptyPage({ request, cursors }: Seen, payload: unknown): unknown {
  if (typeof payload !== 'string') return payload
  const page = JSON.parse(payload) as Record<string, unknown>
  const name = Object.keys(page).find((key) => Array.isArray(page[key])) ?? 'items'
  const cursor = `empty-${newId()}`
  cursors.set(cursor, request.query)
  const [path = ''] = request.url.split('?', 1)
  const full = page._links !== undefined && {
    _embedded: { [name]: [] },
    _links: { self: { href: request.url }, next: { href: `${path}?navNext=${cursor}` } },
    next: cursor,
  }
  return JSON.stringify({ pagination: { navNext: cursor }, [name]: [], ...full })
}

/**
 * Sends the whole job to its provider again; the response to the approval waits briefly for the
 * result.
 */
async function redeliver({ hub, job, record }: Seen, payload: unknown): Promise<unknown> {
  if (!job?.providerId) return payload
  const call = asProvider(job.siteId)
  const at = { providerId: job.providerId, jobId: job.jobId }
  await invokeProvider(hub, call, at.providerId, at.jobId)
  const [assetTaskId = ''] = record.sent?.requestIds ?? []
  for (let tries = 0; tries < 40; tries += 1) {
    const { statusCode } = await findAssetTask(hub, call, { ...at, assetTaskId })
    if (statusCode === 'TRANSLATION_SUBMITTED') break
    await delay(50)
  }
  return payload
}

export const callFaults: Partial<Record<ScenarioName, CallFault>> = {
  'rate-limit-storm': { fits: isApi, before: refuse(limited, 'says when') },
  'rate-limit-silent': { fits: isApi, before: refuse(limited, 'silent') },
  unavailable: { fits: isApi, before: refuse(unavailable, 'says when') },
  'unavailable-silent': { fits: isApi, before: refuse(unavailable, 'silent') },
  'bad-gateway': {
    fits: isApi,
    before: ({ reply }) =>
      reply.code(502).type('text/html').send('<html><h1>502 Bad Gateway</h1></html>'),
  },
  'internal-error': { fits: isApi, before: refuse(new HubError('INTERNAL', {}), 'silent') },
  'slow-answers': { fits: isApi, before: (_, fault) => delay(secondsOf(fault) * 1_000) },
  'connection-reset': { fits: isGet, before: breakOff },
  'answer-lost': {
    fits: makesJob,
    answer: ({ request }, payload) => {
      request.raw.socket.destroy()
      return payload
    },
  },
  'answer-cut': { fits: isGet, answer: cut },
  'upload-reset': { fits: isUpload, before: breakOffLater },
  'fms-failure': {
    fits: (seen) =>
      isUpload(seen) || isDownload(seen) || isAt('POST /v2/jobs/{jobId}/sourcefiles')(seen),
    before: refuse(noFiles, 'says when'),
  },
  'download-expired': {
    fits: isDownload,
    before: () => {
      throw new HubError('FORBIDDEN', {
        because: 'the download link has expired; request a new one.',
      })
    },
  },
  'download-cut': { fits: isDownload, answer: cut },
  'token-revoked': {
    fits: isHeldToken,
    before: unauthorized('the token was revoked; request a new one.'),
  },
  'token-clock-skew': {
    fits: isHeldToken,
    before: ({ hub, reply }) => {
      reply.header('date', new Date(hub.clock.now() + 600_000).toUTCString())
      unauthorized('the token has expired; request a new one.')()
    },
  },
  'token-short': {
    fits: isToken,
    answer: (_, payload) =>
      typeof payload === 'string'
        ? JSON.stringify({ ...JSON.parse(payload), expires_in: 5 })
        : payload,
  },
  'token-endpoint-down': { fits: isToken, before: refuse(unavailable, 'says when') },
  'empty-page': {
    fits: (seen) => isList(seen) && seen.record.cursor === undefined,
    answer: emptyPage,
  },
  'small-pages': {
    fits: isList,
    before: ({ request }) => {
      ;(request.query as Record<string, unknown>).pageSize = '1'
    },
  },
  'quota-reached': {
    fits: isAt('PUT /v2/jobs/{jobId}/submit'),
    before: () => {
      throw new HubError('QUOTA_EXCEEDED', {
        quota: 'MaxStatusUpdatesPerSite',
        limit: 10_000,
        count: 10_001,
      })
    },
  },
  'job-archived': {
    fits: isRetrieval,
    before: ({ hub, request, job }) =>
      job && archiveJob(hub, { ...asProvider(job.siteId), traceId: request.id }, job.jobId),
  },
  'redelivery-after-approval': {
    fits: isAt('PUT /v2/jobs/{jobId}/requests/approve'),
    answer: redeliver,
  },
}
