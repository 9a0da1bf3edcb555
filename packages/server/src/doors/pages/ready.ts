/** An answer that is kept ready: its bytes, compressed, and its ETag. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptedEncodings } from '../http/accepted-encodings.ts'
import type { StoredPage } from './stored-pages.ts'

export type Ready = {
  readonly type: string
  readonly status: number
  readonly etag: string
  /** Text is kept compressed with brotli; pictures are as they are. */
  readonly bytes: Buffer
  readonly isPacked: boolean
}

const pack = promisify(brotliCompress)
const unpack = promisify(brotliDecompress)
const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

export async function makeReady(
  { content, type, isPacked = false }: StoredPage,
  status = 200,
): Promise<Ready> {
  // Weak: the same for every encoding.
  const etag = `W/"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
  if (typeof content !== 'string') return { type, status, etag, bytes: content, isPacked }
  return { type, status, etag, bytes: await pack(content, options), isPacked: true }
}

export async function sendReady(
  call: FastifyRequest,
  reply: FastifyReply,
  ready: Ready,
): Promise<FastifyReply> {
  const { etag, type, status, bytes, isPacked } = ready
  reply.headers({ etag, vary: 'accept-encoding', 'content-type': type }).code(status)
  if (status === 200 && isKnown(call.headers['if-none-match'], etag)) return reply.code(304).send()
  const [encoding] = isPacked
    ? acceptedEncodings(call.headers['accept-encoding'], ['br', 'gzip'])
    : []
  if (encoding !== undefined) reply.header('content-encoding', encoding)
  if (!isPacked || encoding === 'br') return reply.send(bytes)
  const text = await unpack(bytes)
  return reply.send(encoding === 'gzip' ? await promisify(gzip)(text) : text)
}

const bare = (etag: string): string => etag.trim().replace(/^W\//, '')
const isKnown = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((one) => one.trim() === '*' || bare(one) === bare(etag)) ?? false
