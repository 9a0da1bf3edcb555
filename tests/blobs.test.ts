/**
 * Both blob stores against one suite. What can go wrong with each, and sealed ones:
 * faults/blobs.test.ts.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBlobs } from '../packages/server/src/blobs/open-blobs.ts'
import { blobsConformance } from './blobs.conformance.ts'
import { withBucket } from './in-bucket.ts'

const clock = Date.now

const { inBucket } = await withBucket()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dragoman-blobs-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('blobs on a disk', () => {
  blobsConformance(async () => {
    const own = await mkdtemp(join(folder, 'conformance-'))
    const now = 1_500_000_000_000
    return {
      open: () => openBlobs(`file:${own}/deep/blobs`, { clock: () => now }),
      now: () => now,
      clear: () => rm(own, { recursive: true, force: true }),
    }
  })
})

inBucket((store) =>
  describe('blobs in a bucket', () => {
    blobsConformance(async () => {
      const url = store.url()
      return { open: () => openBlobs(url, { clock }), now: clock, clear: async () => {} }
    })
  }),
)

describe('a blob URL', () => {
  it.each([
    ['http://example.com', /must begin with file: or s3:/],
    ['file:', /has no folder/],
    ['file://server/share', /has a host/],
    ['s3://', /not usable/],
    ['s3://bucket', /region is missing/],
    ['s3://key:secret@bucket/x?region=r', /must not contain credentials/],
    ['s3://bucket/x?region=r&color=red', /option color is unknown/],
    ['s3://bucket/x?region=r&region=q', /region appears twice/],
    ['s3://bucket/x?region=r&endpoint=nowhere', /endpoint must be an http or https URL/],
    ['s3://bucket/x?region=r&forcePathStyle=maybe', /forcePathStyle must be true or false/],
  ])('%s is refused with a sentence that shows no secret', async (url, says) => {
    const refused = await openBlobs(url, { clock }).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(Error)
    expect((refused as Error).message).toMatch(says)
    expect((refused as Error).message).not.toContain('secret@')
  })

  it('names a folder with signs of its own, as a path and as a URL', async () => {
    const own = await mkdtemp(join(folder, 'url %20 é '))
    await (await openBlobs(`file:${own}/a`, { clock })).ready()
    await (await openBlobs(new URL(`file://${encodeURI(`${own}/b`)}`).href, { clock })).ready()
    expect((await readdir(own)).sort()).toEqual(['a', 'b'])
  })
})
