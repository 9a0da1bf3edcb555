/**
 * F7 for bytes: a writer that was taken for dead goes on writing on another node, and nobody sees
 * what it writes.
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BlobStore, newBlobId } from './blob-store.ts'
import { openDiskBlobs } from './disk/disk.ts'

async function* bytes(...pieces: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}

const textOf = async (store: BlobStore, blobId: string): Promise<string> => {
  const pieces: Buffer[] = []
  for await (const piece of (await store.open(blobId)).stream) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString()
}

describe('two nodes on one folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-fence-'))
  let first: BlobStore
  let second: BlobStore
  beforeAll(async () => {
    first = await openDiskBlobs(folder, { clock: () => 0 })
    second = await openDiskBlobs(folder, { clock: () => 0 })
  })
  afterAll(() => rmSync(folder, { recursive: true }))
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const limits = { maxBytes: 100 }

  it('a late writer does not touch what the one that took over has written', async () => {
    const blobId = newBlobId()
    const begun = await first.append(
      blobId,
      { offset: 0, progress: await first.begin(blobId) },
      bytes('abc'),
      limits,
    )
    let goOn = (): void => {}
    let started = (): void => {}
    const isStarted = new Promise<void>((resolve) => {
      started = resolve
    })
    const stalled = new Promise<void>((resolve) => {
      goOn = resolve
    })
    async function* slow(): AsyncGenerator<Uint8Array> {
      started()
      await stalled
      yield Buffer.from('LATE')
    }
    const late = first.append(blobId, { offset: 3, progress: begun.progress }, slow(), limits)
    await isStarted
    const taken = await second.append(
      blobId,
      { offset: 3, progress: second.fence(begun.progress) },
      bytes('def'),
      limits,
    )
    expect(taken.offset).toBe(6)
    goOn()
    await late
    const more = await second.append(
      blobId,
      { offset: 6, progress: taken.progress },
      bytes('g'),
      limits,
    )
    expect(await second.finish(blobId, { size: 7, progress: more.progress })).toMatchObject({
      size: 7,
    })
    expect(await textOf(second, blobId)).toBe('abcdefg')
    expect(files().map(({ name }) => name)).toEqual([blobId])
    await first.abandon(blobId)
  })

  it('a take-over that writes nothing, or breaks, leaves the upload as it was', async () => {
    const blobId = newBlobId()
    const begun = await first.append(
      blobId,
      { offset: 0, progress: await first.begin(blobId) },
      bytes('abc'),
      limits,
    )
    const fenced = second.fence(begun.progress)
    expect(await second.append(blobId, { offset: 3, progress: fenced }, bytes(), limits)).toEqual({
      offset: 3,
      progress: fenced,
    })
    await expect(
      second.append(blobId, { offset: 3, progress: fenced }, bytes('x'.repeat(98)), limits),
    ).rejects.toThrow()
    expect(files().map(({ name }) => name)).toEqual([`${blobId}.part`])
    const taken = await second.append(blobId, { offset: 3, progress: fenced }, bytes('d'), limits)
    await second.finish(blobId, { size: 4, progress: taken.progress })
    expect(await textOf(second, blobId)).toBe('abcd')
    await first.abandon(blobId)
  })

  it('abandoning and sweeping remove every part', async () => {
    for (const clear of [(blobId: string) => second.abandon(blobId), () => second.sweep(1_000)]) {
      const blobId = newBlobId()
      const begun = await first.append(
        blobId,
        { offset: 0, progress: await first.begin(blobId) },
        bytes('abc'),
        limits,
      )
      await second.append(
        blobId,
        { offset: 3, progress: second.fence(begun.progress) },
        bytes('d'),
        limits,
      )
      expect(files()).toHaveLength(2)
      await clear(blobId)
      expect(files()).toHaveLength(0)
    }
  })
})
