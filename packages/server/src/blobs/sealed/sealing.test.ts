/** The form of sealed bytes: what comes back, and that nothing that was changed does. */
import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { BlobDamaged, newBlobId } from '../blob-store.ts'
import {
  plainSize,
  type SealedBlob,
  sealedSegmentBytes,
  sealedSize,
  segmentBytes,
  segmentOf,
} from '../segments.ts'
import { type OpenStart, opening, sealing } from './sealing.ts'

const S = segmentBytes
const newBlob = (): SealedBlob => ({ blobId: newBlobId(), key: randomBytes(32) })

/** In pieces of any size, as they come from a socket. */
function inPieces(bytes: Uint8Array, piece: number): Uint8Array[] {
  const pieces: Uint8Array[] = []
  for (let at = 0; at < bytes.byteLength; at += piece) pieces.push(bytes.subarray(at, at + piece))
  return pieces
}

function seal(blob: SealedBlob, bytes: Uint8Array, piece = 50_000): Buffer {
  const stream = sealing({ blob, index: 0 })
  const sealed = inPieces(bytes, piece).flatMap((one) => stream.write([one]))
  return Buffer.concat([...sealed, ...stream.end('last')])
}

function open(
  blob: SealedBlob,
  sealed: Uint8Array,
  piece = 70_001,
  part: Partial<OpenStart> = {},
): Buffer {
  const size = part.size ?? plainSize(sealed.byteLength)
  const stream = opening({ blob, index: 0, skip: 0, toEnd: true, ...part, size })
  const plain = inPieces(sealed, piece).flatMap((one) => stream.write([one]))
  return Buffer.concat([...plain, ...stream.end()])
}

describe('a sealed blob', () => {
  it.each([0, 1, S - 1, S, S + 1, 2 * S - 1, 2 * S, 2 * S + 1, 5 * S + 7])(
    'of %i bytes opens as it was, has the size that was foretold, and shows none of its bytes',
    (size) => {
      const [blob, bytes] = [newBlob(), randomBytes(size)]
      for (const piece of [1_000, S, 3 * S]) {
        const sealed = seal(blob, bytes, piece)
        expect(sealed.byteLength).toBe(sealedSize(size))
        expect(plainSize(sealed.byteLength)).toBe(size)
        expect(open(blob, sealed, piece + 13).equals(bytes)).toBe(true)
        if (size >= 16) expect(sealed.includes(bytes.subarray(size - 16))).toBe(false)
      }
    },
  )

  it('is never sealed the same way twice', () => {
    const blob = newBlob()
    expect(seal(blob, Buffer.alloc(100)).equals(seal(blob, Buffer.alloc(100)))).toBe(false)
  })

  it('opens in every range, at every edge of a segment', () => {
    const [blob, bytes] = [newBlob(), randomBytes(3 * S + 5)]
    const sealed = seal(blob, bytes)
    const edges = [0, 1, S - 1, S, S + 1, 2 * S, 3 * S - 1, 3 * S, 3 * S + 4]
    for (const start of edges)
      for (const end of edges.filter((edge) => edge >= start)) {
        const [from, to] = [segmentOf(start), segmentOf(end)]
        const part = sealed.subarray(from * sealedSegmentBytes, (to + 1) * sealedSegmentBytes)
        const asked = { index: from, skip: start % S, size: end - start + 1, toEnd: to === 3 }
        expect(
          open(blob, part, 40_000, asked).equals(bytes.subarray(start, end + 1)),
          `${start}-${end}`,
        ).toBe(true)
      }
  })

  it('continues from a tail that was stored separately', () => {
    const [blob, bytes] = [newBlob(), randomBytes(2 * S + 100)]
    for (const cut of [0, 1, S - 1, S, S + 1, 2 * S, 2 * S + 100]) {
      const first = sealing({ blob, index: 0 })
      const before = first.write([bytes.subarray(0, cut)])
      const tail = Buffer.concat(first.end('tail'))
      const second = sealing({ blob, index: segmentOf(cut), tail })
      const after = second.write([bytes.subarray(cut)])
      const sealed = Buffer.concat([...before, ...after, ...second.end('last')])
      expect(open(blob, sealed).equals(bytes), `cut at ${cut}`).toBe(true)
    }
  })
})

describe('sealed bytes are refused', () => {
  const [blob, bytes] = [newBlob(), randomBytes(3 * S + 500)]
  const sealed = seal(blob, bytes)
  const segment = (index: number) =>
    sealed.subarray(index * sealedSegmentBytes, (index + 1) * sealedSegmentBytes)
  const refused = (changed: Uint8Array, by = blob) =>
    expect(() => open(by, changed)).toThrow(BlobDamaged)

  it('when a bit of them is flipped, wherever', () => {
    for (const at of [
      0,
      1,
      S - 1,
      S,
      S + 11,
      S + 12,
      S + 27,
      S + 28,
      sealed.length - 29,
      sealed.length - 1,
    ]) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      refused(changed)
    }
  })

  it('when their end is cut off, between segments or inside of one', () => {
    for (const length of [
      0,
      27,
      28,
      3 * sealedSegmentBytes,
      3 * sealedSegmentBytes + 28,
      sealed.length - 1,
      100,
    ])
      refused(sealed.subarray(0, length))
    refused(Buffer.concat([sealed, Buffer.alloc(1)]))
  })

  it('when segments changed places, came twice or are missing in the middle', () => {
    refused(Buffer.concat([segment(1), segment(0), segment(2), segment(3)]))
    refused(Buffer.concat([segment(0), segment(0), segment(2), segment(3)]))
    refused(Buffer.concat([segment(0), segment(2), segment(3)]))
  })

  it('when they belong to another blob, even one with the same key', () => {
    const other = { ...blob, blobId: newBlobId() }
    const strange = seal(other, bytes)
    refused(strange)
    refused(Buffer.concat([segment(0), strange.subarray(sealedSegmentBytes)]))
  })

  it('when the key is wrong', () => refused(sealed, { ...blob, key: randomBytes(32) }))

  it('when a tail that was stored separately replaces the end', () => {
    const stream = sealing({ blob, index: 0 })
    refused(Buffer.concat([...stream.write([bytes]), ...stream.end('tail')]))
  })

  it('when a range ends before what was asked for', () => {
    const asked = { index: 0, skip: 0, size: 2 * S, toEnd: false }
    expect(() => open(blob, sealed.subarray(0, sealedSegmentBytes), 10_000, asked)).toThrow(
      BlobDamaged,
    )
    expect(() => open(blob, sealed.subarray(0, 2 * sealedSegmentBytes - 1), 10_000, asked)).toThrow(
      BlobDamaged,
    )
  })

  it('and nothing of a bad segment comes out', () => {
    const changed = Buffer.from(sealed)
    changed[sealedSegmentBytes + 5] = (changed[sealedSegmentBytes + 5] ?? 0) ^ 1
    const stream = opening({ blob, index: 0, skip: 0, size: bytes.length, toEnd: true })
    expect(
      Buffer.concat(stream.write([changed.subarray(0, sealedSegmentBytes)])).equals(
        bytes.subarray(0, S),
      ),
    ).toBe(true)
    expect(() => stream.write([changed.subarray(sealedSegmentBytes)])).toThrow(BlobDamaged)
  })
})
