// Sealed blobs: wraps any store and seals every blob under its own key (segments.ts). The caller
// has the keys; the store below sees sealed bytes only. There are no links: their readers could not
// open the blob.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type BlobStore, type ByteRange, mustBeBlobId, type OpenBlob } from '../blob-store.ts'
import { type RunningHashes, runningHashes } from '../running-hash.ts'
import { plainSize, sealedSegmentBytes, segmentBytes, segmentOf } from '../segments.ts'
import { type ByteHash, openFilePart, openStream } from './seal-thread.ts'
import { flow } from './sealed-flow.ts'
import { sealedWrites } from './sealed-write.ts'
import type { OpenStart } from './sealing.ts'

export { fenceSealed } from './sealed-write.ts'

/** Hashes of this node's uploads in progress, under any key. */
const running = new WeakMap<BlobStore, RunningHashes<ByteHash>>()

function hashesOf(store: BlobStore): RunningHashes<ByteHash> {
  const known = running.get(store) ?? runningHashes<ByteHash>()
  running.set(store, known)
  return known
}

export function sealBlobs(store: BlobStore, key: Uint8Array): BlobStore {
  const { link: _, copy: __, ...others } = store
  const open = (blobId: string, range?: ByteRange) => openSealed(store, key, blobId, range)
  const sha256 = async (blobId: string): Promise<string> => {
    const hash = createHash('sha256')
    for await (const piece of (await open(blobId)).stream) hash.update(piece)
    return hash.digest('hex')
  }
  return {
    ...others,
    ...sealedWrites({ store, key, hashes: hashesOf(store), sha256 }),
    open,
    size: async (blobId) => plainSize(await store.size(blobId)),
    async *list() {
      for await (const blob of store.list()) yield { ...blob, size: plainSize(blob.size) }
    },
  }
}

async function openSealed(
  store: BlobStore,
  key: Uint8Array,
  blobId: string,
  range?: ByteRange,
): Promise<OpenBlob> {
  const blob = { blobId: mustBeBlobId(blobId), key }
  const part = range && segmentsOf(range, await store.size(blobId))
  const opened = await store.open(blobId, part)
  try {
    const size = plainSize(opened.size)
    const { start, end } = range ?? { start: 0, end: size - 1 }
    const first: OpenStart = {
      blob,
      index: segmentOf(start),
      skip: start % segmentBytes,
      size: end - start + 1,
      toEnd: range === undefined || segmentOf(end) === segmentOf(size),
    }
    const { fd } = opened
    const bytes =
      fd === undefined
        ? flow(opened.stream, { open: () => openStream(first), spends: true })
        : openFilePart(first, { fd, ...(part ?? { start: 0, end: opened.size - 1 }) })
    // In object mode: a byte stream would concatenate, and so copy, buffered pieces.
    const plain = Readable.from(bytes)
    // A reader that never starts must still release the stream below.
    plain.once('close', () => opened.stream.destroy())
    return { size, stamp: opened.stamp, stream: plain }
  } catch (error) {
    opened.stream.destroy()
    throw error
  }
}

/** Where the segments that hold a range are. */
function segmentsOf({ start, end }: ByteRange, sealed: number): ByteRange {
  const size = plainSize(sealed)
  if (!(start >= 0 && start <= end && end < size))
    throw new RangeError(`The blob has ${size} bytes.`)
  return {
    start: segmentOf(start) * sealedSegmentBytes,
    end: Math.min((segmentOf(end) + 1) * sealedSegmentBytes, sealed) - 1,
  }
}
