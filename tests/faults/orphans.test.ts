/**
 * F2: a process that dies between bytes and row, or in the middle of the bytes, leaves no file
 * without bytes; what it leaves is no finding while it is young, then an orphan, and then gone.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { readConfig } from '../../packages/server/src/config/config.ts'
import { closeHub, type Hub, openHub } from '../../packages/server/src/hub.ts'
import { databases, startProcess, type TestProcess } from '../hub.ts'
import { until } from '../hub-place.ts'
import { cloneMigrated } from '../migrated.ts'
import { usePostgres } from '../postgres.ts'
import { type FileClient, openFileClient, runCheck, sha256 } from './file-client.ts'

const isPart = (path: string): boolean => path.endsWith('.part')

describe.each(databases)('bytes without a row on %s', (database) => {
  let folder: string
  let env: Record<string, string>
  let hub: TestProcess
  let client: FileClient
  let jobId: string
  let drop: () => Promise<void>
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dragoman-orphans-'))
    const postgres = database === 'postgres' ? usePostgres(inject('postgresUrl')) : undefined
    const databaseUrl = postgres && (await cloneMigrated())
    drop = async () => {
      if (databaseUrl) await postgres?.dropDatabase(databaseUrl)
    }
    const key = { DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex') }
    env = {
      DRAGOMAN_DATA: join(folder, 'data'),
      ...(databaseUrl && { DRAGOMAN_DATABASE_URL: databaseUrl, ...key }),
    }
    hub = await startProcess(env)
    client = openFileClient(() => hub.url)
    jobId = String((await client.createJob('orphans')).body.jobId)
  })
  afterEach(async () => {
    await hub.close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Every file of the blob folder, whole or in the middle of being written. */
  const stored = (): string[] =>
    readdirSync(join(folder, 'data', 'blobs'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  const kill = async (): Promise<void> => {
    hub.signal('SIGKILL')
    await hub.exited
  }
  const restart = async (): Promise<void> => {
    hub = await startProcess(env)
    client.forgetToken()
  }
  const state = async (fileId: string): Promise<number> =>
    (await client.ask('GET', `/v2/jobs/${jobId}/sourcefiles/${fileId}`)).status

  /** Somebody holds the rows, so that bytes can be written but not their row. */
  const whileRowsAreHeld = async (act: () => Promise<void>): Promise<void> => {
    const tool: Hub = await openHub(readConfig({ ...env, DRAGOMAN_LOG_LEVEL: 'silent' }), {
      as: 'tool',
    })
    try {
      await tool.db.transact(async (tx) => {
        if (database === 'postgres') await sql`lock table files in exclusive mode`.execute(tx)
        await act()
      })
    } finally {
      await closeHub(tool)
    }
  }

  const dieBetweenBytesAndRow = async (): Promise<string> => {
    const transfer = await client.begin(jobId)
    const whole = () => stored().filter((path) => !isPart(path)).length
    const before = whole()
    await whileRowsAreHeld(async () => {
      const posted = client.post(transfer, randomBytes(300_000)).catch(() => undefined)
      await until('the bytes are whole', () => whole() > before)
      await kill()
      expect(await posted).toBeUndefined()
    })
    await restart()
    return transfer.fmsFileId
  }

  it('a process killed between bytes and row leaves an orphan: no finding, then a finding, then removed', async () => {
    const fileId = await dieBetweenBytesAndRow()
    expect(stored()).toHaveLength(1)
    expect(await state(fileId)).toBe(409)
    expect(await runCheck(env)).toMatchObject({ code: 0 })
    // Too young to be removed: a call might be about to write its row.
    expect(await runCheck(env, '--repair')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Removed: 0 orphans'),
    })
    expect(stored()).toHaveLength(1)

    await client.advance('61m')
    const [blobId] = stored().map((path) => path.split('/').at(-1))
    const found = await runCheck(env)
    expect(found.code).toBe(1)
    expect(found.out).toMatch(
      new RegExp(`^waiting: orphans: blob ${blobId}: 300000 bytes without a row\\..*--repair`),
    )
    const repaired = await runCheck(env, '--repair')
    expect(repaired.code).toBe(0)
    expect(repaired.out).toMatch(
      new RegExp(`^removed: blob ${blobId}: .*\nRemoved: 1 orphan, 0 leftovers\\.\nNothing`),
    )
    expect(stored()).toEqual([])
    expect(await runCheck(env)).toMatchObject({ code: 0 })
  })

  it('the daily sweep removes the orphan, and no file that has a row', async () => {
    const bytes = randomBytes(20_000)
    const kept = await client.begin(jobId)
    expect((await client.post(kept, bytes)).status).toBe(201)
    await dieBetweenBytesAndRow()
    expect(stored()).toHaveLength(2)
    await client.advance('1d')
    await client.advance('1h')
    expect(stored()).toHaveLength(1)
    const { bytes: got } = await client.read(await client.link(jobId, kept.fmsFileId))
    expect(sha256(got)).toBe(sha256(bytes))
    expect(await runCheck(env)).toMatchObject({ code: 0 })
  })

  it('a process killed in the middle of the bytes leaves a part that is swept, and the transfer can be used again', async () => {
    const transfer = await client.begin(jobId)
    const { pathname, search } = new URL(transfer.fmsPostMultipartUrl)
    const call = request(new URL(pathname + search, hub.url), {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=xx', 'content-length': '9000000' },
    })
    call.on('error', () => {})
    call.write('--xx\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\n')
    call.write(randomBytes(4_000_000))
    await until('bytes are on the disk', () =>
      stored().some((path) => statSync(path).size > 1_000_000),
    )
    await kill()
    await restart()
    expect(stored().filter((path) => isPart(path))).toHaveLength(1)
    expect(await state(transfer.fmsFileId)).toBe(409)
    expect(await runCheck(env, '--repair')).toMatchObject({
      code: 0,
      out: expect.stringContaining('0 leftovers'),
    })
    const bytes = randomBytes(1_000)
    expect((await client.post(transfer, bytes)).status).toBe(201)
    for (const path of stored().filter((path) => isPart(path))) utimesSync(path, 1, 1)
    expect(await runCheck(env, '--repair')).toMatchObject({
      code: 0,
      out: expect.stringContaining('1 leftover.'),
    })
    expect(stored()).toHaveLength(1)
    expect(sha256((await client.read(await client.link(jobId, transfer.fmsFileId))).bytes)).toBe(
      sha256(bytes),
    )
  })

  it('an upload on its way is neither a finding nor swept; its lost bytes are; it expires with its bytes', async () => {
    const transfer = await client.begin(jobId)
    const bytes = randomBytes(100_000)
    const upload = await client.beginTus(transfer, bytes.length)
    expect((await client.patch(transfer, upload, 0, bytes.subarray(0, 60_000))).status).toBe(204)
    await client.advance('23h')
    for (const path of stored()) utimesSync(path, 1, 1)
    expect(await runCheck(env, '--repair')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/Removed: 0 orphans, 0 leftovers\.\n.* 1 upload, /),
    })
    expect(await client.offset(transfer, upload)).toBe(60_000)

    const [part = ''] = stored()
    rmSync(part)
    const lost = await runCheck(env)
    expect(lost.code).toBe(1)
    expect(lost.out).toMatch(
      new RegExp(
        `^wrong: upload bytes: upload \\S+ of site demo: 60000 bytes .*${transfer.fmsFileId}`,
      ),
    )
    await client.advance('26h')
    expect(await runCheck(env)).toMatchObject({ code: 0 })
  })

  it('a reset leaves no bytes behind: not of files, not of uploads, not of anything', async () => {
    const bytes = randomBytes(50_000)
    for (const _ of [1, 2])
      expect((await client.post(await client.begin(jobId), bytes)).status).toBe(201)
    const transfer = await client.begin(jobId)
    const upload = await client.beginTus(transfer, bytes.length)
    expect((await client.patch(transfer, upload, 0, bytes.subarray(0, 10_000))).status).toBe(204)
    await dieBetweenBytesAndRow()
    expect(stored()).toHaveLength(4)
    expect((await client.ask('POST', '/sandbox/reset')).status).toBe(200)
    expect(stored()).toEqual([])
    client.forgetToken()
    jobId = String((await client.createJob('anew')).body.jobId)
    expect((await client.post(await client.begin(jobId), bytes)).status).toBe(201)
    expect(await runCheck(env)).toMatchObject({ code: 0 })
  })
})
