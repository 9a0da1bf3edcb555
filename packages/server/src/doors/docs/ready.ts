/** An answer that is kept ready: its bytes, also compressed, and its ETag. */
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Ready = {
  readonly type: string
  readonly status: number
  readonly etag: string
  readonly bytes: Buffer
  readonly packed: Readonly<Record<string, Buffer>>
}

const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }

/** Text is compressed; pictures are already. */
export async function makeReady(content: string | Buffer, type: string, status = 200): Promise<Ready> {
  const bytes = Buffer.from(content)
  // Weak: the same for every encoding.
  const etag = `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  if (typeof content !== 'string') return { type, status, etag, bytes, packed: {} }
  const [br, gz] = await Promise.all([promisify(brotliCompress)(bytes, brotli), promisify(gzip)(bytes, { level: 7 })])
  return { type, status, etag, bytes, packed: { br, gzip: gz } }
}

export const sizeOf = ({ bytes, packed }: Ready): number =>
  Object.values(packed).reduce((sum, { length }) => sum + length, bytes.length)

export function sendReady(call: FastifyRequest, reply: FastifyReply, ready: Ready): FastifyReply {
  reply.headers({ etag: ready.etag, vary: 'accept-encoding', 'content-type': ready.type }).code(ready.status)
  if (ready.status === 200 && isKnown(call.headers['if-none-match'], ready.etag)) return reply.code(304).send()
  const encoding = acceptedOf(call.headers['accept-encoding']).find((name) => ready.packed[name])
  if (encoding === undefined) return reply.send(ready.bytes)
  return reply.header('content-encoding', encoding).send(ready.packed[encoding])
}

/** The encodings that the caller accepts and that we have, the better one first. */
function acceptedOf(header: string | string[] | undefined): string[] {
  const names = String(header ?? '')
    .split(',')
    .filter((one) => !one.replaceAll(' ', '').endsWith(';q=0'))
    .map((one) => one.split(';', 1)[0]?.trim().toLowerCase())
  return ['br', 'gzip'].filter((name) => names.includes(name))
}

const bare = (etag: string): string => etag.trim().replace(/^W\//, '')
const isKnown = (header: string | undefined, etag: string): boolean =>
  header?.split(',').some((one) => one.trim() === '*' || bare(one) === bare(etag)) ?? false
