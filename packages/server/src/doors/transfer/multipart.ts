/**
 * Direct upload: one form part named `file`, streamed to the blob store as it arrives (contract,
 * section 6).
 */
import { HubError, limits } from '@dragoman/contract'
import type { FastifyInstance } from 'fastify'
import type { Bytes } from '../../blobs/blob-store.ts'
import { mustBeOpen, receiveWhole, tooLarge } from '../../domain/files/receive.ts'
import type { Hub } from '../../hub.ts'
import { multipartPath } from './addresses.ts'
import { inflow } from './inflow.ts'
import { broken } from './part-head.ts'
import { readForm } from './read-form.ts'

/** What a form may add to its file: boundaries, part headers, small fields. */
const overheadBytes = 1024 ** 2

export async function registerMultipart(app: FastifyInstance, hub: Hub): Promise<void> {
  await app.register(async (door) => {
    door.removeAllContentTypeParsers()
    // The body stays a stream: it goes to the blob store as it arrives.
    door.addContentTypeParser('*', (_request, _payload, done) => done(null))
    door.post(
      `${multipartPath}/:fileId`,
      { bodyLimit: limits.multipartBytes + overheadBytes },
      async (request, reply) => {
        const { fileId } = request.params as { fileId: string }
        const { token } = request.query as { token?: unknown }
        const file = await mustBeOpen(hub, fileId, {
          verb: 'multipart',
          token: typeof token === 'string' ? token : undefined,
          address: request.ip,
        })
        request.about = { jobId: file.job_id, siteId: file.site_id }
        if (Number(request.headers['content-length'] ?? 0) > limits.multipartBytes + overheadBytes)
          throw tooLarge()
        const type = request.headers['content-type'] ?? ''
        if (!/^multipart\/form-data\s*(;|$)/i.test(type))
          throw new HubError('UNSUPPORTED_MEDIA_TYPE', {
            given: type.slice(0, 100) || 'missing',
            wanted: 'multipart/form-data with a part named file',
          })
        const body = inflow(request.raw)
        try {
          const written = await receiveWhole(hub, file, fileIn(body.bytes, type))
          const { name, content_type: contentType } = file
          return reply.code(201).send({ id: fileId, name, contentType, size: written.size })
        } finally {
          body.leave()
        }
      },
    )
  })
}

/**
 * The bytes of the only part `file`. Reads the form to its end, so that a second part fails the
 * upload.
 */
async function* fileIn(body: AsyncIterable<Uint8Array>, type: string): Bytes {
  let found = false
  for await (const { name, bytes } of readForm(body, type, overheadBytes)) {
    if (name !== 'file')
      throw broken(`it has a file in a part named "${name.slice(0, 50)}", not "file".`)
    if (found) throw broken('it has more than one part named "file".')
    found = true
    yield* bytes
  }
  if (!found) throw broken('it has no part named "file".')
}
