/**
 * What both blob stores guarantee. `place` has its own folder or prefix; a second `open` is another
 * node on the same one. State that a caller keeps between two calls is passed through JSON here, as
 * if it were stored in a row.
 */
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  type Appended,
  BlobConflict,
  BlobMissing,
  type BlobStore,
  BlobTooLarge,
  newBlobId,
  type Progress,
} from '../packages/server/src/blobs/blob-store.ts'

export type BlobPlaceOfTest = {
  open(): Promise<BlobStore>
  /** The clock that the store uses to date blobs. */
  now(): number
  clear(): Promise<void>
}

export const MiB = 1024 * 1024
export const roomy = { maxBytes: 1024 * MiB }

/** Non-repeating bytes, the same for the same seed. */
export function pattern(size: number, seed = 1): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  let state = (seed * 2_654_435_761) >>> 0 || 1
  for (let at = 0; at + 4 <= size; at += 4) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    bytes.writeUInt32LE(state, at)
  }
  bytes.fill(seed, size - (size % 4))
  return bytes
}

export const sha256 = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/**
 * A source of these bytes in pieces, as from a socket; fails with `breaks` at its end, if given.
 */
export async function* sourceOf(
  bytes: Uint8Array,
  options: { piece?: number; breaks?: Error } = {},
) {
  const piece = options.piece ?? 65_521
  for (let at = 0; at < bytes.byteLength; at += piece) yield bytes.subarray(at, at + piece)
  if (options.breaks) throw options.breaks
}

export async function readAll(
  store: BlobStore,
  blobId: string,
  range?: { start: number; end: number },
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  for await (const piece of (await store.open(blobId, range)).stream) pieces.push(piece)
  return Buffer.concat(pieces)
}

const asRow = (progress: Progress): Progress => JSON.parse(JSON.stringify(progress))

/** An upload with the row that its caller would keep. */
export async function beginUpload(store: BlobStore) {
  const blobId = newBlobId()
  let row = { offset: 0, progress: asRow(await store.begin(blobId)) }
  return {
    blobId,
    row: () => row,
    /** Appends at the committed offset; commits unless told not to. */
    async append(
      bytes: AsyncIterable<Uint8Array>,
      options: { by?: BlobStore; commit?: boolean; entire?: boolean } = {},
    ): Promise<Appended> {
      const { by = store, entire = false } = options
      const appended = await by.append(blobId, row, bytes, { ...roomy, entire })
      if (options.commit ?? true)
        row = { offset: appended.offset, progress: asRow(appended.progress) }
      return appended
    },
    finish: (by: BlobStore = store) =>
      by.finish(blobId, { size: row.offset, progress: row.progress }),
  }
}

const blobIdsOf = async (store: BlobStore): Promise<string[]> => {
  const found: string[] = []
  for await (const { blobId } of store.list()) found.push(blobId)
  return found.sort()
}

export function blobsConformance(makePlace: () => Promise<BlobPlaceOfTest>): void {
  let place: BlobPlaceOfTest
  let store: BlobStore
  let other: BlobStore
  beforeEach(async () => {
    place = await makePlace()
    store = await place.open()
    other = await place.open()
  })
  afterEach(async () => {
    await store.close()
    await other.close()
    await place.clear()
  })

  /** Expects that neither a blob nor any partial write exists. */
  const expectNothing = async (): Promise<void> => {
    expect(await blobIdsOf(store)).toEqual([])
    expect(await store.sweep(place.now() + 3_600_000)).toBe(0)
  }

  describe('a whole blob', () => {
    const sizes = [0, 1, 65_537, MiB, 8 * MiB - 1, 8 * MiB, 8 * MiB + 1, 17 * MiB + 5]
    it.each(sizes)('of %i bytes comes back as it was', async (size) => {
      const bytes = pattern(size)
      const blobId = newBlobId()
      expect(await store.put(blobId, sourceOf(bytes), roomy)).toEqual({
        size,
        sha256: sha256(bytes),
      })
      expect(await other.size(blobId)).toBe(size)
      expect((await readAll(other, blobId)).equals(bytes)).toBe(true)
    })

    it('in tiny pieces comes back as it was', async () => {
      const bytes = pattern(20_011)
      const blobId = newBlobId()
      expect(await store.put(blobId, sourceOf(bytes, { piece: 3 }), roomy)).toEqual({
        size: 20_011,
        sha256: sha256(bytes),
      })
      expect((await readAll(store, blobId)).equals(bytes)).toBe(true)
    })

    it.each([10, 9 * MiB])('whose source breaks after %i bytes leaves nothing', async (size) => {
      const breaks = new Error('the line is cut')
      await expect(store.put(newBlobId(), sourceOf(pattern(size), { breaks }), roomy)).rejects.toBe(
        breaks,
      )
      await expectNothing()
    })

    it.each([10, 9 * MiB])('of one byte more than %i allowed leaves nothing', async (maxBytes) => {
      const put = store.put(newBlobId(), sourceOf(pattern(maxBytes + 1)), { maxBytes })
      await expect(put).rejects.toBeInstanceOf(BlobTooLarge)
      await expectNothing()
      expect(await store.put(newBlobId(), sourceOf(pattern(maxBytes)), { maxBytes })).toMatchObject(
        { size: maxBytes },
      )
    })

    it('is gone once it is removed, and may be removed again', async () => {
      const blobId = newBlobId()
      await store.put(blobId, sourceOf(pattern(10)), roomy)
      await store.remove(blobId)
      await store.remove(blobId)
      await expect(store.open(blobId)).rejects.toBeInstanceOf(BlobMissing)
      await expect(store.size(blobId)).rejects.toBeInstanceOf(BlobMissing)
      await expectNothing()
    })

    it.each(['', '../../etc/passwd', 'A'.repeat(32), `${'a'.repeat(32)}.part`, 'é'.repeat(32)])(
      'is never named %j',
      async (name) => {
        await expect(
          (async () => store.put(name, sourceOf(pattern(1)), roomy))(),
        ).rejects.toBeInstanceOf(TypeError)
        await expect((async () => store.open(name))()).rejects.toBeInstanceOf(TypeError)
        await expect((async () => store.remove(name))()).rejects.toBeInstanceOf(TypeError)
      },
    )

    it('is given out in ranges', async () => {
      const bytes = pattern(9 * MiB + 7)
      const blobId = newBlobId()
      await store.put(blobId, sourceOf(bytes), roomy)
      const last = bytes.byteLength - 1
      for (const [start, end] of [
        [0, 0],
        [last, last],
        [0, last],
        [8 * MiB - 3, 8 * MiB + 3],
        [1, 2 * MiB],
      ] as const) {
        expect(
          (await readAll(store, blobId, { start, end })).equals(bytes.subarray(start, end + 1)),
        ).toBe(true)
      }
      const opened = await store.open(blobId, { start: 5, end: 6 })
      expect(opened.size).toBe(bytes.byteLength)
      opened.stream.destroy()
      for (const [start, end] of [
        [-1, 3],
        [4, 3],
        [0, last + 1],
        [last + 1, last + 1],
      ] as const) {
        await expect(store.open(blobId, { start, end })).rejects.toBeInstanceOf(RangeError)
      }
    })

    it('of no bytes has no ranges', async () => {
      const blobId = newBlobId()
      await store.put(blobId, sourceOf(pattern(0)), roomy)
      expect(await readAll(store, blobId)).toHaveLength(0)
      await expect(store.open(blobId, { start: 0, end: 0 })).rejects.toBeInstanceOf(RangeError)
    })

    it('has the same stamp for as long as nobody touches it', async () => {
      const [first, second] = [newBlobId(), newBlobId()]
      await store.put(first, sourceOf(pattern(10, 1)), roomy)
      await store.put(second, sourceOf(pattern(10, 2)), roomy)
      const stampOf = async (by: BlobStore, blobId: string) => {
        const { stamp, stream } = await by.open(blobId)
        stream.destroy()
        return stamp
      }
      expect(await stampOf(other, first)).toBe(await stampOf(store, first))
      expect(await stampOf(store, second)).not.toBe(await stampOf(store, first))
    })

    it('is listed with its size and age, beside nothing that is half written', async () => {
      const sizes = new Map<string, number>()
      for (const size of [0, 5, 70_000]) {
        const blobId = newBlobId()
        sizes.set(blobId, size)
        await store.put(blobId, sourceOf(pattern(size)), roomy)
      }
      const upload = await beginUpload(store)
      await upload.append(sourceOf(pattern(100)))
      const listed = new Map<string, number>()
      for await (const { blobId, size, modifiedAt } of other.list()) {
        listed.set(blobId, size)
        expect(Math.abs(modifiedAt - place.now())).toBeLessThan(120_000)
      }
      expect(listed).toEqual(sizes)
    })
  })

  describe('a resumable write', () => {
    it('in pieces of any size gives the bytes in their order', async () => {
      const sizes = [1, 100_000, 8 * MiB - 1, 3, 8 * MiB + 3, 5 * MiB, 0, 17]
      const bytes = pattern(sizes.reduce((sum, size) => sum + size))
      const upload = await beginUpload(store)
      let at = 0
      for (const size of sizes) {
        expect((await upload.append(sourceOf(bytes.subarray(at, at + size)))).offset).toBe(
          at + size,
        )
        at += size
      }
      expect(await upload.finish()).toEqual({ size: at, sha256: sha256(bytes) })
      expect((await readAll(other, upload.blobId)).equals(bytes)).toBe(true)
      expect(await store.sweep(place.now() + 3_600_000)).toBe(0)
    })

    it('in 40 small pieces gives the bytes in their order', async () => {
      const bytes = pattern(40 * 1_001)
      const upload = await beginUpload(store)
      for (let at = 0; at < bytes.byteLength; at += 1_001)
        await upload.append(sourceOf(bytes.subarray(at, at + 1_001)))
      expect(await upload.finish()).toEqual({ size: bytes.byteLength, sha256: sha256(bytes) })
      expect((await readAll(store, upload.blobId)).equals(bytes)).toBe(true)
      expect(await store.sweep(place.now() + 3_600_000)).toBe(0)
    })

    it('of no bytes is finished too', async () => {
      const upload = await beginUpload(store)
      expect(await upload.finish()).toEqual({ size: 0, sha256: sha256(Buffer.alloc(0)) })
      expect(await store.size(upload.blobId)).toBe(0)
    })

    it.each([1_000, 9 * MiB])(
      'keeps the %i bytes that came before its source broke',
      async (size) => {
        const bytes = pattern(size + 50)
        const breaks = new Error('the line is cut')
        const upload = await beginUpload(store)
        const cut = await upload.append(sourceOf(bytes.subarray(0, size), { breaks }))
        expect(cut).toMatchObject({ offset: size, interrupted: breaks })
        await upload.append(sourceOf(bytes.subarray(size)))
        expect(await upload.finish()).toEqual({ size: size + 50, sha256: sha256(bytes) })
        expect((await readAll(store, upload.blobId)).equals(bytes)).toBe(true)
      },
    )

    it.each([1_000, 9 * MiB])(
      'keeps none of %i bytes of a source that broke where all or nothing is asked for',
      async (size) => {
        const bytes = pattern(500 + size)
        const breaks = new Error('the line is cut')
        const upload = await beginUpload(store)
        await upload.append(sourceOf(bytes.subarray(0, 500)))
        const before = upload.row()
        const cut = await upload.append(sourceOf(pattern(size, 9), { breaks }), { entire: true })
        expect(cut).toEqual({ ...before, interrupted: breaks })
        await upload.append(sourceOf(bytes.subarray(500)), { entire: true })
        expect(await upload.finish()).toEqual({ size: bytes.byteLength, sha256: sha256(bytes) })
        expect((await readAll(store, upload.blobId)).equals(bytes)).toBe(true)
        expect(await store.sweep(place.now() + 3_600_000)).toBe(0)
      },
    )

    it('whose source breaks at once stays where it was', async () => {
      const breaks = new Error('the line is cut')
      const upload = await beginUpload(store)
      await upload.append(sourceOf(pattern(10)))
      const before = upload.row()
      expect(await upload.append(sourceOf(pattern(0), { breaks }))).toEqual({
        ...before,
        interrupted: breaks,
      })
    })

    it.each([20, 9 * MiB])('overwrites %i bytes that were never committed', async (size) => {
      const kept = pattern(100, 1)
      const upload = await beginUpload(store)
      await upload.append(sourceOf(kept))
      await upload.append(sourceOf(pattern(size, 2)), { commit: false })
      await upload.append(sourceOf(pattern(size, 3)), { commit: false, by: other })
      const last = pattern(7, 4)
      await upload.append(sourceOf(last))
      const bytes = Buffer.concat([kept, last])
      expect(await upload.finish()).toEqual({ size: 107, sha256: sha256(bytes) })
      expect((await readAll(store, upload.blobId)).equals(bytes)).toBe(true)
    })

    it('goes on on another node, and back, and is finished by a third', async () => {
      const bytes = pattern(10 * MiB)
      const upload = await beginUpload(store)
      await upload.append(sourceOf(bytes.subarray(0, 5 * MiB)))
      await upload.append(sourceOf(bytes.subarray(5 * MiB, 9 * MiB)), { by: other })
      await upload.append(sourceOf(bytes.subarray(9 * MiB)))
      const third = await place.open()
      expect(await upload.finish(third)).toEqual({ size: 10 * MiB, sha256: sha256(bytes) })
      expect((await readAll(store, upload.blobId)).equals(bytes)).toBe(true)
      await third.close()
    })

    it.each([30, 9 * MiB])(
      'of %i bytes may be finished again, here and on another node',
      async (size) => {
        const bytes = pattern(size)
        const upload = await beginUpload(store)
        await upload.append(sourceOf(bytes))
        const written = { size, sha256: sha256(bytes) }
        expect(await upload.finish()).toEqual(written)
        expect(await upload.finish()).toEqual(written)
        expect(await upload.finish(other)).toEqual(written)
        expect((await readAll(store, upload.blobId)).equals(bytes)).toBe(true)
      },
    )

    it('has one writer at a time', async () => {
      const upload = await beginUpload(store)
      const ends = await Promise.allSettled([
        upload.append(sourceOf(pattern(5 * MiB, 1)), { commit: false }),
        upload.append(sourceOf(pattern(5 * MiB, 2)), { commit: false }),
      ])
      expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const refused = ends.find((end) => end.status === 'rejected')
      expect(refused?.reason).toBeInstanceOf(BlobConflict)
    })

    it('shuts out a late writer of another node once it is fenced', async () => {
      const kept = pattern(9 * MiB, 1)
      const upload = await beginUpload(store)
      await upload.append(sourceOf(kept))
      const { offset, progress } = upload.row()
      let goOn = (): void => {}
      const stalled = new Promise<void>((resolve) => {
        goOn = resolve
      })
      async function* slow() {
        yield* sourceOf(pattern(8 * MiB, 2))
        await stalled
        yield* sourceOf(pattern(8 * MiB, 2))
      }
      const late = store.append(upload.blobId, { offset, progress }, slow(), roomy)
      const fenced = { offset, progress: asRow(other.fence(progress)) }
      const own = pattern(10 * MiB, 3)
      const taken = await other.append(upload.blobId, fenced, sourceOf(own), roomy)
      goOn()
      await late.catch(() => {})
      const size = offset + own.byteLength
      const bytes = Buffer.concat([kept, own])
      expect(await other.finish(upload.blobId, { size, progress: asRow(taken.progress) })).toEqual({
        size,
        sha256: sha256(bytes),
      })
      expect((await readAll(store, upload.blobId)).equals(bytes)).toBe(true)
    })

    it('counts nothing of an append beyond the limit, and goes on', async () => {
      const bytes = pattern(60)
      const upload = await beginUpload(store)
      await upload.append(sourceOf(bytes.subarray(0, 50)))
      const over = store.append(upload.blobId, upload.row(), sourceOf(pattern(51, 9)), {
        maxBytes: 100,
      })
      await expect(over).rejects.toBeInstanceOf(BlobTooLarge)
      await upload.append(sourceOf(bytes.subarray(50)))
      expect(await upload.finish()).toEqual({ size: 60, sha256: sha256(bytes) })
    })

    it('is refused at an offset that was never reached', async () => {
      const upload = await beginUpload(store)
      await upload.append(sourceOf(pattern(50)))
      const { progress } = upload.row()
      await expect(
        store.append(upload.blobId, { offset: 51, progress }, sourceOf(pattern(1)), roomy),
      ).rejects.toThrow()
      await expect(store.finish(upload.blobId, { size: 51, progress })).rejects.toThrow()
      expect(await blobIdsOf(store)).toEqual([])
    })

    it.each([100, 9 * MiB])(
      'of %i bytes that is given up leaves nothing, finished or not',
      async (size) => {
        const open = await beginUpload(store)
        await open.append(sourceOf(pattern(size)))
        await open.append(sourceOf(pattern(size)), { commit: false })
        await store.abandon(open.blobId)
        await store.abandon(open.blobId)
        const finished = await beginUpload(store)
        await finished.append(sourceOf(pattern(size)))
        await finished.finish()
        await other.abandon(finished.blobId)
        await expectNothing()
      },
    )
  })

  describe('sweeping', () => {
    it('removes leftovers that are old and that nobody knows, and no whole blob', async () => {
      const whole = newBlobId()
      await store.put(whole, sourceOf(pattern(10)), roomy)
      const [lost, known] = [await beginUpload(store), await beginUpload(store)]
      await lost.append(sourceOf(pattern(9 * MiB)))
      await known.append(sourceOf(pattern(9 * MiB)))
      const later = place.now() + 60_000
      expect(await other.sweep(place.now() - 60_000)).toBe(0)
      expect(await other.sweep(later, async (blobId) => blobId === known.blobId)).toBeGreaterThan(0)
      expect(await other.sweep(later, async (blobId) => blobId === known.blobId)).toBe(0)
      await expect(lost.append(sourceOf(pattern(1))).then(() => lost.finish())).rejects.toThrow()
      await known.append(sourceOf(pattern(1)))
      expect(await known.finish()).toMatchObject({ size: 9 * MiB + 1 })
      expect(await blobIdsOf(store)).toEqual([whole, known.blobId].sort())
    })

    it('asks about every unfinished write, also one under way', async () => {
      const upload = await beginUpload(store)
      // Enough that some of them must reach the store.
      await upload.append(sourceOf(pattern(300_000)))
      const asked: string[] = []
      async function* whileWriting() {
        yield pattern(1)
        await store.sweep(Number.POSITIVE_INFINITY, async (blobId) => asked.push(blobId) > 0)
      }
      await upload.append(whileWriting())
      expect(asked).toEqual([upload.blobId])
    })

    it('leaves alone what this node is writing', async () => {
      const blobId = newBlobId()
      async function* whileSwept() {
        yield pattern(9 * MiB)
        expect(await store.sweep(place.now() + 3_600_000)).toBe(0)
        yield pattern(1)
      }
      expect(await store.put(blobId, whileSwept(), roomy)).toMatchObject({ size: 9 * MiB + 1 })
    })
  })

  it('says that it is ready, and leaves no trace of asking', async () => {
    await store.ready()
    await expectNothing()
  })
}
