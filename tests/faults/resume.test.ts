/**
 * A hub that was killed in the middle of a PATCH knows, when it is back, that nobody writes there
 * any more.
 */
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSqlite } from '../../packages/server/src/store/sqlite/sqlite.ts'
import { openConnector } from '../campaigns/connector.ts'
import {
  createUpload,
  offsetOf,
  patchPaced,
  sendPatch,
  tusHeaders,
} from '../campaigns/paced-patch.ts'
import { startSteadyHub } from '../campaigns/steady-hub.ts'

it('after a kill in the middle of two uploads one is asked about and the other begun anew at once', async () => {
  const hub = await startSteadyHub()
  try {
    const connector = openConnector(() => hub.url)
    const jobId = await connector.createJob('Resume')
    const begin = async () => {
      const transfer = await connector.beginTransfer(jobId, 'resume.bin')
      const path = await createUpload(hub.url, transfer, 1_000_000)
      const body = { letter: 'a', bytes: 1_000_000, pieces: 1_000, pauseMs: 100 }
      return { transfer, path, sending: patchPaced(new URL(path, hub.url), transfer, 0, body) }
    }
    const uploads = [await begin(), await begin()] as const
    await expect.poll(() => countWriters(hub.folder)).toBe(uploads.length)
    await hub.restart()
    const [asked, anew] = uploads
    const head = await fetch(new URL(asked.path, hub.url), {
      method: 'HEAD',
      headers: tusHeaders(asked.transfer),
    })
    expect(head.status).toBe(200)
    expect(Number(head.headers.get('upload-offset'))).toBeLessThan(1_000_000)
    expect(await createUpload(hub.url, anew.transfer, 10)).not.toBe(anew.path)
    for (const { sending } of uploads) expect((await sending).status).toBeUndefined()
  } finally {
    await hub.close()
  }
})

it('after a kill in the middle of a chunk with a checksum nothing of it is there, and it is sent again', async () => {
  const hub = await startSteadyHub()
  try {
    const connector = openConnector(() => hub.url)
    const jobId = await connector.createJob('Resume')
    const transfer = await connector.beginTransfer(jobId, 'resume.bin')
    const bytes = Buffer.alloc(4_000_000, 'a')
    const digest = createHash('sha1').update(bytes).digest('base64')
    const path = await createUpload(hub.url, transfer, bytes.length)
    const headers = {
      ...tusHeaders(transfer),
      ...{
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
        'upload-checksum': `sha1 ${digest}`,
      },
    }
    const call = request(new URL(path, hub.url), {
      method: 'PATCH',
      headers: { ...headers, 'content-length': bytes.length },
    })
    call.on('error', () => {}).write(bytes.subarray(0, -1))
    await expect.poll(() => partBytes(hub.folder)).toBeGreaterThan(0)
    await hub.restart()
    const head = await fetch(new URL(path, hub.url), {
      method: 'HEAD',
      headers: tusHeaders(transfer),
    })
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '0'])
    const again = await fetch(new URL(path, hub.url), { method: 'PATCH', headers, body: bytes })
    expect([again.status, again.headers.get('upload-offset')]).toEqual([204, String(bytes.length)])
    expect(await connector.download(jobId, transfer.fmsFileId)).toMatchObject({
      size: bytes.length,
    })
  } finally {
    await hub.close()
  }
})

it('a kill inside one long PATCH loses no more than its last 16 MiB or second', async () => {
  const hub = await startSteadyHub()
  try {
    const mib = 1024 ** 2
    const connector = openConnector(() => hub.url)
    const jobId = await connector.createJob('Resume')
    const transfer = await connector.beginTransfer(jobId, 'resume.bin')
    const bytes = randomBytes(72 * mib)
    const path = await createUpload(hub.url, transfer, bytes.length)
    const url = new URL(path, hub.url)
    const call = request(url, {
      method: 'PATCH',
      headers: {
        ...tusHeaders(transfer),
        'content-type': 'application/offset+octet-stream',
        'upload-offset': '0',
        'content-length': bytes.length,
      },
    })
    const sent = 56 * mib
    call.on('error', () => {}).write(bytes.subarray(0, sent))
    await expect.poll(() => partBytes(hub.folder), { timeout: 60_000 }).toBe(sent)
    await expect.poll(() => receivedBytes(hub.folder), { timeout: 60_000 }).toBe(sent)
    await hub.restart()
    const acknowledged = await offsetOf(url, transfer)
    expect(acknowledged).toBe(sent)
    const done = await sendPatch(url, { transfer, bytes, acknowledged }, bytes.length)
    expect(done).toEqual({ status: 204, offset: bytes.length })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    expect(await connector.download(jobId, transfer.fmsFileId)).toMatchObject({
      size: bytes.length,
      sha256,
    })
  } finally {
    await hub.close()
  }
})

/** How many bytes of unfinished writes are on the disk. */
function partBytes(folder: string): number {
  const blobs = join(folder, 'data', 'blobs')
  const parts = readdirSync(blobs, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.part'),
  )
  return parts.reduce((sum, name) => sum + statSync(join(blobs, name)).size, 0)
}

/** What the rows of uploads say has arrived. */
async function receivedBytes(folder: string): Promise<number> {
  const engine = await openSqlite(join(folder, 'data', 'dragoman.db'))
  try {
    const rows = await engine.read.selectFrom('uploads').select('received').execute()
    return rows.reduce((sum, { received }) => sum + Number(received), 0)
  } finally {
    await engine.close()
  }
}

async function countWriters(folder: string): Promise<number> {
  const db = await openSqlite(join(folder, 'data', 'dragoman.db'))
  try {
    const rows = await db.read
      .selectFrom('uploads')
      .select('writer')
      .where('writer', 'is not', null)
      .execute()
    return rows.length
  } finally {
    await db.close()
  }
}
