/**
 * GET and HEAD of a signed download: bytes or base64, whole or in ranges (RFC 9110, section 14).
 */
import { Readable } from 'node:stream'
import { HubError } from '@dragoman/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Holder } from '../../domain/files/holder.ts'
import { dispositionOf, mustFollow, type Served } from '../../domain/files/serve.ts'
import { mustFollowContent } from '../../domain/jobs/requests/content-file.ts'
import type { Hub } from '../../hub.ts'
import { newTraceId } from '../../store/ids.ts'
import { contentPath, downloadPath } from './addresses.ts'
import { downloadStream } from './download-stream.ts'
import { parseRange, type Span } from './range.ts'

export function registerDownload(app: FastifyInstance, hub: Hub): void {
  // HEAD has its own route: the framework's would report an empty body.
  const method = ['GET', 'HEAD']
  app.route({
    method,
    url: `${downloadPath}/:subject`,
    exposeHeadRoute: false,
    handler: answer(hub, mustFollow),
  })
  app.route({
    method,
    url: `${contentPath}/:subject`,
    exposeHeadRoute: false,
    handler: answer(hub, mustFollowContent),
  })
}

function answer(hub: Hub, follow: typeof mustFollow) {
  return async (request: FastifyRequest, reply: FastifyReply) => {
    const link = linkOf(request)
    const file = await follow(hub, link, request.ip)
    request.about = file.of
    reply
      .header('cache-control', 'private, max-age=0, must-revalidate')
      .header('x-content-type-options', 'nosniff')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('referrer-policy', 'no-referrer')
    return link.form === 'json' ? sendBase64(request, reply, file) : sendBytes(request, reply, file)
  }
}

function linkOf(request: FastifyRequest) {
  const { subject } = request.params as { subject: string }
  const { as, until, by, sig } = request.query as Record<string, unknown>
  if (
    (as !== 'bytes' && as !== 'json') ||
    typeof sig !== 'string' ||
    typeof until !== 'string' ||
    (by !== undefined && typeof by !== 'string') ||
    !/^\d{1,15}$/.test(until)
  )
    throw new HubError('FORBIDDEN', {
      because: 'the download link is not valid; request a new one.',
    })
  return { subject, form: as, until: Number(until), by: holderIn(by), signature: sig } as const
}

/** A client's id, which may contain dots, and when it was created. */
function holderIn(text: string | undefined): Holder | undefined {
  if (text === undefined) return undefined
  const dot = text.lastIndexOf('.')
  return { clientId: text.slice(0, dot), since: Number.parseInt(text.slice(dot + 1), 36) }
}

async function sendBytes(request: FastifyRequest, reply: FastifyReply, file: Served) {
  const etag = `"${file.sha256}"`
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('last-modified', new Date(file.createdAt).toUTCString())
    .header('content-disposition', dispositionOf(file.name))
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send()
  const asked = ifRange(request, etag) ? parseRange(request.headers.range, file.size) : 'whole'
  if (asked === 'unsatisfiable') {
    reply.header('content-range', `bytes */${file.size}`).removeHeader('content-disposition')
    throw new HubError('RANGE_NOT_SATISFIABLE', { size: file.size })
  }
  if (asked === 'whole') {
    reply.header('content-length', file.size).type(file.contentType)
    return request.method === 'HEAD'
      ? reply.send()
      : reply.send(downloadStream(await file.read(), reply.raw))
  }
  reply.code(206)
  const [first] = asked
  if (asked.length === 1 && first) {
    reply
      .header('content-range', contentRange(first, file))
      .header('content-length', lengthOf(first))
      .type(file.contentType)
    return request.method === 'HEAD'
      ? reply.send()
      : reply.send(downloadStream(await file.read(first), reply.raw))
  }
  return sendParts(request, reply, file, asked)
}

const contentRange = (span: Span, file: Served): string =>
  `bytes ${span.start}-${span.end}/${file.size}`
const lengthOf = (span: Span): number => span.end - span.start + 1

/** multipart/byteranges: the parts in the requested order. */
function sendParts(
  request: FastifyRequest,
  reply: FastifyReply,
  file: Served,
  spans: readonly Span[],
) {
  const boundary = newTraceId()
  const heads = spans.map(
    (span) =>
      `\r\n--${boundary}\r\nContent-Type: ${file.contentType}\r\nContent-Range: ${contentRange(span, file)}\r\n\r\n`,
  )
  const end = `\r\n--${boundary}--\r\n`
  const length = spans.reduce(
    (sum, span, at) => sum + Buffer.byteLength(heads[at] ?? '') + lengthOf(span),
    Buffer.byteLength(end),
  )
  reply.header('content-length', length).type(`multipart/byteranges; boundary=${boundary}`)
  if (request.method === 'HEAD') return reply.send()
  async function* parts() {
    for (const [at, span] of spans.entries()) {
      yield Buffer.from(heads[at] ?? '')
      yield* await file.read(span)
    }
    yield Buffer.from(end)
  }
  return reply.send(Readable.from(parts(), { objectMode: false }))
}

/** One JSON string: the base64 of the bytes, written as they arrive. */
async function sendBase64(request: FastifyRequest, reply: FastifyReply, file: Served) {
  reply
    .header('content-length', Math.ceil(file.size / 3) * 4 + 2)
    .type('application/json; charset=utf-8')
  if (request.method === 'HEAD') return reply.send()
  const bytes = await file.read()
  async function* text() {
    yield '"'
    let rest: Buffer = Buffer.alloc(0)
    for await (const piece of bytes) {
      const all = rest.length
        ? Buffer.concat([rest, piece])
        : Buffer.from(piece.buffer, piece.byteOffset, piece.length)
      const whole = all.length - (all.length % 3)
      yield all.toString('base64', 0, whole)
      rest = all.subarray(whole)
    }
    yield `${rest.toString('base64')}"`
  }
  return reply.send(Readable.from(text(), { objectMode: false }))
}

const matches = (header: string | undefined, etag: string): boolean =>
  header !== undefined &&
  (header.trim() === '*' ||
    header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))

/** Ranges of another version of the file would not fit: If-Range must name this version. */
const ifRange = (request: FastifyRequest, etag: string): boolean => {
  const given = request.headers['if-range']
  return given === undefined || given === etag
}
