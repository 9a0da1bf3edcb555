// Streams of segments, in both directions: returns written bytes sealed, or opened and verified,
// one whole segment at a time.
import {
  damaged,
  type Mark,
  openByteQueue,
  openSegment,
  type SealedBlob,
  sealedSegmentBytes,
  sealSegment,
  segmentBytes,
} from '../segments.ts'

export type Pieces = Uint8Array[]

export type SealStart = {
  readonly blob: SealedBlob
  /** The first segment. */
  readonly index: number
  /** Sealed bytes at the start of the first segment. */
  readonly tail?: Uint8Array
}

export type OpenStart = {
  readonly blob: SealedBlob
  readonly index: number
  /** Bytes of the first segment to skip. */
  readonly skip: number
  readonly size: number
  /** Whether they include the last segment of the blob. */
  readonly toEnd: boolean
}

export type Stream = {
  write(pieces: readonly Uint8Array[]): Pieces
  /** The remaining bytes. A sealing stream needs their mark. */
  end(mark?: Mark): Pieces
  /** Bytes that wait for the rest of their segment. */
  held(): readonly Uint8Array[]
}

export function sealing({ blob, index, tail }: SealStart): Stream {
  const queue = openByteQueue(tail ? openSegment(blob, index, 'tail', [tail]) : [])
  let next = index
  return {
    write(pieces) {
      const sealed: Pieces = []
      queue.put(pieces)
      while (queue.size() >= segmentBytes) {
        sealed.push(...sealSegment(blob, next, 'full', queue.take(segmentBytes)))
        next += 1
      }
      return sealed
    },
    end: (mark = 'last') => sealSegment(blob, next, mark, queue.take(queue.size())),
    held: queue.pieces,
  }
}

export function opening({ blob, index, skip, size, toEnd }: OpenStart): Stream {
  const queue = openByteQueue()
  let next = index
  let unwanted = skip
  let missing = size
  const wanted = (plain: readonly Uint8Array[]): Pieces => {
    const found: Pieces = []
    for (const piece of plain) {
      const kept = piece.subarray(unwanted, unwanted + missing)
      unwanted -= Math.min(unwanted, piece.byteLength)
      missing -= kept.byteLength
      if (kept.byteLength > 0) found.push(kept)
    }
    return found
  }
  return {
    write(pieces) {
      const plain: Pieces = []
      queue.put(pieces)
      while (queue.size() >= sealedSegmentBytes) {
        plain.push(...wanted(openSegment(blob, next, 'full', queue.take(sealedSegmentBytes))))
        next += 1
      }
      return plain
    },
    end() {
      const plain = toEnd ? wanted(openSegment(blob, next, 'last', queue.take(queue.size()))) : []
      if (queue.size() > 0 || missing > 0) throw damaged()
      return plain
    },
    held: queue.pieces,
  }
}
