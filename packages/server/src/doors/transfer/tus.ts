/**
 * TUS 1.0.0 (contract, section 6). The protocol is `@tus/server`'s; rows, bytes and the writer's lock are ours. A protocol
 * server is made for each call, closed over that call's file and lock, so that no state of a call outlives it.
 */
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { HubError, limits } from '@dragoman/contract'
import type { DataStore, Lock, Upload } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mustBeOpen, mustFindTransfer, nextExpiry } from '../../domain/files/receive.ts'
import { createUpload, endUpload, finishUpload, mustFindUpload, writeUpload } from '../../domain/files/uploads.ts'
import { lockWriter, type WriterLock } from '../../domain/files/writer-lock.ts'
import type { Hub } from '../../hub.ts'
import { newId } from '../../store/ids.ts'
import type { FileRow, UploadRow } from '../../store/tables.ts'
import { tusPath } from './addresses.ts'
import { takeTurn } from './turns.ts'

const extensions = ['creation', 'creation-with-upload', 'termination', 'expiration']
/** How long a call waits for the writer before it to let go. */
const patienceMs = 8_000
/** What one read of a socket brings at the most. */
const pieceBytes = 64 * 1024

export async function registerTus(app: FastifyInstance, hub: Hub): Promise<void> {
  await app.register(async (door) => {
    door.removeAllContentTypeParsers()
    // The body stays a stream: it goes to the blob store as it comes.
    door.addContentTypeParser('*', (_request, _payload, done) => done(null))
    door.post(`${tusPath}/:id`, async (request, reply) => {
      const file = await mustBeOpen(hub, 'tus', idOf(request), tokenOf(request))
      return speak(hub, request, reply, file)
    })
    door.route({
      method: ['HEAD', 'PATCH', 'DELETE'],
      url: `${tusPath}/:id`,
      handler: async (request, reply) => {
        const upload = await mustFindUpload(hub, idOf(request))
        const find = request.method === 'HEAD' ? mustFindTransfer : mustBeOpen
        return speak(hub, request, reply, await find(hub, 'tus', upload.file_id, tokenOf(request)))
      },
    })
    door.options(`${tusPath}/:id`, async (request, reply) => speak(hub, request, reply))
  })
}

const idOf = (request: FastifyRequest): string => (request.params as { id: string }).id

function tokenOf(request: FastifyRequest): string | undefined {
  const token = request.headers.sastoken
  return typeof token === 'string' ? token : undefined
}

/** Hands the call to the protocol and its answer back; a refusal of ours is told as an error object. */
async function speak(hub: Hub, request: FastifyRequest, reply: FastifyReply, file?: FileRow): Promise<FastifyReply> {
  let failure: unknown
  const holding: Holding = { writing: Promise.resolve() }
  // Loaded with the first upload, not with the hub.
  const tus = await import('@tus/server')
  const server = new tus.Server({
    path: tusPath,
    relativeLocation: true,
    maxSize: limits.fileBytes,
    allowedOrigins: () => false,
    lockDrainTimeout: 100,
    namingFunction: () => newId(),
    datastore: rowStore(hub, request.id, holding, tus, file),
    locker: { newLock: (uploadId) => rowLock(hub, request, uploadId, holding) },
    onResponseError: (_request, error) => {
      failure = error
      return undefined
    },
  })
  const body = request.method === 'PATCH' || request.method === 'POST' ? bodyOf(request.raw) : undefined
  const response = await server.handleWeb(
    new Request(`http://hub${request.url}`, {
      method: request.method,
      headers: Object.entries(request.headers).map(([name, value]) => [name, String(value)] as [string, string]),
      ...(body ? { body: body.stream, duplex: 'half' } : {}),
    } as RequestInit),
  )
  body?.leave()
  reply.header('tus-resumable', '1.0.0').header('cache-control', 'no-store')
  if (failure instanceof Error) throw failure
  const text = await response.text()
  if (response.status < 400) {
    for (const [name, value] of response.headers) if (!name.startsWith('access-control-')) reply.header(name, value)
    return reply.code(response.status).send(text || undefined)
  }
  return reply.code(response.status).send({ code: codeOf(response.status), message: text.trim(), traceId: request.id })
}

/**
 * The body as the protocol wants it. What it leaves unread (an upload that was refused) is read and thrown away, so that
 * the sender gets to see the answer and the connection can be used again.
 */
function bodyOf(raw: IncomingMessage): { stream: ReadableStream<Uint8Array>; leave(): void } {
  let left = false
  const leave = () => {
    left = true
    raw.resume()
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        raw.on('data', (piece: Buffer) => {
          if (left) return
          raw.pause()
          controller.enqueue(piece)
        })
        raw.on('end', () => left || controller.close())
        raw.on('error', (error) => left || controller.error(error))
        raw.pause()
      },
      pull: async () => {
        await takeTurn(pieceBytes)
        raw.resume()
      },
      cancel: leave,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 1024 ** 2 }),
  )
  return { stream, leave }
}

/** The protocol has statuses of its own (412, 423, 460); each is told with the nearest code of ours. */
const codeOf = (status: number) =>
  status === 413
    ? 'FILE_TOO_LARGE'
    : status === 404 || status === 410
      ? 'NOT_FOUND'
      : status >= 500
        ? 'FMS_UNAVAILABLE'
        : 'INVALID_REQUEST'

/** What the lock and the store of one call share. */
type Holding = { lock?: WriterLock; writing: Promise<unknown> }

type Tus = typeof import('@tus/server')

function rowStore(hub: Hub, causeId: string, holding: Holding, tus: Tus, file?: FileRow): DataStore {
  const life = nextExpiry(hub) - hub.clock.now()
  const show = (upload: UploadRow): Upload =>
    new tus.Upload({
      id: upload.upload_id,
      size: upload.length,
      offset: upload.received,
      metadata: JSON.parse(upload.metadata),
      creation_date: new Date(upload.expires_at - life).toISOString(),
    })
  return Object.assign(new tus.DataStore(), {
    extensions,
    getExpiration: () => life,
    create: async (upload: Upload) => {
      if (!file) throw new HubError('NOT_FOUND', { what: 'transfer' })
      const declared = { length: upload.size ?? 0, metadata: upload.metadata ?? {} }
      const row = await createUpload(hub, file, upload.id, declared, causeId)
      // Creation with upload writes at once: nobody else knows the upload yet.
      holding.lock = await lockWriter(hub, upload.id, {
        patienceMs: 0,
        gone: new AbortController().signal,
        letGo: () => {},
      })
      upload.creation_date = show(row).creation_date
      return upload
    },
    getUpload: async (uploadId: string) => show(await finishUpload(hub, uploadId)),
    write: (stream: Readable, uploadId: string) => {
      const written = (async () => {
        if (!holding.lock) throw new HubError('FMS_UNAVAILABLE', { because: 'the upload is not held for writing.' })
        const upload = await mustFindUpload(hub, uploadId)
        // Kept open when the store fails: a stream that closes first would hide why.
        const bytes = stream.iterator({ destroyOnReturn: false })
        return writeUpload(hub, upload, holding.lock.writer, bytes)
      })()
      holding.writing = written.catch(() => {})
      return written
    },
    remove: async (uploadId: string) => endUpload(hub, await mustFindUpload(hub, uploadId), causeId),
  })
}

/** The lease of the upload's row. It is given back only when the last write has come to its end. */
function rowLock(hub: Hub, request: FastifyRequest, uploadId: string, holding: Holding): Lock {
  return {
    lock: async (gone, cancel) => {
      // A creation locks the upload when its row is there.
      if (request.method === 'POST') return
      holding.lock = await lockWriter(hub, uploadId, { patienceMs, gone, letGo: () => void cancel() })
      if (!holding.lock) throw { status_code: 423, body: 'The upload is being written by another call; try again.' }
    },
    unlock: async () => {
      await holding.writing
      await holding.lock?.free()
    },
  }
}
