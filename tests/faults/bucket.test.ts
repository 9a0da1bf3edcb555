/**
 * F2, F6 and F23 with the bytes in an object store: what changed in it, what it lost, and what it
 * refuses for a while.
 */
import { createHash, randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newBlobId } from '../../packages/server/src/blobs/blob-store.ts'
import { backup, backupsIn, move } from '../../packages/server/src/commands/commands.ts'
import { findOrphans, removeOrphans } from '../../packages/server/src/domain/files/orphans.ts'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { findingsOf, openTally } from '../campaigns/tally.ts'
import { walkTransfers } from '../campaigns/transfer-fuzz.ts'
import { emptyPlace, lostFiles, sendFile, startAt, withRestored } from '../copied-hub.ts'
import { type FaultyProxy, startFaultyProxy } from '../faulty-proxy.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { withBucket } from '../in-bucket.ts'
import type { ObjectStore } from '../object-store.ts'
import { type FileClient, openFileClient, runCheck, sha256 } from './file-client.ts'
import { envOf } from './hub-env.ts'

const { inBucket } = await withBucket()

describe('files in a bucket', () => inBucket(testFiles))

function testFiles(store: ObjectStore): void {
  let proxy: FaultyProxy
  let hub: TestHub
  let client: FileClient
  let jobId: string
  let objects: S3Client
  beforeAll(async () => {
    proxy = await startFaultyProxy(store.endpoint)
    // Downloads through the hub: what the store itself gives out the hub does not see.
    hub = await startHub({
      env: { DRAGOMAN_BLOBS_URL: `${store.url({ endpoint: proxy.endpoint })}&links=off` },
    })
    client = openFileClient(() => hub.url)
    jobId = String((await client.createJob('bucket')).body.jobId)
    const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = store.env
    const credentials = { accessKeyId, secretAccessKey }
    objects = new S3Client({
      endpoint: store.endpoint,
      region: 'default',
      forcePathStyle: true,
      credentials,
    })
  })
  afterAll(async () => {
    objects?.destroy()
    await hub?.close()
    await proxy?.stop()
  })

  const check = () => checkHub(hub.inner)
  const run = () => runCheck({ ...envOf(hub.inner), ...store.env })
  const keep = async (bytes: Buffer): Promise<{ fileId: string; blobId: string }> => {
    const transfer = await client.begin(jobId)
    expect((await client.post(transfer, bytes)).status).toBe(201)
    const fileId = transfer.fmsFileId
    const { read } = hub.inner.db
    const row = await read
      .selectFrom('files')
      .selectAll()
      .where('file_id', '=', fileId)
      .executeTakeFirstOrThrow()
    return { fileId, blobId: String(row.blob_id) }
  }
  const place = (blobId: string) => ({
    Bucket: store.bucket,
    Key: `${new URL(hub.inner.config.blobsUrl).pathname.slice(1)}/${blobId}`,
  })
  const download = async (fileId: string) => client.read(await client.link(jobId, fileId))

  it('a flipped byte, a truncated object and a lost one never give a complete answer, and the check names their files', async () => {
    const bytes = randomBytes(1_000_000)
    const [flipped, cut, lost, good] = [
      await keep(bytes),
      await keep(bytes),
      await keep(bytes),
      await keep(bytes),
    ]
    expect(sha256((await download(flipped.fileId)).bytes)).toBe(sha256(bytes))
    expect((await check()).findings).toEqual([])

    const changed = Buffer.from(bytes)
    changed[500_000] = (changed[500_000] ?? 0) ^ 1
    await objects.send(new PutObjectCommand({ ...place(flipped.blobId), Body: changed }))
    await objects.send(new PutObjectCommand({ ...place(cut.blobId), Body: bytes.subarray(1) }))
    await hub.inner.blobs.remove(lost.blobId)

    expect((await download(flipped.fileId)).whole).toBe(false)
    for (const { fileId } of [cut, lost]) expect((await download(fileId)).status).toBe(503)
    expect(sha256((await download(good.fileId)).bytes)).toBe(sha256(bytes))
    const { code, out } = await run()
    expect(code).toBe(1)
    const said = (fileId: string) =>
      out.split('\n').find((line) => line.includes(`file ${fileId} `))
    expect(said(flipped.fileId)).toMatch(/sha256 differs/)
    expect(said(cut.fileId)).toMatch(/999999 bytes instead of 1000000/)
    expect(said(lost.fileId)).toMatch(/missing/)
    expect(out).toMatch(/^3 findings: /m)

    for (const { blobId } of [flipped, cut, lost])
      await objects.send(new PutObjectCommand({ ...place(blobId), Body: bytes }))
    expect((await check()).findings).toEqual([])
    expect(sha256((await download(flipped.fileId)).bytes)).toBe(sha256(bytes))
  })

  it('bytes without a row are swept by the time of the store, whatever the sandbox does to the clock', async () => {
    const orphan = newBlobId()
    await hub.inner.blobs.put(orphan, Readable.from([randomBytes(1_000)]), { maxBytes: 1_000 })
    // A call may be about to write its row: that the sandbox moves its clock does not make it old.
    await client.advance('3d')
    expect((await check()).findings).toEqual([])
    expect(await hub.inner.blobs.size(orphan)).toBe(1_000)

    const later = {
      ...hub.inner,
      clock: { ...hub.inner.clock, now: () => Date.now() + 3_700_000, offset: () => 0 },
    }
    const orphans: string[] = []
    for await (const { blobId } of findOrphans(later)) orphans.push(blobId)
    expect(orphans).toEqual([orphan])
    expect(await removeOrphans(later)).toBe(1)
    await expect(hub.inner.blobs.size(orphan)).rejects.toThrow('no such blob')
    expect((await check()).findings).toEqual([])
  })

  it('an upload on its way is no finding; its lost bytes are', async () => {
    const bytes = randomBytes(200_000)
    const transfer = await client.begin(jobId)
    const upload = await client.beginTus(transfer, bytes.length)
    expect((await client.patch(transfer, upload, 0, bytes.subarray(0, 100_000))).status).toBe(204)
    expect((await run()).code).toBe(0)
    const row = await hub.inner.db.read.selectFrom('uploads').selectAll().executeTakeFirstOrThrow()
    await hub.inner.blobs.abandon(row.blob_id)
    expect((await check()).findings).toMatchObject([
      { check: 'upload bytes', what: `upload ${row.upload_id}` },
    ])
    // Its client begins anew.
    const second = await client.beginTus(transfer, bytes.length)
    expect((await client.patch(transfer, second, 0, bytes)).status).toBe(204)
    expect(sha256((await download(transfer.fmsFileId)).bytes)).toBe(sha256(bytes))
    expect((await check()).findings).toEqual([])
  })

  it('of a chunk without its checksum nothing stays, in a PATCH and with the creation', async () => {
    const bytes = randomBytes(9_000_000)
    const [wrong, right] = [Buffer.from(bytes).fill(7, 8_999_000), bytes]
    const told = {
      'upload-checksum': `sha256 ${createHash('sha256').update(bytes).digest('base64')}`,
    }
    const transfer = await client.begin(jobId)
    const created = await client.createTus(transfer, bytes.length, told, wrong)
    expect([created.status, created.code]).toEqual([460, 'CHECKSUM_MISMATCH'])
    const upload = await client.beginTus(transfer, bytes.length)
    const refused = await client.patch(transfer, upload, 0, wrong, told)
    expect([refused.status, refused.code]).toEqual([460, 'CHECKSUM_MISMATCH'])
    expect(await client.offset(transfer, upload)).toBe(0)
    // The first upload goes by a task.
    await client.advance('1s')
    expect(await hub.inner.blobs.sweep(Number.POSITIVE_INFINITY, async () => false)).toBe(0)
    expect((await client.patch(transfer, upload, 0, right, told)).status).toBe(204)
    expect(sha256((await download(transfer.fmsFileId)).bytes)).toBe(sha256(bytes))
    expect((await check()).findings).toEqual([])
  })

  it('parallel uploads of tus-js-client, and one of unknown length, become files; nothing is left of the parts', async () => {
    const bytes = randomBytes(20_000_001)
    for (const options of [
      { parallelUploads: 4 },
      { uploadLengthDeferred: true, chunkSize: 9_000_000 },
    ]) {
      const transfer = await client.begin(jobId)
      const source = 'parallelUploads' in options ? bytes : Readable.from([bytes])
      await new Promise<void>((resolve, reject) =>
        new Upload(source, {
          ...{
            endpoint: transfer.fmsUploadUrl,
            headers: { sastoken: transfer.fmsSASToken },
            retryDelays: null,
          },
          ...{ onSuccess: () => resolve(), onError: reject },
          ...options,
        }).start(),
      )
      expect(sha256((await download(transfer.fmsFileId)).bytes)).toBe(sha256(bytes))
    }
    // The parts go by a task.
    await client.advance('1s')
    expect(await hub.inner.blobs.sweep(Number.POSITIVE_INFINITY, async () => false)).toBe(0)
    expect((await check()).findings).toEqual([])
  })

  it('fuzzed uploads and downloads are answered, and keep what was acknowledged', async () => {
    const tally = openTally('fuzz in a bucket')
    await walkTransfers(
      { url: hub.url, token: await hub.token('demo-connector'), never: [] },
      { calls: 120, seed: 5 },
      tally,
    )
    expect(findingsOf(tally.end())).toEqual([])
    expect((await check()).findings).toEqual([])
  })

  it('a store that refuses everything: 503 for bytes, rows go on, the check cannot run, and then all resumes', async () => {
    const bytes = randomBytes(200_000)
    const [direct, resumed] = [await client.begin(jobId), await client.begin(jobId)]
    const upload = await client.beginTus(resumed, bytes.length)
    expect((await client.patch(resumed, upload, 0, bytes.subarray(0, 70_000))).status).toBe(204)
    const stored = await keep(bytes)

    proxy.spoil = () => 'refuse'
    for (const got of await Promise.all([
      client.post(direct, bytes),
      client.patch(resumed, upload, 70_000, bytes.subarray(70_000)),
    ])) {
      expect(got).toMatchObject({ status: 503, code: 'FMS_UNAVAILABLE' })
      expect(Number(got.headers.get('retry-after'))).toBeGreaterThan(0)
    }
    expect((await download(stored.fileId)).status).toBe(503)
    expect((await client.createJob('goes on')).status).toBe(201)
    const { code, err } = await run()
    expect(code).toBe(2)
    expect(err).toMatch(/^The object store does not respond correctly/m)

    proxy.spoil = () => undefined
    expect((await client.post(direct, bytes)).status).toBe(201)
    expect(await client.offset(resumed, upload)).toBe(70_000)
    expect((await client.patch(resumed, upload, 70_000, bytes.subarray(70_000))).status).toBe(204)
    for (const { fmsFileId } of [direct, resumed])
      expect(sha256((await download(fmsFileId)).bytes)).toBe(sha256(bytes))
    expect((await check()).findings).toEqual([])
  })

  it('a reset leaves no object behind', async () => {
    const bytes = randomBytes(10_000)
    const { blobId } = await keep(bytes)
    const transfer = await client.begin(jobId)
    const upload = await client.beginTus(transfer, bytes.length)
    expect((await client.patch(transfer, upload, 0, bytes.subarray(0, 5_000))).status).toBe(204)
    expect((await client.ask('POST', '/sandbox/reset')).status).toBe(200)
    await expect(objects.send(new GetObjectCommand(place(blobId)))).rejects.toThrow()
    for await (const left of hub.inner.blobs.list()) expect(left).toBe('none')
    expect(await hub.inner.blobs.sweep(Number.POSITIVE_INFINITY)).toBe(0)
  })

  it('backups are made there and restored from there, to a disk and to a bucket, and files move there with PostgreSQL', async () => {
    const source = await emptyPlace('sqlite')
    const env = { ...source.env, DRAGOMAN_BLOBS_URL: store.url() }
    try {
      const server = await startAt(env)
      const client = openFileClient(() => server.url)
      const jobId = String((await client.createJob('bucket')).body.jobId)
      const first = await sendFile(client, jobId)
      const to = store.url()
      expect(await backup(env, { to })).toMatchObject({
        files: 1,
        copied: { files: 1 },
        missing: [],
      })
      const second = await sendFile(client, jobId)
      expect(await backup(env, { to, keep: 1 })).toMatchObject({ files: 2, copied: { files: 1 } })
      expect(await backupsIn(to)).toHaveLength(1)
      const look = async (restored: { url: string }) =>
        expect(await lostFiles(restored.url, [first, second])).toEqual([])
      await withRestored(server.hub, to, look)
      await withRestored(server.hub, to, look, { DRAGOMAN_BLOBS_URL: store.url() })
      await server.close()
      if (!databases.includes('postgres')) return
      const target = await emptyPlace('postgres', source.env.DRAGOMAN_MASTER_KEY)
      const moved = { ...target.env, DRAGOMAN_BLOBS_URL: store.url() }
      try {
        const report = await move(env, {
          to: target.env.DRAGOMAN_DATABASE_URL ?? '',
          blobs: moved.DRAGOMAN_BLOBS_URL,
        })
        expect(report).toMatchObject({ files: 2, check: { findings: [] } })
        const there = await startAt(moved)
        await look(there).finally(() => there.close())
      } finally {
        await target.clear()
      }
    } finally {
      await source.clear()
    }
  })
}
