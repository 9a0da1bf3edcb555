/**
 * F5: a disk that reports an input/output error at a flush or a write. What was refused may be
 * there or not; what was acknowledged is there after a kill, and the database is whole.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startProcess, type TestProcess } from '../hub.ts'
import { type Failing, failCalls, whyNoStrace } from './failing-calls.ts'
import {
  type FileClient,
  type Got,
  openFileClient,
  runCheck,
  sha256,
  type Transfer,
} from './file-client.ts'

const flushes = 'fsync,fdatasync'
const writes = 'pwrite64,pwritev'

describe('an input/output error of the disk', () => {
  const missing = whyNoStrace()
  let folder: string
  let env: Record<string, string>
  let hub: TestProcess
  let client: FileClient
  let failing: Failing | undefined
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'dragoman-eio-'))
    env = { DRAGOMAN_DATA: join(folder, 'data') }
    hub = await startProcess(env)
    client = openFileClient(() => hub.url)
  })
  afterEach(async () => {
    await failing?.stop()
    failing = undefined
    await hub.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const mend = async (): Promise<number> => {
    const failed = failing?.failed() ?? 0
    await failing?.stop()
    failing = undefined
    return failed
  }
  const killAndRestart = async (): Promise<void> => {
    hub.signal('SIGKILL')
    await hub.exited
    hub = await startProcess(env)
    client.forgetToken()
  }
  const newJob = async (): Promise<string> => {
    const { status, body } = await client.createJob('eio')
    expect(status).toBe(201)
    return String(body.jobId)
  }
  const read = async (jobId: string, fileId: string): Promise<string> =>
    sha256((await client.read(await client.link(jobId, fileId))).bytes)
  const rowsRefused = { status: 503, code: 'SERVICE_UNAVAILABLE' }
  const bytesRefused = { status: 503, code: 'FMS_UNAVAILABLE' }

  it.for([flushes, writes])(
    'while every one of %s fails nothing is acknowledged; afterwards all goes on',
    async (calls, { skip }) => {
      if (missing) skip(missing)
      const jobId = await newJob()
      const bytes = randomBytes(300_000)
      const [direct, resumed] = [await client.begin(jobId), await client.begin(jobId)]
      const upload = await client.beginTus(resumed, bytes.length)
      expect((await client.patch(resumed, upload, 0, bytes.subarray(0, 100_000))).status).toBe(204)

      failing = await failCalls(hub.pid, calls, '1+')
      expect(await client.createJob('never')).toMatchObject(rowsRefused)
      expect(await client.post(direct, bytes)).toMatchObject(bytesRefused)
      // A piece of an upload wants its row first: the right to write.
      expect((await client.patch(resumed, upload, 100_000, bytes.subarray(100_000))).status).toBe(
        503,
      )
      const list = await client.ask('GET', '/v2/jobs')
      expect(list.status).toBe(200)
      expect(list.body.jobs).toHaveLength(1)
      expect(await mend()).toBeGreaterThan(2)

      const later = await newJob()
      expect((await client.post(direct, bytes)).status).toBe(201)
      expect(await client.offset(resumed, upload)).toBe(100_000)
      expect((await client.patch(resumed, upload, 100_000, bytes.subarray(100_000))).status).toBe(
        204,
      )
      await killAndRestart()
      expect((await client.ask('GET', `/v2/jobs/${later}`)).status).toBe(200)
      for (const { fmsFileId } of [direct, resumed])
        expect(await read(jobId, fmsFileId)).toBe(sha256(bytes))
      expect(await runCheck(env)).toMatchObject({ code: 0 })
    },
  )

  const rounds = 6
  /**
   * A commit is one flush and many writes: what fails more often than that lets nothing through.
   */
  const when = { [flushes]: ['1', '2', '3', '5+7'], [writes]: ['1', '4', '9', '15+97'] }
  it('at the Nth flush or write: no false acknowledgement, and the database is whole', async ({
    skip,
  }) => {
    if (missing) skip(missing)
    const [sums, jobs] = [new Map<Transfer, { jobId: string; sum: string }>(), new Set<string>()]
    let [refused, failed] = [0, 0]
    /** Tries as a careful connector does: again after a 503, a bounded number of times. */
    const insist = async (act: () => Promise<Got>): Promise<Got> => {
      for (let tries = 0; ; tries += 1) {
        const got = await act()
        if (got.status < 300) return got
        expect(got.status, JSON.stringify(got.body)).toBe(503)
        expect(tries, JSON.stringify(got.body)).toBeLessThan(20)
        refused += 1
      }
    }
    for (const [calls, places] of Object.entries(when))
      for (const place of places) {
        const jobId = await newJob()
        const transfers: Transfer[] = []
        for (let at = 0; at < rounds; at += 1) transfers.push(await client.begin(jobId))
        failing = await failCalls(hub.pid, calls, place)
        for (const [at, transfer] of transfers.entries()) {
          jobs.add(String((await insist(() => client.createJob('acknowledged'))).body.jobId))
          const bytes = randomBytes(150_000 + at)
          if (at % 2 === 0) await insist(() => client.post(transfer, bytes))
          else await resume(transfer, bytes, insist)
          sums.set(transfer, { jobId, sum: sha256(bytes) })
        }
        failed += await mend()
      }
    expect(failed).toBeGreaterThan(8)
    expect(refused).toBeGreaterThan(8)

    await killAndRestart()
    for (const id of jobs) expect((await client.ask('GET', `/v2/jobs/${id}`)).status).toBe(200)
    for (const [{ fmsFileId }, { jobId, sum }] of sums)
      expect(await read(jobId, fmsFileId)).toBe(sum)
    expect(await runCheck(env)).toMatchObject({ code: 0 })
  })

  /** By TUS in three pieces, from wherever the hub says that it stands. */
  async function resume(
    transfer: Transfer,
    bytes: Buffer,
    insist: (act: () => Promise<Got>) => Promise<Got>,
  ) {
    let upload = ''
    await insist(async () => {
      const got = await client.createTus(transfer, bytes.length)
      upload = String(got.headers.get('location'))
      return got
    })
    for (let offset = 0; offset < bytes.length; ) {
      const step = Math.ceil(bytes.length / 3)
      await insist(async () => {
        const stand = await client.head(transfer, upload)
        if (stand.status !== 200) return stand
        offset = Number(stand.headers.get('upload-offset'))
        if (offset === bytes.length) return stand
        const got = await client.patch(
          transfer,
          upload,
          offset,
          bytes.subarray(offset, offset + step),
        )
        if (got.status === 204) offset = Number(got.headers.get('upload-offset'))
        return got
      })
    }
  }
})
