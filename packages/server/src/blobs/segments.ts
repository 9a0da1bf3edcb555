// The format of sealed bytes. A blob is split into segments of 256 KiB and a shorter last one,
// which may be empty. Each is sealed with AES-256-GCM under the blob's own key and followed by its
// nonce and tag. The tag also covers the blob's id, the segment's number and whether it is the
// last: truncating, reordering or mixing blobs is detected. Nonces are random, because an
// interrupted upload may write a segment again with other bytes.
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { BlobDamaged } from './blob-store.ts'

/**
 * Smaller segments cost more, because each is passed through many layers; the bytes after the last
 * one go into a row.
 */
export const segmentBytes = 256 * 1024
const nonceBytes = 12
const tagBytes = 16
const addedBytes = nonceBytes + tagBytes
export const sealedSegmentBytes = segmentBytes + addedBytes

export type SealedBlob = { readonly blobId: string; readonly key: Uint8Array }
/** `tail`: bytes after the last full segment of an unfinished write, which are kept separately. */
export type Mark = 'full' | 'last' | 'tail'
const markNumbers: Record<Mark, number> = { full: 0, last: 1, tail: 2 }

export const segmentOf = (position: number): number => Math.floor(position / segmentBytes)

export const sealedSize = (size: number): number => size + (segmentOf(size) + 1) * addedBytes

export function plainSize(sealed: number): number {
  const rest = sealed % sealedSegmentBytes
  if (rest < addedBytes)
    throw new BlobDamaged('A sealed blob has a size that no sealed blob can have.')
  return Math.floor(sealed / sealedSegmentBytes) * segmentBytes + rest - addedBytes
}

function about({ blobId }: SealedBlob, index: number, mark: Mark): Buffer {
  const bytes = Buffer.alloc(25)
  bytes.write(blobId, 'hex')
  bytes.writeBigUInt64BE(BigInt(index), 16)
  bytes[24] = markNumbers[mark]
  return bytes
}

export function sealSegment(
  blob: SealedBlob,
  index: number,
  mark: Mark,
  plain: readonly Uint8Array[],
): Uint8Array[] {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', blob.key, nonce).setAAD(about(blob, index, mark))
  const sealed: Uint8Array[] = plain.map((piece) => cipher.update(piece))
  cipher.final()
  // In its own buffer, because it is transferred between threads.
  const end = new Uint8Array(addedBytes)
  end.set(nonce)
  end.set(cipher.getAuthTag(), nonceBytes)
  return [...sealed, end]
}

/** Returns nothing of a segment before all of it is verified. */
export function openSegment(
  blob: SealedBlob,
  index: number,
  mark: Mark,
  sealed: readonly Uint8Array[],
): Uint8Array[] {
  const line = openByteQueue(sealed)
  if (line.size() < addedBytes) throw damaged()
  const bytes = line.take(line.size() - addedBytes)
  const end = Buffer.concat(line.take(addedBytes))
  const decipher = createDecipheriv('aes-256-gcm', blob.key, end.subarray(0, nonceBytes))
    .setAAD(about(blob, index, mark))
    .setAuthTag(end.subarray(nonceBytes))
  const plain = bytes.map((piece) => decipher.update(piece))
  try {
    decipher.final()
  } catch {
    throw damaged()
  }
  return plain
}

export const damaged = (): BlobDamaged =>
  new BlobDamaged('Sealed bytes are damaged, or were sealed with another key.')

/** A queue of bytes: added at the end, taken from the start, without a copy. */
export type ByteQueue = {
  size(): number
  put(pieces: readonly Uint8Array[]): void
  /** Exactly this many; the queue must hold them. */
  take(count: number): Uint8Array[]
  /** The queued pieces. */
  pieces(): readonly Uint8Array[]
}

export function openByteQueue(given: readonly Uint8Array[] = []): ByteQueue {
  let pieces: Uint8Array[] = []
  let size = 0
  const put = (more: readonly Uint8Array[]) => {
    for (const piece of more) {
      if (piece.byteLength === 0) continue
      pieces.push(piece)
      size += piece.byteLength
    }
  }
  put(given)
  return {
    size: () => size,
    pieces: () => pieces,
    put,
    take(count) {
      const taken: Uint8Array[] = []
      let missing = count
      let used = 0
      for (const piece of pieces) {
        if (missing === 0) break
        if (piece.byteLength > missing) {
          taken.push(piece.subarray(0, missing))
          pieces[used] = piece.subarray(missing)
          missing = 0
          break
        }
        taken.push(piece)
        missing -= piece.byteLength
        used += 1
      }
      pieces = pieces.slice(used)
      size -= count
      return taken
    },
  }
}
