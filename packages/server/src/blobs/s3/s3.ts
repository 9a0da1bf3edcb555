// Blobs in a bucket of an S3-compatible object store. An object appears whole or not at all, and is
// durable once the store has answered. A resumable write keeps everything it needs in its progress,
// so any node can continue it.
import { createHash, type Hash } from 'node:crypto'
import { type BlobStore, type Bytes, isBlobId, mustBeBlobId } from '../blob-store.ts'
import { runningHashes } from '../running-hash.ts'
import { oneWriterEach } from '../writers.ts'
import { appendS3, beginS3, finishS3, removeAllPieces, type S3Blob } from './s3-append.ts'
import { type Calls, openCalls, type UploadedPart } from './s3-calls.ts'
import { cutParts } from './s3-parts.ts'
import { openObject } from './s3-read.ts'
import { sweepS3 } from './s3-sweep.ts'
import type { S3Location } from './s3-url.ts'

export async function openS3Blobs(location: S3Location): Promise<BlobStore> {
  const calls = await openCalls(location)
  const writers = oneWriterEach()
  const hashes = runningHashes<Hash>()
  const keyOf = (blobId: string) => location.prefix + mustBeBlobId(blobId)
  const blobOf = (blobId: string): S3Blob => ({ calls, hashes, blobId, key: keyOf(blobId) })

  const store: BlobStore = {
    hasOwnClock: true,
    put: (blobId, bytes, { maxBytes, unhashed }) =>
      writers.alone(blobId, async () => {
        const hash = unhashed ? undefined : createHash('sha256')
        const size = await putObject(calls, keyOf(blobId), bytes, { maxBytes, hash })
        return { size, sha256: hash?.digest('hex') ?? '' }
      }),

    begin: async (blobId, { unhashed } = {}) => beginS3(blobOf(blobId), unhashed),

    append: (blobId, at, bytes, limits) =>
      writers.alone(blobId, () => appendS3(blobOf(blobId), at, bytes, limits)),

    /** Pieces have unique names: a late writer cannot overwrite those of another. */
    fence: (progress) => progress,

    finish: (blobId, at) =>
      writers.alone(blobId, async () => {
        const { sha256 } = await finishS3(blobOf(blobId), at)
        return { size: at.size, sha256: sha256 ?? (await sha256Of(calls, keyOf(blobId))) }
      }),

    async abandon(blobId) {
      const key = keyOf(blobId)
      hashes.forget(blobId)
      for await (const upload of calls.uploads(key))
        await calls.abortUpload(upload.key, upload.uploadId)
      await removeAllPieces(calls, key)
      await calls.remove(key)
    },

    copy: async (from, to) => calls.copy(keyOf(from), keyOf(to)),
    open: async (blobId, range) => openObject(calls, keyOf(blobId), range),
    size: async (blobId) => (await calls.head(keyOf(blobId))).size,
    remove: async (blobId) => calls.remove(keyOf(blobId)),

    async *list() {
      for await (const { key, size, modifiedAt } of calls.objects(location.prefix)) {
        const blobId = key.slice(location.prefix.length)
        if (isBlobId(blobId)) yield { blobId, size, modifiedAt }
      }
    },

    sweep: (olderThan, inUse) =>
      sweepS3(
        calls,
        location.prefix,
        olderThan,
        async (blobId) => (await inUse?.(blobId)) === true || writers.has(blobId),
      ),

    ready: () => calls.ask(),
    close: async () => calls.close(),
  }
  if (!location.links) return store
  return {
    ...store,
    link: (blobId, { expiresSeconds, contentType, contentDisposition }) =>
      calls.link(keyOf(blobId), expiresSeconds, contentType, contentDisposition),
  }
}

/** Small blobs in one call, others as a multipart upload that is aborted on any error. */
async function putObject(
  calls: Calls,
  key: string,
  bytes: Bytes,
  { maxBytes, hash }: { readonly maxBytes: number; readonly hash: Hash | undefined },
): Promise<number> {
  const parts: UploadedPart[] = []
  let uploadId: string | undefined
  const onPart = async (part: Uint8Array) => {
    uploadId ??= await calls.beginUpload(key)
    const number = parts.length + 1
    parts.push({ etag: await calls.uploadPart(key, uploadId, number, part), number })
  }
  try {
    const cut = await cutParts(bytes, {
      reserved: 0,
      maxBytes,
      hash,
      onPart,
      async onTail({ tail, interrupted }) {
        if (interrupted) return
        if (uploadId === undefined) return calls.put(key, tail)
        if (tail.byteLength > 0) await onPart(tail)
      },
    })
    if ('interrupted' in cut) throw cut.interrupted
    if (uploadId !== undefined) await calls.completeUpload(key, uploadId, parts, cut.received)
    return cut.received
  } catch (error) {
    if (uploadId !== undefined) await calls.abortUpload(key, uploadId).catch(() => {})
    throw error
  }
}

async function sha256Of(calls: Calls, key: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of (await openObject(calls, key)).stream) hash.update(chunk)
  return hash.digest('hex')
}
