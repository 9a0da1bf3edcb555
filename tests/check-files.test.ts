import { randomBytes } from 'node:crypto'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newBlobId } from '../packages/server/src/blobs/blob-store.ts'
import { rotateSecret } from '../packages/server/src/domain/access/rotate-secret.ts'
import { expireTransfers } from '../packages/server/src/domain/files/expire.ts'
import { checkHub } from '../packages/server/src/domain/operations/integrity/check.ts'
import { sweep } from '../packages/server/src/domain/operations/tasks/sweep.ts'
import { seedHub } from '../packages/server/src/domain/sites/seed/seed.ts'
import type { Hub } from '../packages/server/src/hub.ts'
import type { Db } from '../packages/server/src/store/database.ts'
import type { FileRow, JobRow, UploadRow } from '../packages/server/src/store/tables.ts'
import { addTasks } from '../packages/server/src/store/tasks/add-tasks.ts'
import { sized } from './draws.ts'
import { openFileClient, runCheck } from './faults/file-client.ts'
import { envOf } from './faults/hub-env.ts'
import { databases, startHub } from './hub.ts'
import { type HubPlace, makePlace } from './hub-place.ts'

const hour = 3_600_000

describe.each(databases)('the check of files on %s', (database) => {
  let place: HubPlace
  let hub: Hub
  beforeEach(async () => {
    place = await makePlace(database)
    hub = await place.open()
    await seedHub(hub)
    await write((tx) => tx.insertInto('jobs').values(job).execute())
  })
  afterEach(() => place.clear())

  const write = <T>(work: (tx: Db) => Promise<T>): Promise<T> => hub.db.transact(work)
  const job = {
    job_id: 'job',
    site_id: 'demo',
    job_name: 'n',
    status: 'CREATED',
    archive_status: 'ACTIVE',
    archived: 0,
    has_error: 0,
    creator_id: 'demo-connector',
    created_at: 1,
    modified_at: 1,
    activity_at: 1,
    archival_at: Number.MAX_SAFE_INTEGER,
    cause_id: 'test',
  } satisfies Partial<JobRow>
  const file = (file_id: string, more: Partial<FileRow> = {}): FileRow => ({
    file_id,
    site_id: 'demo',
    job_id: 'job',
    name: 'a.html',
    content_type: 'text/html',
    state: 'expected',
    kind: 'source',
    client_id: 'demo-connector',
    holds_bytes: 0,
    blob_id: null,
    size: null,
    sha256: null,
    sealed: 0,
    created_at: 1,
    expires_at: Number.MAX_SAFE_INTEGER,
    cause_id: 'test',
    ...more,
  })
  const upload = (
    upload_id: string,
    file_id: string,
    more: Partial<UploadRow> = {},
  ): UploadRow => ({
    upload_id,
    file_id,
    site_id: 'demo',
    blob_id: newBlobId(),
    concat: null,
    length: 10,
    deferred: 0,
    received: 0,
    progress: '{}',
    sealed: 0,
    metadata: '{}',
    created_at: 1,
    expires_at: Number.MAX_SAFE_INTEGER,
    writer: null,
    writer_until: null,
    wanted: 0,
    ...more,
  })
  /**
   * Ages are told by the clock of the hub, which stands so many hours after the making of the
   * database.
   */
  const wait = (hours: number): void => hub.clock.moveTo(hub.clock.now() + hours * hour)
  const blob = async (size = 10, age = 0): Promise<string> => {
    const blobId = newBlobId()
    await hub.blobs.put(blobId, Readable.from([randomBytes(size)]), { maxBytes: size })
    const time = (hub.clock.now() - age) / 1000
    utimesSync(join(hub.config.data, 'blobs', blobId.slice(0, 2), blobId), time, time)
    return blobId
  }
  const findings = async () => (await checkHub(hub)).findings
  const found = async () => (await findings()).map(({ check, what }) => `${check}: ${what}`)

  it('counts files that hold bytes and support assets against their quotas', async () => {
    await write(async (tx) => {
      const few = Array.from({ length: 1_001 }, (_, at) => file(`file-${at}`))
      for (let at = 0; at < few.length; at += 500)
        await tx
          .insertInto('files')
          .values(few.slice(at, at + 500))
          .execute()
      const assets = few.map(({ file_id }, position) => ({
        asset_id: `asset-${position}`,
        site_id: 'demo',
        job_id: 'job',
        position,
        file_id,
        created_at: 1,
        cause_id: 'test',
      }))
      for (let at = 0; at < assets.length; at += 500)
        await tx
          .insertInto('support_assets')
          .values(assets.slice(at, at + 500))
          .execute()
    })
    expect(await found()).toEqual(['quotas: job job'])
    // A file that only waits for its bytes does not count; one that says that it holds some does.
    await write((tx) => tx.updateTable('files').set({ holds_bytes: 1 }).execute())
    const says = (await findings())
      .filter(({ check }) => check === 'quotas')
      .map((finding) => finding.says)
    expect(says).toHaveLength(2)
    expect(says.join()).toMatch(
      /1001 items; the quota is MaxSupportAssetsPerJob.*1001 items; the quota is MaxFilesPerJob/,
    )
    await write((tx) =>
      tx
        .updateTable('clients')
        .set({ quotas: '{"MaxFilesPerJob":2000,"MaxSupportAssetsPerJob":2000}' })
        .execute(),
    )
    expect((await findings()).filter(({ check }) => check === 'quotas')).toEqual([])
  })

  it('finds a count of bytes that is not so, in both directions', async () => {
    await write((tx) =>
      tx
        .insertInto('files')
        .values([file('none', { holds_bytes: 1 }), file('some')])
        .execute(),
    )
    await write((tx) =>
      tx
        .insertInto('uploads')
        .values(upload('u', 'some', { received: 5 }))
        .execute(),
    )
    expect((await found()).sort()).toEqual([
      'file counts: file none',
      'file counts: file some',
      'upload bytes: upload u',
    ])
  })

  it('finds an upload that is all there and that no task will make a file of', async () => {
    await write(async (tx) => {
      await tx
        .insertInto('files')
        .values(file('f', { holds_bytes: 1 }))
        .execute()
      const blob_id = await blob()
      await tx
        .insertInto('uploads')
        .values(upload('u', 'f', { blob_id, received: 10 }))
        .execute()
    })
    expect(await found()).toEqual(['upload tasks: upload u'])
    const task = {
      name: 'finish-upload',
      payload: { uploadId: 'u' },
      key: 'finish-upload:u',
      dueAt: 0,
      causeId: 'test',
    }
    await write((tx) => addTasks(hub.db, tx, 1, [task]))
    expect(await found()).toEqual([])
  })

  it('finds nothing after a transfer that something refers to has expired: its place in the quota is free again', async () => {
    const over = { expires_at: hub.clock.now() - 1 }
    const blob_id = await blob()
    await write(async (tx) => {
      await tx
        .insertInto('files')
        .values(file('f', { holds_bytes: 1, ...over }))
        .execute()
      await tx
        .insertInto('uploads')
        .values(upload('u', 'f', { blob_id, received: 5, ...over }))
        .execute()
      const asset = {
        asset_id: 'a',
        site_id: 'demo',
        job_id: 'job',
        position: 1,
        file_id: 'f',
        created_at: 1,
      }
      await tx
        .insertInto('support_assets')
        .values({ ...asset, cause_id: 'test' })
        .execute()
    })
    await expireTransfers(hub, 'test')
    expect(await found()).toEqual([])
    const rows = await hub.db.read
      .selectFrom('files')
      .select(['holds_bytes', 'expires_at'])
      .execute()
    expect(rows).toEqual([{ holds_bytes: 0, expires_at: null }])
  })

  it('finds what refers to a file or content that is not there', async () => {
    const request = {
      request_id: 'r',
      site_id: 'demo',
      job_id: 'job',
      position: 1,
      request_name: 'r',
      status: 'CREATED' as const,
      has_error: 0,
      source_native_id: 's',
      source_language: 'en-us',
      target_language: 'de-de',
      created_at: 1,
      modified_at: 1,
      cause_id: 'test',
      file_id: 'gone',
      content_id: 'gone-too',
    }
    await write((tx) => tx.insertInto('requests').values(request).execute())
    expect((await findings()).map(({ says }) => says)).toEqual([
      'It refers to file gone, which does not exist.',
      'It refers to source content gone-too, which does not exist.',
    ])
  })

  it('does not call bytes orphans that a task will remove, nor those that are young', async () => {
    wait(3)
    const [pending, lost] = [await blob(10, 2 * hour), await blob(20, 2 * hour)]
    await blob(30, 0.9 * hour)
    const task = {
      name: 'remove-blobs',
      payload: { blobIds: [pending] },
      dueAt: 0,
      causeId: 'test',
    }
    await write((tx) => addTasks(hub.db, tx, 1, [task]))
    expect(await found()).toEqual([`orphans: blob ${lost}`])
    const { findings: left, repaired } = await checkHub(hub, { repair: true })
    const acts = await hub.db.read
      .selectFrom('audit')
      .select(['actor', 'verb'])
      .orderBy('audit_id')
      .execute()
    expect(acts.at(-1)).toEqual({ actor: 'command line', verb: 'repaired' })
    expect(left).toEqual([])
    expect(repaired?.orphans.map(({ blobId }) => blobId).sort()).toEqual([pending, lost].sort())
    const sizes: number[] = []
    for await (const { size } of hub.blobs.list()) sizes.push(size)
    expect(sizes).toEqual([30])
  })

  it('leaves alone what is older than the database: it may be the files of another hub', async () => {
    const [first] = [await blob(10, 2 * hour), await blob(10, 24 * 365 * hour)]
    await sweep(hub)
    expect((await checkHub(hub, { repair: true })).repaired).toEqual({ orphans: [], leftovers: 0 })
    expect(await hub.blobs.size(first)).toBe(10)
    expect(await findings()).toMatchObject([
      {
        check: 'strangers',
        weight: 'waiting',
        what: 'blob store',
        says: expect.stringMatching(/^2 blobs are older/),
      },
    ])
  })

  it('is preceded by a sweep that removes orphans past their grace time and secrets that have ended', async () => {
    wait(3)
    await blob(10, 2 * hour)
    const young = await blob(10, 0.9 * hour)
    await rotateSecret(hub, 'demo-connector', { overlap: { count: 1, unit: 'h' } })
    const secrets = () =>
      hub.db.read
        .selectFrom('client_secrets')
        .where('client_id', '=', 'demo-connector')
        .select('secret_id')
        .execute()
    await sweep(hub)
    expect(await secrets()).toHaveLength(2)
    const left: string[] = []
    for await (const { blobId } of hub.blobs.list()) left.push(blobId)
    expect(left).toEqual([young])
    wait(2)
    await sweep(hub)
    expect(await secrets()).toHaveLength(1)
    for await (const { blobId } of hub.blobs.list()) expect(blobId).toBe('none is left')
  })

  it('finds nothing beside a busy hub, again and again', async () => {
    const busy = await startHub({ database })
    const client = openFileClient(() => busy.url)
    let done = false
    const work = async (): Promise<void> => {
      while (!done) {
        const jobId = String((await client.createJob('busy')).body.jobId)
        const bytes = randomBytes(50_000)
        expect((await client.post(await client.begin(jobId), bytes)).status).toBe(201)
        const transfer = await client.begin(jobId)
        const at = await client.beginTus(transfer, bytes.length)
        for (let from = 0; from < bytes.length; from += 10_000)
          expect(
            (await client.patch(transfer, at, from, bytes.subarray(from, from + 10_000))).status,
          ).toBe(204)
        expect((await client.ask('DELETE', `/v2/jobs/${jobId}`)).status).toBeLessThan(300)
      }
    }
    const workers = [work(), work(), work()]
    try {
      for (let run = 0; run < sized(1, 3); run += 1)
        expect(await runCheck(envOf(busy.inner))).toMatchObject({ code: 0 })
      for (let run = 0; run < sized(2, 8); run += 1)
        expect((await checkHub(busy.inner)).findings).toEqual([])
    } finally {
      done = true
      await Promise.all(workers)
      await busy.close()
    }
  })
})
