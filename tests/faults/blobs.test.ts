/**
 * What can go wrong with each blob store: full disks, kills, cut lines, lost answers; and sealed
 * stores against the suite of all.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  type BlobStore,
  BlobTrouble,
  newBlobId,
} from '../../packages/server/src/blobs/blob-store.ts'
import { openBlobs } from '../../packages/server/src/blobs/open-blobs.ts'
import { sealBlobs } from '../../packages/server/src/blobs/sealed/sealed.ts'
import { runBlobWriter, type UploadPlace } from '../blob-writer.ts'
import {
  beginUpload,
  blobsConformance,
  MiB,
  pattern,
  readAll,
  roomy,
  sha256,
  sourceOf,
} from '../blobs.conformance.ts'
import { buildProgram } from '../build-program.ts'
import { type FaultyProxy, type Seen, startFaultyProxy } from '../faulty-proxy.ts'
import { withBucket } from '../in-bucket.ts'

const run = promisify(execFile)
const clock = Date.now

const { inBucket } = await withBucket()

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dragoman-blobs-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('sealed blobs on a disk', () => {
  blobsConformance(async () => {
    const own = await mkdtemp(join(folder, 'sealed-'))
    const key = randomBytes(32)
    const now = 1_500_000_000_000
    return {
      open: async () => sealBlobs(await openBlobs(`file:${own}/blobs`, { clock: () => now }), key),
      now: () => now,
      clear: () => rm(own, { recursive: true, force: true }),
    }
  })
})

describe('sealed blobs in a bucket', () => {
  inBucket((store) =>
    blobsConformance(async () => {
      const url = store.url()
      const key = randomBytes(32)
      const open = async () => sealBlobs(await openBlobs(url, { clock }), key)
      return { open, now: clock, clear: async () => {} }
    }),
  )
})

describe('a writer that is killed', () => {
  const file = () => join(folder, 'source')
  const bytes = pattern(9 * MiB + 123)
  beforeAll(async () => {
    await buildProgram()
    await writeFile(file(), bytes)
  })

  /**
   * Killed again and again right after a row was told, which is in the middle of the next append;
   * then done.
   */
  async function survive(url: string, steps: readonly number[]): Promise<void> {
    const store = await openBlobs(url, { clock })
    const { blobId, row } = await beginUpload(store)
    let at: UploadPlace = row()
    for (const step of steps) {
      const told = await runBlobWriter(
        { url, blobId, what: 'append', file: file(), step, row: at },
        { killAfter: 2 },
      )
      at = told.findLast((word) => word.row)?.row ?? at
    }
    expect(at.offset).toBeGreaterThan(0)
    expect(at.offset).toBeLessThan(bytes.byteLength)
    const told = await runBlobWriter({
      url,
      blobId,
      what: 'append',
      file: file(),
      step: 4 * MiB,
      row: at,
    })
    expect(told.at(-1)).toEqual({ done: { size: bytes.byteLength, sha256: sha256(bytes) } })
    expect((await readAll(store, blobId)).equals(bytes)).toBe(true)
    await store.close()
  }

  it('loses no committed byte on a disk', () =>
    survive(`file:${folder}/killed`, [1, 70_000, 300_001, 1_000, MiB]))

  inBucket((store) => {
    it('loses no committed byte in a bucket', () => survive(store.url(), [200_000, MiB, 3 * MiB]))
  })
})

describe('a disk', () => {
  const file = () => join(folder, 'small')
  const bytes = pattern(300_000)
  const isRoot = process.getuid?.() === 0
  const hasStrace = () =>
    run('strace', ['-V']).then(
      () => true,
      () => false,
    )
  beforeAll(async () => {
    await buildProgram()
    await writeFile(file(), bytes)
  })

  const partsIn = async (place: string) =>
    (await readdir(place, { recursive: true })).filter((name) => name.endsWith('.part'))

  it('that is full is told in a sentence, keeps what was committed, and works again once there is room', async ({
    skip,
  }) => {
    if (!isRoot) skip('only root may mount a small disk')
    const place = await mkdtemp(join(folder, 'full-'))
    const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', place]).catch(
      String,
    )
    if (typeof mounted === 'string')
      skip(`a small disk cannot be mounted here: ${mounted.split('\n')[0]}`)
    try {
      const store = await openBlobs(`file:${place}/blobs`, { clock })
      const kept = newBlobId()
      await store.put(kept, sourceOf(pattern(2 * MiB, 1)), roomy)
      const upload = await beginUpload(store)
      await upload.append(sourceOf(pattern(3 * MiB, 2)))

      const full = { name: 'BlobTrouble', message: 'The disk of the blob folder is full.' }
      await expect(
        store.put(newBlobId(), sourceOf(pattern(10 * MiB)), roomy),
      ).rejects.toMatchObject(full)
      await expect(upload.append(sourceOf(pattern(10 * MiB)))).rejects.toMatchObject(full)
      expect(await partsIn(place)).toHaveLength(1)
      expect((await readAll(store, kept)).equals(pattern(2 * MiB, 1))).toBe(true)
      await store.ready()

      await writeFile(join(place, 'filler'), Buffer.alloc(12 * MiB)).catch(() => {})
      await expect(store.ready()).rejects.toBeInstanceOf(BlobTrouble)
      await rm(join(place, 'filler'))
      await store.ready()
      await upload.append(sourceOf(pattern(5 * MiB, 3)))
      const whole = Buffer.concat([pattern(3 * MiB, 2), pattern(5 * MiB, 3)])
      expect(await upload.finish()).toEqual({ size: 8 * MiB, sha256: sha256(whole) })
    } finally {
      await run('umount', [place])
    }
  })

  it('has files that nobody else may read', async () => {
    const place = await mkdtemp(join(folder, 'modes-'))
    const store = await openBlobs(`file:${place}/blobs`, { clock })
    const blobId = newBlobId()
    await store.put(blobId, sourceOf(bytes), roomy)
    expect((await stat(join(place, 'blobs'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(place, 'blobs', blobId.slice(0, 2)))).mode & 0o777).toBe(0o700)
    expect((await stat(join(place, 'blobs', blobId.slice(0, 2), blobId))).mode & 0o777).toBe(0o600)
  })

  it('on which a byte was flipped gives another stamp and other bytes', async () => {
    const store = await openBlobs(`file:${folder}/flipped`, { clock })
    const blobId = newBlobId()
    const written = await store.put(blobId, sourceOf(bytes), roomy)
    const before = await store.open(blobId)
    before.stream.destroy()
    const flipped = await open(join(folder, 'flipped', blobId.slice(0, 2), blobId), 'r+')
    await flipped.write(Buffer.from([(bytes[1_234] ?? 0) ^ 1]), 0, 1, 1_234)
    await flipped.close()
    const after = await store.open(blobId)
    after.stream.destroy()
    expect(after.stamp).not.toBe(before.stamp)
    expect(sha256(await readAll(store, blobId))).not.toBe(written.sha256)
  })

  it('whose folder is gone is not ready', async () => {
    const place = await mkdtemp(join(folder, 'gone-'))
    const store = await openBlobs(`file:${place}/blobs`, { clock })
    await rm(place, { recursive: true })
    await expect(store.ready()).rejects.toBeInstanceOf(BlobTrouble)
  })

  it('has the bytes before the name, and the name before the answer', async ({ skip }) => {
    if (!(await hasStrace())) skip('strace was not found')
    const place = await mkdtemp(join(folder, 'order-'))
    for (const what of ['put', 'append'] as const) {
      const url = `file:${place}/blobs`
      const { blobId, row } = await beginUpload(await openBlobs(url, { clock }))
      const id = what === 'put' ? newBlobId() : blobId
      const log = join(place, `${what}.log`)
      const under = [
        'strace',
        '-f',
        '-y',
        '-o',
        log,
        '-e',
        'trace=fsync,fdatasync,/^rename,write',
        '-s',
        '20',
      ]
      const told = await runBlobWriter(
        { url, blobId: id, what, file: file(), step: MiB, row: row() },
        { under },
      )
      expect(told.at(-1)?.done).toEqual({ size: bytes.byteLength, sha256: sha256(bytes) })
      const calls = (await readFile(log, 'utf8')).split('\n')
      const where = (form: RegExp, from = 0) =>
        calls.findIndex((call, index) => index >= from && form.test(call))
      const flushed = where(new RegExp(`sync\\(\\d+<[^>]*${id}\\.part>`))
      const renamed = where(new RegExp(`rename\\w*\\(.*${id}\\.part.*${id}"`))
      const named = where(new RegExp(`fsync\\(\\d+<[^>]*/${id.slice(0, 2)}>`), renamed)
      const answered = where(/write\(1<.*done/)
      expect(flushed).toBeGreaterThanOrEqual(0)
      expect(renamed).toBeGreaterThan(flushed)
      expect(named).toBeGreaterThan(renamed)
      expect(answered).toBeGreaterThan(named)
      if (what === 'append') expect(where(/write\(1<.*row/)).toBeGreaterThan(flushed)
    }
  })

  it.for(['fdatasync', 'fsync', 'pwritev'])(
    'whose %s fails acknowledges nothing',
    async (call, { skip }) => {
      if (!(await hasStrace())) skip('strace was not found')
      const url = `file:${await mkdtemp(join(folder, 'eio-'))}`
      const store = await openBlobs(url, { clock })
      const { blobId, row } = await beginUpload(store)
      const under = [
        'strace',
        '-f',
        '-o',
        '/dev/null',
        '-e',
        `trace=${call}`,
        '-e',
        `inject=${call}:error=EIO:when=1+`,
      ]
      const failed = {
        failed: 'BlobTrouble',
        says: 'The disk of the blob folder reports an input/output error.',
      }
      const appended = await runBlobWriter(
        { url, blobId, what: 'append', file: file(), step: MiB, row: row() },
        { under },
      )
      expect(appended.at(-1)).toEqual(failed)
      const put = { url, blobId: newBlobId(), what: 'put', file: file() } as const
      if (call !== 'fdatasync') expect(await runBlobWriter(put, { under })).toEqual([failed])
      for await (const blob of store.list()) expect.unreachable(`there is ${blob.blobId}`)
      const last = appended.findLast((word) => word.row)?.row ?? row()
      const done = await runBlobWriter({
        url,
        blobId,
        what: 'append',
        file: file(),
        step: MiB,
        row: last,
      })
      expect(done.at(-1)?.done).toEqual({ size: bytes.byteLength, sha256: sha256(bytes) })
    },
  )
})

describe('a bucket', () => {
  inBucket((objects) => {
    let proxy: FaultyProxy
    let store: BlobStore
    let url: string
    beforeEach(async () => {
      proxy = await startFaultyProxy(objects.endpoint)
      url = objects.url({ endpoint: proxy.endpoint })
      store = await openBlobs(url, { clock })
    })
    afterEach(async () => {
      await store.close()
      await proxy.stop()
    })

    /** Spoils the first calls of a kind, and tells how many it has. */
    const spoilFirst = (
      how: 'refuse' | 'reset' | 'lose' | 'cut',
      count: number,
      isMeant: (call: Seen) => boolean,
    ) => {
      let spoiled = 0
      proxy.spoil = (call) => {
        if (spoiled >= count || !isMeant(call)) return undefined
        spoiled += 1
        return how
      }
      return () => spoiled
    }
    const isPart = (call: Seen) => call.method === 'PUT' && call.query.has('partNumber')
    const isComplete = (call: Seen) => call.method === 'POST' && call.query.has('uploadId')
    const isRead = (call: Seen) => call.method === 'GET' && !call.query.has('list-type')

    const spoilt = [
      ['refuse', 2, 'a part', isPart],
      ['reset', 2, 'a part', isPart],
      ['lose', 1, 'a part', isPart],
      ['refuse', 2, 'the completion', isComplete],
      ['lose', 1, 'the completion', isComplete],
    ] as const
    it.each(spoilt)(
      'that answers with %s (%i times) to %s still takes a blob right',
      async (how, count, _, isMeant) => {
        const bytes = pattern(17 * MiB)
        const spoiled = spoilFirst(how, count, isMeant)
        const blobId = newBlobId()
        expect(await store.put(blobId, sourceOf(bytes), roomy)).toEqual({
          size: 17 * MiB,
          sha256: sha256(bytes),
        })
        const upload = await beginUpload(store)
        await upload.append(sourceOf(bytes))
        spoilFirst(how, count, isMeant)
        expect(await upload.finish()).toEqual({ size: 17 * MiB, sha256: sha256(bytes) })
        expect(spoiled()).toBe(count)
        for (const id of [blobId, upload.blobId])
          expect((await readAll(store, id)).equals(bytes)).toBe(true)
        expect(await store.sweep(Number.POSITIVE_INFINITY)).toBe(0)
      },
    )

    it('that breaks off while it is read is read on where it stopped', async () => {
      const bytes = pattern(5 * MiB)
      const blobId = newBlobId()
      await store.put(blobId, sourceOf(bytes), roomy)
      const spoiled = spoilFirst('cut', 3, isRead)
      expect((await readAll(store, blobId)).equals(bytes)).toBe(true)
      expect(
        (await readAll(store, blobId, { start: 77, end: 3 * MiB })).equals(
          bytes.subarray(77, 3 * MiB + 1),
        ),
      ).toBe(true)
      expect(spoiled()).toBe(3)
    })

    it('that stays broken is told in a sentence, and nothing is acknowledged', async () => {
      const upload = await beginUpload(store)
      await upload.append(sourceOf(pattern(9 * MiB)))
      proxy.spoil = () => 'refuse'
      await expect(store.ready()).rejects.toBeInstanceOf(BlobTrouble)
      await expect(upload.append(sourceOf(pattern(9 * MiB)))).rejects.toBeInstanceOf(BlobTrouble)
      await expect(
        store.put(newBlobId(), sourceOf(pattern(9 * MiB)), roomy),
      ).rejects.toBeInstanceOf(BlobTrouble)
      await expect(upload.finish()).rejects.toBeInstanceOf(BlobTrouble)
      proxy.spoil = () => undefined
      expect(await upload.finish()).toEqual({ size: 9 * MiB, sha256: sha256(pattern(9 * MiB)) })
      await store.ready()
    })

    it('that is not there, or refuses, says so', async () => {
      const elsewhere = async (other: string) => (await openBlobs(other, { clock })).ready()
      await proxy.stop()
      await expect(store.ready()).rejects.toThrow('ECONNREFUSED')
      await expect(
        elsewhere(objects.url().replace(objects.bucket, 'no-such-bucket')),
      ).rejects.toThrow('The bucket does not exist.')
      const { AWS_SECRET_ACCESS_KEY } = process.env
      process.env.AWS_SECRET_ACCESS_KEY = 'wrong'
      try {
        await expect(elsewhere(objects.url())).rejects.toThrow('SignatureDoesNotMatch')
      } finally {
        process.env.AWS_SECRET_ACCESS_KEY = AWS_SECRET_ACCESS_KEY
      }
    })

    it('gets parts of 8 MiB, however small the pieces of the client are', async () => {
      const bytes = pattern(17 * MiB)
      const upload = await beginUpload(store)
      for (let at = 0; at < bytes.byteLength; at += MiB)
        await upload.append(sourceOf(bytes.subarray(at, at + MiB)))
      await upload.finish()
      const parts = proxy.seen.filter(isPart)
      expect(parts.map(({ query }) => query.get('partNumber')).sort()).toEqual(['1', '2', '3'])
      const stored = proxy.seen.filter(
        (call) => call.method === 'PUT' && call.path.includes('.part.'),
      )
      expect(stored.filter(({ size }) => size === 8 * MiB)).toHaveLength(2)
      expect(stored.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(
        2 * bytes.byteLength,
      )
    })

    it('gives out links that work for anyone until one sign is changed', async () => {
      const bytes = pattern(70_001)
      const blobId = newBlobId()
      await store.put(blobId, sourceOf(bytes), roomy)
      const contentDisposition = `attachment; filename="a.txt"; filename*=UTF-8''%C3%A9.txt`
      const options = {
        expiresSeconds: 60,
        contentType: 'text/plain; charset=utf-8',
        contentDisposition,
      }
      const link = (await store.link?.(blobId, options)) ?? ''
      const answer = await fetch(link)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('content-type')).toBe(options.contentType)
      expect(answer.headers.get('content-disposition')).toBe(contentDisposition)
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
      const part = await fetch(link, { headers: { range: 'bytes=10-19' } })
      expect(part.status).toBe(206)
      expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(10, 20))).toBe(true)

      const other = newBlobId()
      await store.put(other, sourceOf(bytes), roomy)
      const changed = [
        link.replace(blobId, other),
        link.replace(
          /X-Amz-Signature=(.)/,
          (_, sign) => `X-Amz-Signature=${sign === '0' ? '1' : '0'}`,
        ),
        link.replace('X-Amz-Expires=60', 'X-Amz-Expires=61'),
        link.replace('text%2Fplain', 'text%2Fhtml'),
      ]
      for (const forged of changed) {
        expect(forged).not.toBe(link)
        expect((await fetch(forged)).status).toBe(403)
      }
      expect((await fetch(link, { method: 'DELETE' })).status).toBe(403)
    })

    it('gives out no links where the operator has switched them off', async () => {
      expect((await openBlobs(`${url}&links=off`, { clock })).link).toBeUndefined()
    })
  })
})
