/**
 * F3: a full disk is a clear error, nothing half is served, others go on reading, and it is over
 * without a restart.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { checkHub } from '../../packages/server/src/domain/operations/integrity/check.ts'
import { type DatabaseKind, databases, startHub, type TestHub } from '../hub.ts'
import { startOwnPostgres } from '../postgres.ts'
import { type FileClient, openFileClient, sha256 } from './file-client.ts'
import { type SmallDisk, smallDisk } from './small-disk.ts'

const MiB = 1024 ** 2
const closers: (() => void | Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

type Skip = (why: string) => void
function takeDisk(bytes: number, skip: Skip, owner?: { uid: number; gid: number }): SmallDisk {
  const disk = smallDisk(bytes, owner)
  if (typeof disk === 'string') {
    skip(disk)
    throw new Error(disk)
  }
  closers.push(() => disk.remove())
  return disk
}

async function start(database: DatabaseKind, env: Record<string, string>) {
  const hub = await startHub({ database, env })
  closers.push(() => hub.close())
  const client = openFileClient(() => hub.url)
  const jobId = String((await client.createJob('full')).body.jobId)
  return { hub, client, jobId }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== '.filler')
    .map((entry) => entry.name)

const isClean = async (hub: TestHub): Promise<void> =>
  expect((await checkHub(hub.inner)).findings).toEqual([])

describe.each(databases)('a full disk of the blobs, with rows on %s', (database) => {
  /** A hub with little room, and one file in it that was stored before. */
  const prepare = async (skip: Skip) => {
    const disk = takeDisk(64 * MiB, skip)
    const started = await start(database, {
      DRAGOMAN_BLOBS_URL: `file:${join(disk.path, 'blobs')}`,
    })
    const before = randomBytes(MiB)
    const transfer = await started.client.begin(started.jobId)
    expect((await started.client.post(transfer, before)).status).toBe(201)
    disk.fill(6 * MiB)
    return { ...started, disk, before, stored: transfer.fmsFileId }
  }
  const read = async (client: FileClient, jobId: string, fileId: string): Promise<string> =>
    sha256((await client.read(await client.link(jobId, fileId))).bytes)
  const unavailable = { status: 503, code: 'FMS_UNAVAILABLE' }

  it('refuses direct uploads with 503 and goes on with all else, and takes them when there is room', async ({
    skip,
  }) => {
    const { hub, client, jobId, disk, before, stored } = await prepare(skip)
    const bytes = randomBytes(20 * MiB)
    const transfers = [
      await client.begin(jobId),
      await client.begin(jobId),
      await client.begin(jobId),
    ]
    for (const got of await Promise.all(
      transfers.map((transfer) => client.post(transfer, bytes)),
    )) {
      expect(got).toMatchObject(unavailable)
      expect(Number(got.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(String(got.body.message)).toMatch(/full/)
    }
    // Nothing half is there: neither served nor left on the disk.
    expect(filesIn(disk.path)).toHaveLength(1)
    for (const { fmsFileId } of transfers)
      expect((await client.ask('GET', `/v2/jobs/${jobId}/sourcefiles/${fmsFileId}`)).code).toBe(
        'FILE_NOT_UPLOADED',
      )
    expect(await read(client, jobId, stored)).toBe(sha256(before))
    expect((await client.createJob('goes on')).status).toBe(201)
    expect((await client.post(await client.begin(jobId), randomBytes(1_000))).status).toBe(201)
    await isClean(hub)

    disk.free()
    const [first] = transfers
    if (!first) throw new Error('no transfer')
    expect((await client.post(first, bytes)).status).toBe(201)
    expect(await read(client, jobId, first.fmsFileId)).toBe(sha256(bytes))
    await isClean(hub)
  })

  it.for([1, 20])(
    'keeps what it acknowledged of a TUS upload in chunks of %i MiB, and resumes it',
    async (chunk, { skip }) => {
      const { hub, client, jobId, disk } = await prepare(skip)
      const bytes = randomBytes(20 * MiB)
      const transfer = await client.begin(jobId)
      const upload = await client.beginTus(transfer, bytes.length)
      let offset = 0
      const next = () =>
        client.patch(transfer, upload, offset, bytes.subarray(offset, offset + chunk * MiB))
      let got = await next()
      for (; got.status === 204; got = await next())
        offset = Number(got.headers.get('upload-offset'))
      expect(got).toMatchObject(unavailable)
      expect(Number(got.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(offset).toBeLessThan(bytes.length)
      expect(offset > 0).toBe(chunk === 1)
      expect(await client.offset(transfer, upload)).toBe(offset)
      expect(await next()).toMatchObject(unavailable)
      expect(
        (await client.ask('GET', `/v2/jobs/${jobId}/sourcefiles/${transfer.fmsFileId}`)).code,
      ).toBe('FILE_NOT_UPLOADED')
      expect((await client.ask('GET', '/v2/jobs')).status).toBe(200)
      await isClean(hub)

      disk.free()
      for (let refused = 0; offset < bytes.length; ) {
        const went = await next()
        // The hub looks at the disk once a second at most.
        if (went.status === 503 && refused++ < 200) {
          await new Promise((resolve) => setTimeout(resolve, 50))
          continue
        }
        expect(went.status).toBe(204)
        offset = Number(went.headers.get('upload-offset'))
      }
      expect(await read(client, jobId, transfer.fmsFileId)).toBe(sha256(bytes))
      await isClean(hub)
    },
  )
})

/**
 * Where the rows lie on the small disk: SQLite's file, or a tablespace of a PostgreSQL that no
 * other test uses.
 */
async function rowsOn(
  database: DatabaseKind,
  skip: Skip,
): Promise<{ disk: SmallDisk; env: Record<string, string> }> {
  if (database === 'sqlite') {
    const disk = takeDisk(24 * MiB, skip)
    return { disk, env: { DRAGOMAN_DATA: join(disk.path, 'data') } }
  }
  const postgres = await startOwnPostgres({ durable: false })
  if (!postgres) {
    skip('no PostgreSQL was found on this machine')
    throw new Error('no PostgreSQL')
  }
  closers.push(() => postgres.stop())
  const admin = new pg.Client(postgres.url('postgres'))
  await admin.connect()
  try {
    const { rows } = await admin.query<{ data_directory: string }>('show data_directory')
    const { uid, gid } = statSync(String(rows[0]?.data_directory))
    const disk = takeDisk(64 * MiB, skip, { uid, gid })
    // Before its disk goes.
    closers.push(() => postgres.stop())
    await admin.query(`create tablespace small location '${disk.path}'`)
    await admin.query('create database small template template0 tablespace small')
    const env = {
      DRAGOMAN_DATABASE_URL: postgres.url('small'),
      DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex'),
    }
    return { disk, env }
  } finally {
    await admin.end()
  }
}

describe.each(databases)('a full disk of the rows, on %s', (database) => {
  it('refuses what writes with 503, goes on reading, loses nothing, and goes on when there is room', async ({
    skip,
  }) => {
    const { disk, env } = await rowsOn(database, skip)
    const blobs = mkdtempSync(join(tmpdir(), 'dragoman-blobs-'))
    closers.push(() => rmSync(blobs, { recursive: true }))
    const { hub, client, jobId } = await start('sqlite', {
      ...env,
      DRAGOMAN_BLOBS_URL: `file:${blobs}`,
    })
    const before = randomBytes(10_000)
    const [stored, refused] = [await client.begin(jobId), await client.begin(jobId)]
    expect((await client.post(stored, before)).status).toBe(201)

    disk.fill(2 * MiB)
    // Text that no engine can make smaller.
    const description = randomBytes(60_000).toString('base64')
    const acknowledged: unknown[] = [jobId]
    let got = await client.createJob('first', { description })
    for (
      ;
      got.status === 201 && acknowledged.length < 200;
      got = await client.createJob('more', { description })
    )
      acknowledged.push(got.body.jobId)
    expect(got).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
    expect(Number(got.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(JSON.stringify(got.body)).not.toMatch(/sqlite|postgres|tablespace/i)

    expect((await client.ask('GET', `/v2/jobs/${jobId}`)).status).toBe(200)
    expect(sha256((await client.read(await client.link(jobId, stored.fmsFileId))).bytes)).toBe(
      sha256(before),
    )
    // A row may find a last place; if it does not, the sweep removes its bytes (orphans.test.ts).
    const posted = await client.post(refused, before)
    if (posted.status !== 201) {
      expect(posted).toMatchObject({ status: 503, code: 'SERVICE_UNAVAILABLE' })
      expect(filesIn(blobs).length).toBeLessThanOrEqual(2)
    }

    disk.free()
    expect((await client.createJob('last', { description })).status).toBe(201)
    for (const id of acknowledged)
      expect((await client.ask('GET', `/v2/jobs/${id}`)).status).toBe(200)
    if (posted.status !== 201) expect((await client.post(refused, before)).status).toBe(201)
    expect(sha256((await client.read(await client.link(jobId, refused.fmsFileId))).bytes)).toBe(
      sha256(before),
    )
    await isClean(hub)
    if (database === 'sqlite') {
      const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(
        hub.inner.db.read,
      )
      expect(rows).toEqual([{ integrity_check: 'ok' }])
    }
  })
})
