/**
 * F23: bytes that changed on the disk are never a complete answer, and `dragoman check` names their
 * file.
 */
import { randomBytes } from 'node:crypto'
import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type CheckOptions,
  checkHub,
} from '../../packages/server/src/domain/operations/integrity/check.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { type FileClient, openFileClient, runCheck, sha256 } from './file-client.ts'
import { envOf } from './hub-env.ts'

const json = { accept: 'application/json' }

describe.each(databases)('bytes that changed on the disk, with rows on %s', (database) => {
  let hub: TestHub
  let client: FileClient
  let jobId: string
  let good: string
  beforeAll(async () => {
    hub = await startHub({ database })
    client = openFileClient(() => hub.url)
    jobId = String((await client.createJob('damage')).body.jobId)
    good = (await store(randomBytes(10_000))).fileId
  })
  afterAll(() => hub.close())

  const store = async (bytes: Buffer): Promise<{ fileId: string; path: string }> => {
    const transfer = await client.begin(jobId)
    expect((await client.post(transfer, bytes)).status).toBe(201)
    const fileId = transfer.fmsFileId
    const { read } = hub.inner.db
    const row = await read
      .selectFrom('files')
      .selectAll()
      .where('file_id', '=', fileId)
      .executeTakeFirstOrThrow()
    const blobId = String(row.blob_id)
    return { fileId, path: join(hub.folder, 'data', 'blobs', blobId.slice(0, 2), blobId) }
  }
  const wholeOf = async (fileId: string): Promise<Buffer> => {
    const { status, whole, bytes } = await client.read(await client.link(jobId, fileId))
    expect({ status, whole }).toEqual({ status: 200, whole: true })
    return bytes
  }
  const isWhole = async (link: string): Promise<boolean> => (await client.read(link)).whole
  const check = (asked?: CheckOptions) => checkHub(hub.inner, asked)
  const finding = (fileId: string, says: RegExp) => ({
    check: 'file bytes',
    weight: 'wrong',
    siteId: 'demo',
    what: `file ${fileId}`,
    says: expect.stringMatching(says),
    advice: expect.stringContaining('backup'),
  })
  const flip = (path: string, at: number): void => {
    const bytes = readFileSync(path)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    writeFileSync(path, bytes)
  }

  const size = 3_000_000
  it.each([
    ['the first byte of a large file', size, 0],
    ['a byte in the middle of a large file', size, size / 2],
    ['the last byte of a large file', size, size - 1],
    ['the only byte of a file', 1, 0],
  ])(
    '%s, flipped, is reported on download and by the check, and only that file',
    async (_, length, at) => {
      const bytes = randomBytes(length)
      const { fileId, path } = await store(bytes)
      // Read whole once before: what was seen to be right then is not believed for ever.
      expect(sha256(await wholeOf(fileId))).toBe(sha256(bytes))
      flip(path, at)

      expect(await isWhole(await client.link(jobId, fileId))).toBe(false)
      expect(await isWhole(await client.link(jobId, fileId, json))).toBe(false)
      expect(hub.logged()).toContain(`"fileId":"${fileId}"`)
      expect((await check()).findings).toEqual([finding(fileId, /sha256 differs/)])
      expect((await check({ fast: true })).findings).toEqual([])

      // Nothing that was damaged is mended, or thrown away, in silence.
      expect((await check({ repair: true })).findings).toEqual([finding(fileId, /sha256 differs/)])
      expect(readFileSync(path)).toHaveLength(length)
      flip(path, at)
      expect(sha256(await wholeOf(fileId))).toBe(sha256(bytes))
      expect((await check()).findings).toEqual([])
    },
  )

  const damages: [string, (path: string) => void, RegExp][] = [
    ['cut by a byte', (path) => truncateSync(path, 49_999), /49999 bytes instead of 50000/],
    ['cut to nothing', (path) => truncateSync(path, 0), /0 bytes instead of 50000/],
    ['longer by a byte', (path) => appendFileSync(path, 'x'), /50001 bytes instead of 50000/],
    ['deleted', (path) => rmSync(path), /The bytes are missing/],
  ]
  it.each(damages)(
    '%s: 503 on download, and named by the check, also the fast one',
    async (_, damage, says) => {
      const bytes = randomBytes(50_000)
      const { fileId, path } = await store(bytes)
      damage(path)
      const link = await client.link(jobId, fileId)
      expect(await client.read(link)).toMatchObject({ status: 503, whole: false })
      if (says.source !== /50001 bytes instead of 50000/.source)
        expect(await client.read(link, { range: 'bytes=49990-49999' })).toMatchObject({
          status: 503,
          whole: false,
        })
      for (const asked of [{}, { fast: true }, { repair: true }])
        expect((await check(asked)).findings).toEqual([finding(fileId, says)])
      expect(await wholeOf(good)).toHaveLength(10_000)
      writeFileSync(path, bytes)
      expect(sha256(await wholeOf(fileId))).toBe(sha256(bytes))
      expect((await check()).findings).toEqual([])
    },
  )

  it('the command says so in a line, beside the running hub: 1 with findings, 0 when they are mended', async () => {
    const run = (...options: string[]) => runCheck(envOf(hub.inner), ...options)
    const bytes = randomBytes(100)
    const { fileId, path } = await store(bytes)
    flip(path, 50)
    const { code, out, err } = await run()
    expect({ code, err }).toEqual({ code: 1, err: '' })
    const [line, summary, ...rest] = out.trimEnd().split('\n')
    expect(line).toMatch(
      new RegExp(`^wrong: file bytes: file ${fileId} of site demo: The bytes are damaged.* backup`),
    )
    expect(summary).toMatch(
      /^1 finding: \d+ files \(\d+ bytes read\), 0 uploads, \d+ blobs and all rows/,
    )
    expect(rest).toEqual([])
    const asJson = await run('--json')
    expect(asJson.code).toBe(1)
    expect(JSON.parse(asJson.out)).toMatchObject({
      clean: false,
      findings: [{ what: `file ${fileId}` }],
    })
    flip(path, 50)
    expect(await run('--fast')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Nothing is damaged: .*sizes only/),
    })
  })
})
