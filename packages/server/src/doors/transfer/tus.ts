/**
 * TUS 1.0.0 (contract, sections 6 and 11): maps its headers to the verbs of uploads, and results to
 * its headers and statuses. Errors are error objects, as everywhere.
 */
import { HubError, limits } from '@dragoman/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { checksumBytes } from '../../domain/files/checksum.ts'
import { concatenate } from '../../domain/files/concatenate.ts'
import { createUpload } from '../../domain/files/create-upload.ts'
import { mustBeOpen, mustFindTransfer, type TransferCall } from '../../domain/files/receive.ts'
import {
  askUpload,
  type Chunk,
  continueUpload,
  mustFindUpload,
  terminateUpload,
  willExpire,
} from '../../domain/files/uploads.ts'
import type { Hub } from '../../hub.ts'
import type { UploadRow } from '../../store/tables.ts'
import { tusPath, uploadPath } from './addresses.ts'
import { type Inflow, inflow } from './inflow.ts'
import * as asked from './tus-headers.ts'

/** How long a call waits for the previous writer to stop. */
const patienceMs = 8_000
/**
 * How long a writer that must stop may still read: its client is usually gone, and its last bytes
 * have arrived.
 */
const drainMs = 100

export async function registerTus(app: FastifyInstance, hub: Hub): Promise<void> {
  await app.register(async (door) => {
    door.removeAllContentTypeParsers()
    // The body stays a stream: it goes to the blob store as it arrives.
    door.addContentTypeParser('*', (_request, _payload, done) => done(null))
    door.route({
      // Any of these methods may carry an override.
      method: ['GET', 'PUT', ...asked.tusMethods],
      url: `${tusPath}/:id`,
      exposeHeadRoute: false,
      handler: (request, reply) => {
        reply.header('tus-resumable', asked.tusVersion).header('cache-control', 'no-store')
        return speak(hub, request, reply)
      },
    })
  })
}

async function speak(
  hub: Hub,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { headers } = request
  const method = asked.methodOf(request.method, headers)
  if (method === undefined) throw refuseMethod(request, reply)
  if (method === 'OPTIONS') return tellAbilities(reply)
  const version = headers['tus-resumable']
  if (version !== asked.tusVersion) throw refuseVersion(String(version ?? 'missing'), reply)
  const { id } = request.params as { id: string }
  if (method === 'POST') return create(hub, request, reply, id)
  const found = await mustFindUpload(hub, id)
  const isFinal = found.concat?.startsWith('final') === true
  const isAsked = method === 'HEAD' || isFinal
  const file = await (isAsked ? mustFindTransfer : mustBeOpen)(
    hub,
    found.file_id,
    transferOf(request),
  )
  request.about = { jobId: file.job_id, siteId: file.site_id }
  const patience = { patienceMs, gone: goneOf(reply) }
  if (method === 'HEAD') return tellUpload(reply, await askUpload(hub, id, patience))
  if (isFinal)
    throw new HubError('FORBIDDEN', {
      because: 'a final upload consists of its parts and cannot be changed.',
    })
  if (method === 'PATCH') {
    const place = { uploadId: id, ...asked.placeIn(headers) }
    const upload = await withChunk(request, (chunk) => continueUpload(hub, place, chunk, patience))
    return tellOffset(reply, upload).code(204).send()
  }
  await terminateUpload(hub, id, request.id, patience)
  return reply.code(204).send()
}

async function create(
  hub: Hub,
  request: FastifyRequest,
  reply: FastifyReply,
  id: string,
): Promise<FastifyReply> {
  const file = await mustBeOpen(hub, id, transferOf(request))
  request.about = { jobId: file.job_id, siteId: file.site_id }
  const declared = asked.creationIn(request.headers)
  if ('concat' in declared) {
    const { upload_id } = await concatenate(hub, file, declared)
    return reply.code(201).header('location', uploadPath(hub.config, upload_id)).send()
  }
  const begin = (first?: Chunk) => createUpload(hub, file, declared, { causeId: request.id, first })
  const upload = asked.bringsBytes(request.headers)
    ? await withChunk(request, begin)
    : await begin()
  // Also without bytes: tus-js-client reads the offset if it was asked to send some.
  return tellOffset(reply, upload)
    .code(201)
    .header('location', uploadPath(hub.config, upload.upload_id))
    .send()
}

/** Passes the body as a chunk; discards the rest when the work is done. */
async function withChunk<Result>(
  request: FastifyRequest,
  work: (chunk: Chunk) => Promise<Result>,
): Promise<Result> {
  const told = asked.chunkIn(request.headers)
  const body = inflow(request.raw)
  try {
    return await work({
      ...told,
      bytes: body.bytes,
      letGo: () => endSoon(body, told.checksum !== undefined),
    })
  } finally {
    body.leave()
  }
}

/** A partial chunk cannot match its checksum. */
function endSoon(body: Inflow, mustBeWhole: boolean): void {
  setTimeout(
    () => body.stop(mustBeWhole ? new HubError('UPLOAD_LOCKED', {}) : undefined),
    drainMs,
  ).unref()
}

function transferOf({ headers, ip }: FastifyRequest): TransferCall {
  const { sastoken } = headers
  return { verb: 'tus', token: typeof sastoken === 'string' ? sastoken : undefined, address: ip }
}

function goneOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort())
  return gone.signal
}

function refuseMethod({ method, url }: FastifyRequest, reply: FastifyReply): HubError {
  const allowed = asked.tusMethods.join(', ')
  reply.header('allow', allowed)
  return new HubError('METHOD_NOT_ALLOWED', { method, path: url.slice(0, 200), allowed })
}

function refuseVersion(given: string, reply: FastifyReply): HubError {
  reply.header('tus-version', asked.tusVersion)
  return new HubError('TUS_VERSION_UNSUPPORTED', {
    given: given.slice(0, 50),
    spoken: asked.tusVersion,
  })
}

const tellAbilities = (reply: FastifyReply): FastifyReply =>
  reply
    .header('tus-version', asked.tusVersion)
    .header('tus-extension', asked.tusExtensions.join(','))
    .header('tus-max-size', String(limits.fileBytes))
    .header('tus-checksum-algorithm', Object.keys(checksumBytes).join(','))
    .code(204)
    .send()

function tellUpload(reply: FastifyReply, upload: UploadRow): FastifyReply {
  const metadata: unknown = JSON.parse(upload.metadata)
  if (typeof metadata === 'string') reply.header('upload-metadata', metadata)
  if (upload.concat !== null) reply.header('upload-concat', upload.concat)
  if (upload.deferred === 1) reply.header('upload-defer-length', '1')
  else reply.header('upload-length', String(upload.length))
  return tellOffset(reply, upload).code(200).send()
}

const tellOffset = (reply: FastifyReply, upload: UploadRow): FastifyReply =>
  tellExpiry(reply, upload).header('upload-offset', String(upload.received))

/** What has become a file does not expire. */
const tellExpiry = (reply: FastifyReply, upload: UploadRow): FastifyReply =>
  willExpire(upload)
    ? reply.header('upload-expires', new Date(upload.expires_at).toUTCString())
    : reply
