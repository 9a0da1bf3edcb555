/** Direct upload: one form part named `file`, streamed to the blob store as it comes (contract, section 6). */

import { HubError, limits } from '@dragoman/contract'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { mustBeOpen, receiveWhole, type SignedFile, tooLarge } from '../../domain/files/receive.ts'
import type { Hub } from '../../hub.ts'
import { multipartPath } from './addresses.ts'

/** What a form may add to its file: boundaries, part heads, small fields. */
const overheadBytes = 1024 ** 2

export async function registerMultipart(app: FastifyInstance, hub: Hub): Promise<void> {
  await app.register(async (door) => {
    door.removeAllContentTypeParsers()
    await door.register(multipart, {
      throwFileSizeLimit: false,
      limits: { fileSize: limits.multipartBytes + 1, files: 3, fields: 20, fieldSize: 64 * 1024, headerPairs: 50 },
    })
    door.addContentTypeParser('*', (_request, _payload, done) => done(null))
    door.post(
      `${multipartPath}/:fileId`,
      { bodyLimit: limits.multipartBytes + overheadBytes },
      async (request, reply) => {
        const { fileId } = request.params as { fileId: string }
        const { token } = request.query as { token?: string }
        const file = await mustBeOpen(hub, 'multipart', fileId, typeof token === 'string' ? token : undefined)
        if (Number(request.headers['content-length'] ?? 0) > limits.multipartBytes + overheadBytes) throw tooLarge()
        if (!request.isMultipart())
          throw new HubError('UNSUPPORTED_MEDIA_TYPE', {
            given: (request.headers['content-type'] ?? 'of no type').slice(0, 100),
            wanted: 'multipart/form-data with a part named file',
          })
        const written = await receivePart(hub, request, file).catch((error: unknown) => {
          // What is still to come is read and thrown away, so that the sender gets to see why it was refused.
          request.raw.unpipe()
          request.raw.resume()
          throw error
        })
        return reply.code(201).send({ id: fileId, name: file.name, contentType: file.content_type, size: written.size })
      },
    )
  })
}

/** The one part `file`. The end of the form is waited for inside the stream, so that a second part undoes the first. */
async function receivePart(hub: Hub, request: FastifyRequest, file: SignedFile) {
  const parts = request.files()
  const { value: part } = await next(parts)
  if (!part) throw refusal('it has no part named "file".')
  if (part.fieldname !== 'file') {
    part.file.resume()
    throw refusal(`its file part is named "${part.fieldname.slice(0, 50)}", not "file".`)
  }
  async function* bytes(): AsyncIterable<Uint8Array> {
    if (!part) return
    yield* part.file
    if (part.file.truncated) throw tooLarge()
    const { value: second } = await next(parts)
    if (!second) return
    second.file.resume()
    throw refusal('it has more than one file part.')
  }
  return receiveWhole(hub, file, bytes())
}

type Parts = ReturnType<FastifyRequest['files']>

/** What the form parser throws is the caller's: a form that ends in the middle, or has too many parts. */
async function next(parts: Parts) {
  try {
    return await parts.next()
  } catch (error) {
    throw refusal(`the form cannot be read: ${(error as Error).message}.`)
  }
}

const refusal = (because: string): HubError => new HubError('INVALID_REQUEST', { because })
