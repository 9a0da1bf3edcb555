/**
 * Backup beside a running hub, and restore into an empty place: whole or not there, on both databases
 * and both blob stores.
 */
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backup, backupsIn, restore } from '../packages/server/src/commands/commands.ts'
import { readConfig } from '../packages/server/src/config/config.ts'
import { storeOf } from '../packages/server/src/domain/files/blob-place.ts'
import { backupHub } from '../packages/server/src/domain/operations/backups/backup-hub.ts'
import { checkHub } from '../packages/server/src/domain/operations/integrity/check.ts'
import { closeHub, type Hub, openHub } from '../packages/server/src/hub.ts'
import { openLog } from '../packages/server/src/process/log.ts'
import { readHubState } from '../packages/server/src/store/hub-state.ts'
import { openDatabase } from '../packages/server/src/store/open-database.ts'
import { buildProgram } from './build-program.ts'
import {
  allFiles,
  allRows,
  type EmptyPlace,
  emptyPlace,
  type KeptFile,
  keyOf,
  lostFiles,
  runProgram,
  sendFile,
  startAt,
  startLoad,
  withRestored,
} from './copied-hub.ts'
import { type FileClient, openFileClient } from './faults/file-client.ts'
import { envOf } from './faults/hub-env.ts'
import { databases, startHub, type TestHub } from './hub.ts'
import { hasPostgres, makePlace, until } from './hub-place.ts'
import { parkTask } from './parked-task.ts'
import { runCommandLine } from './run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-backups-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeAll(buildProgram)
let places = 0
const newPlace = (): string => {
  places += 1
  return join(folder, `place-${places}`)
}

describe.each(databases)('a hub on %s', (database) => {
  let hub: TestHub
  let client: FileClient
  let jobId: string
  beforeAll(async () => {
    // Sealed on one of the databases: a backup must not care.
    hub = await startHub({
      database,
      env: database === 'postgres' ? { DRAGOMAN_SEAL_CONTENT: 'on' } : {},
    })
    client = openFileClient(() => hub.url)
    jobId = String((await client.createJob('kept')).body.jobId)
  })
  afterAll(() => hub?.close())

  it('is backed up under load by the command, and restored with all it had acknowledged', async () => {
    const to = newPlace()
    const load = startLoad(() => hub.url)
    await until('some load', () => load.count() > 4)
    const before = [...load.kept]
    const made = await runProgram(['backup', '--to', to, '--json'], envOf(hub.inner))
    expect({ code: made.code, err: made.err }).toEqual({ code: 0, err: '' })
    const first = JSON.parse(made.out)
    expect(first).toMatchObject({ missing: [], damaged: [], to })
    expect(first.files).toBeGreaterThanOrEqual(before.length)
    await load.stop()

    const again = await runCommandLine(['backup', '--to', to], envOf(hub.inner))
    expect(again).toMatchObject({ code: 0, err: '' })
    expect(again.out).toMatch(/^Backup \d{17}[0-9a-f]{15} is in .*: the database and \d+ files/)
    expect(again.out).toContain('The master key is not in it.')
    const [newest, older] = await backupsIn(to)
    expect(older).toMatchObject({ id: first.id, header: { files: first.files } })
    const list = await runCommandLine(['backup', 'list', '--from', to], {})
    expect(list.out.split('\n').map((line) => line.split(' ')[0])).toEqual([
      'ID',
      newest?.id,
      older?.id,
      '',
    ])

    const key = keyOf(hub.inner)
    for (const path of Object.keys(allFiles(to)))
      expect(readFileSync(join(to, path)).includes(key), `the key is not in ${path}`).toBe(false)

    const place = await emptyPlace(database, key)
    try {
      const restored = await runCommandLine(
        ['restore', '--from', to, '--backup', first.id.slice(0, 20)],
        place.env,
      )
      expect(restored).toMatchObject({ code: 0, err: '' })
      expect(restored.out).toContain(`Restored backup ${first.id}`)
      expect(restored.out).toContain('Nothing is damaged')
      const server = await startAt(place.env)
      try {
        expect(await lostFiles(server.url, before)).toEqual([])
        const acts = await server.hub.db.read
          .selectFrom('audit')
          .select(['actor', 'verb', 'thing_id'])
          .execute()
        expect(acts.at(-1)).toEqual({ actor: 'command line', verb: 'restored', thing_id: first.id })
        const file = await sendFile(
          openFileClient(() => server.url),
          jobId,
        )
        expect(await lostFiles(server.url, [file])).toEqual([])
        expect((await checkHub(server.hub)).findings).toEqual([])
      } finally {
        await server.close()
      }
    } finally {
      await place.clear()
    }
  })

  it('copies a file once, shares it between backups, and removes what only pruned ones need', async () => {
    const to = newPlace()
    const kept = await sendFile(client, jobId)
    const other = String((await client.createJob('deleted soon')).body.jobId)
    await sendFile(client, other)
    const env = envOf(hub.inner)
    const first = await backup(env, { to })
    expect(first.copied.files).toBe(first.files)
    const files = () =>
      readdirSync(join(to, 'backup-files'), { recursive: true, withFileTypes: true }).filter(
        (one) => one.isFile(),
      ).length
    expect(files()).toBe(first.files + 1)

    await client.ask('DELETE', `/v2/jobs/${other}`)
    const added = await sendFile(client, jobId)
    const second = await backup(env, { to })
    expect(second).toMatchObject({ files: first.files, copied: { files: 1 } })
    expect(files(), 'the deleted file is still needed by the first').toBe(first.files + 1 + 2)

    const third = await backup(env, { to, keep: 1 })
    expect(third).toMatchObject({ files: first.files, copied: { files: 0 } })
    expect([...third.removed].sort()).toEqual([first.id, second.id].sort())
    expect(files()).toBe(first.files + 1)
    expect((await backupsIn(to)).map(({ id }) => id)).toEqual([third.id])
    if (database === databases[0])
      await withRestored(hub.inner, to, async (server) =>
        expect(await lostFiles(server.url, [kept, added])).toEqual([]),
      )
  })

  it('removes what a killed backup left behind, once it is a day old', async () => {
    const to = newPlace()
    await sendFile(client, jobId)
    await backup(envOf(hub.inner), { to })
    const found = readdirSync(join(to, 'backup-files'), { recursive: true, withFileTypes: true })
    const one = found.find((file) => file.isFile())
    if (!one) throw new Error('the backup has no file')
    const leftovers = ['0', '1'].map((end) => join(one.parentPath, one.name.slice(0, -1) + end))
    const [old, young] = leftovers.map((path) =>
      path.endsWith(one.name) ? `${path.slice(0, -1)}2` : path,
    )
    for (const path of [old, young]) copyFileSync(join(one.parentPath, one.name), path ?? '')
    const twoDaysAgo = Date.now() / 1_000 - 2 * 86_400
    utimesSync(old ?? '', twoDaysAgo, twoDaysAgo)
    await backup(envOf(hub.inner), { to })
    expect([old, young].map((path) => existsSync(path ?? ''))).toEqual([false, true])
  })

  it('records the last backup and the act', async () => {
    const to = newPlace()
    const { id, at, bytes } = await backup(envOf(hub.inner), { to })
    const { read } = hub.inner.db
    expect(JSON.parse((await readHubState(read, 'last_backup')) ?? '')).toEqual({ at, to, bytes })
    const acts = await read
      .selectFrom('audit')
      .select(['actor', 'verb', 'thing', 'thing_id'])
      .orderBy('audit_id')
      .execute()
    expect(acts.at(-1)).toEqual({
      actor: 'command line',
      verb: 'backed up',
      thing: 'hub',
      thing_id: id,
    })
  })

  it('is restored without a finding, although its backup was taken while a task ran', async () => {
    const now = hub.inner.clock.now()
    // Not due for the hub under test, so that nobody takes it over.
    const lease = {
      parked: 0,
      due_at: now + 366 * 86_400_000,
      leased_by: 'another-node',
      lease_until: now - 120_000,
    }
    const taskId = Number(await parkTask(hub, lease))
    const to = newPlace()
    await backup(envOf(hub.inner), { to })
    await hub.inner.db.transact((tx) =>
      tx.deleteFrom('tasks').where('task_id', '=', taskId).execute(),
    )
    await withRestored(hub.inner, to, async ({ hub: restored }) => {
      const task = restored.db.read
        .selectFrom('tasks')
        .select('leased_by')
        .where('task_id', '=', taskId)
      expect(await task.executeTakeFirst()).toEqual({ leased_by: null })
    })
  })

  it('writes while it is copied, and the copy stays as it was', async () => {
    const { db: store } = hub.inner
    const jobs = async (db = store.read) =>
      (await db.selectFrom('jobs').select('job_id').execute()).length
    const before = await jobs()
    await store.withCopy(async ({ rows, bytes }) => {
      expect((await client.createJob('meanwhile')).status).toBe(201)
      expect([await jobs(rows), await jobs()]).toEqual([before, before + 1])
      let size = 0
      for await (const piece of bytes()) size += piece.byteLength
      expect(size).toBeGreaterThan(1_000)
      expect(await jobs(rows)).toBe(before)
    })
    if (database === 'sqlite')
      expect(readdirSync(hub.inner.config.data).filter((name) => name.includes('copy'))).toEqual([])
  })

  it('is copied again when a file is removed between the database and the files', async () => {
    const gone = String((await client.createJob('gone')).body.jobId)
    const file = await sendFile(client, gone)
    const { blob_id } = await hub.inner.db.read
      .selectFrom('files')
      .select('blob_id')
      .where('file_id', '=', file.fileId)
      .executeTakeFirstOrThrow()
    let removed = 0
    const open: Hub['blobs']['open'] = async (blobId, range) => {
      if (blobId === blob_id) {
        removed += 1
        await client.ask('DELETE', `/v2/jobs/${gone}`)
        await until('the file is gone', () =>
          hub.inner.blobs.size(blobId).then(
            () => false,
            () => true,
          ),
        )
      }
      return hub.inner.blobs.open(blobId, range)
    }
    const to = newPlace()
    const report = await backupHub({ ...hub.inner, blobs: { ...hub.inner.blobs, open } }, { to })
    expect({ removed, missing: report.missing }).toEqual({ removed: 1, missing: [] })
    await withRestored(hub.inner, to, async () => {})
  })

  it('ends unfinished uploads, and keeps one whose last byte had arrived', async () => {
    const uploads = String((await client.createJob('uploads')).body.jobId)
    const bytes = randomBytes(600_000)
    const [half, whole] = [await client.begin(uploads), await client.begin(uploads)]
    for (const transfer of [half, whole]) {
      const upload = await client.beginTus(transfer, bytes.byteLength)
      expect((await client.patch(transfer, upload, 0, bytes.subarray(0, 400_000))).status).toBe(204)
    }
    // As a hub leaves it that is killed after it saved the last bytes.
    const row = await hub.inner.db.read
      .selectFrom('uploads')
      .selectAll()
      .where('file_id', '=', whole.fmsFileId)
      .executeTakeFirstOrThrow()
    const at = { offset: row.received, progress: JSON.parse(row.progress) }
    const rest = (async function* () {
      yield new Uint8Array(bytes.subarray(400_000))
    })()
    const { progress } = await (await storeOf(hub.inner, row)).append(row.blob_id, at, rest, {
      maxBytes: row.length,
    })
    await hub.inner.db.transact((tx) =>
      tx
        .updateTable('uploads')
        .set({ received: row.length, progress: JSON.stringify(progress) })
        .where('upload_id', '=', row.upload_id)
        .execute(),
    )

    const to = newPlace()
    await backup(envOf(hub.inner), { to })
    await withRestored(hub.inner, to, async (server) => {
      const { read } = server.hub.db
      const files = await read
        .selectFrom('files')
        .select(['file_id', 'state', 'size'])
        .where('job_id', '=', uploads)
        .execute()
      expect(files.sort((one) => (one.file_id === half.fmsFileId ? -1 : 1))).toEqual([
        { file_id: half.fmsFileId, state: 'expected', size: null },
        { file_id: whole.fmsFileId, state: 'stored', size: bytes.byteLength },
      ])
      const again = openFileClient(() => server.url)
      const here = { ...half, fmsUploadUrl: half.fmsUploadUrl.replace(hub.url, server.url) }
      const upload = await again.beginTus(here, bytes.byteLength)
      expect((await again.patch(here, upload, 0, bytes)).status).toBe(204)
    })
  })

  it('refuses a second backup while one runs', async () => {
    await sendFile(client, jobId)
    const to = newPlace()
    let second: unknown
    const open: Hub['blobs']['open'] = async (blobId, range) => {
      second ??= await backup(envOf(hub.inner), { to }).catch((error: Error) => error.message)
      return hub.inner.blobs.open(blobId, range)
    }
    await backupHub({ ...hub.inner, blobs: { ...hub.inner.blobs, open } }, { to })
    expect(second).toBe('Another backup of this hub is running. Wait until it has ended.')
    expect(await backupsIn(to)).toHaveLength(1)
  })

  describe('with a backup that something happened to', () => {
    let kept: KeptFile
    let from: string
    let blobId: string
    beforeAll(async () => {
      kept = await sendFile(client, jobId)
      const row = await hub.inner.db.read
        .selectFrom('files')
        .select('blob_id')
        .where('file_id', '=', kept.fileId)
        .executeTakeFirstOrThrow()
      blobId = String(row.blob_id)
      from = newPlace()
      await backup(envOf(hub.inner), { to: from })
    })
    /** A copy of the backup to damage. */
    const copied = (): string => {
      const to = newPlace()
      for (const [path] of Object.entries(allFiles(from))) {
        mkdirSync(join(to, path, '..'), { recursive: true })
        writeFileSync(join(to, path), readFileSync(join(from, path)))
      }
      return to
    }
    const edit = (
      place: string,
      part: 'backups' | 'backup-files',
      name: string,
      change: (bytes: Buffer) => Buffer,
    ) => {
      const path = Object.keys(allFiles(join(place, part))).find((one) => one.endsWith(name)) ?? ''
      const file = join(place, part, path)
      writeFileSync(file, change(readFileSync(file)))
    }
    const flip = (bytes: Buffer): Buffer => {
      const at = bytes.length >> 1
      bytes[at] = (bytes[at] ?? 0) ^ 1
      return bytes
    }
    const header = (change: (text: string) => string) => (bytes: Buffer) =>
      Buffer.from(change(bytes.toString('utf8')))

    const damages: [string, (place: string) => void, RegExp][] = [
      [
        'a manifest with a flipped byte',
        (at) => edit(at, 'backups', '', flip),
        /^The manifest of backup \w+ is damaged\. Use another backup/,
      ],
      [
        'a manifest cut off',
        (at) => edit(at, 'backups', '', (bytes) => bytes.subarray(0, bytes.length - 70)),
        /^The manifest of backup \w+ is damaged/,
      ],
      [
        'an empty manifest',
        (at) => edit(at, 'backups', '', () => Buffer.alloc(0)),
        /^The manifest of backup \w+ is damaged/,
      ],
      [
        'a manifest of another version',
        (at) =>
          edit(
            at,
            'backups',
            '',
            header((text) => text.replace('"version":2', '"version":3')),
          ),
        /was written by another version of Dragoman \([\d.]+; manifest version 3, this one reads 2\)\. Use that version\.$/,
      ],
      [
        'a missing file',
        (at) => rmSync(join(at, 'backup-files', blobId.slice(0, 2), blobId)),
        /^Backup \w+ is damaged: 1 of \d+ files are missing or incomplete \(\w+\)\. Restore another backup, or everything else with --salvage\.$/,
      ],
      [
        'a file cut off',
        (at) => edit(at, 'backup-files', blobId, (bytes) => bytes.subarray(1)),
        /^Backup \w+ is damaged: 1 of/,
      ],
      [
        'no backups',
        (at) => rmSync(join(at, 'backups'), { recursive: true }),
        /^There are no backups in /,
      ],
    ]
    // Manifests are the same on both databases: one case is enough on the second.
    it.each(database === databases[0] ? damages : damages.slice(0, 1))(
      '%s is refused, and nothing is touched',
      async (_, damage, says) => {
        const [place, at] = [await emptyPlace(database, keyOf(hub.inner)), copied()]
        try {
          damage(at)
          await expect(restore(place.env, { from: at })).rejects.toThrow(says)
          expect(allFiles(place.folder)).toEqual({})
        } finally {
          await place.clear()
        }
      },
    )

    it('a damaged copy of the database is refused, and nothing is touched', async () => {
      const [place, at] = [await emptyPlace(database, keyOf(hub.inner)), copied()]
      try {
        const [found] = await backupsIn(at)
        if (!found || !('header' in found)) throw new Error('no backup')
        edit(at, 'backup-files', found.header.database.blobId, flip)
        await expect(restore(place.env, { from: at })).rejects.toThrow(
          /^The copy of the database in backup \w+ is damaged/,
        )
        expect(allFiles(place.folder)).toEqual({})
      } finally {
        await place.clear()
      }
    })

    it('a flipped byte in a file stops the restore, no hub starts on it, and --salvage leaves that file out', async () => {
      const at = copied()
      edit(at, 'backup-files', blobId, flip)
      const place = await emptyPlace(database, keyOf(hub.inner))
      try {
        const says = `The file ${blobId} in backup`
        await expect(restore(place.env, { from: at })).rejects.toThrow(says)
        await expect(startAt(place.env)).rejects.toThrow(
          /^This database is half restored: the restore of backup \w+ was interrupted\. Empty the place/,
        )
        await expect(restore(place.env, { from: at })).rejects.toThrow(
          /already a database at|was interrupted/,
        )
      } finally {
        await place.clear()
      }
      const second = await emptyPlace(database, keyOf(hub.inner))
      try {
        const { code, out } = await runCommandLine(
          ['restore', '--from', at, '--salvage'],
          second.env,
        )
        expect(code).toBe(1)
        expect(out).toContain(
          `Left out, because it is damaged or missing in the backup: ${blobId}.`,
        )
        expect(out).toContain(
          `wrong: file bytes: file ${kept.fileId} of site demo: The bytes are missing.`,
        )
        await (await startAt(second.env)).close()
      } finally {
        await second.clear()
      }
    })

    const wrongs: [string, (place: EmptyPlace) => Record<string, string>, RegExp][] = [
      [
        'another master key',
        () => ({ DRAGOMAN_MASTER_KEY: randomBytes(32).toString('hex') }),
        /^The master key in DRAGOMAN_MASTER_KEY is not that of the hub in backup \w+\. Use the original key\.$/,
      ],
      [
        'another kind of database',
        ({ folder: at }) => ({
          DRAGOMAN_DATABASE_URL:
            database === 'sqlite'
              ? 'postgres://nobody@127.0.0.1:1/none'
              : `sqlite:${join(at, 'a.db')}`,
        }),
        /^The backup is of a hub on (SQLite|PostgreSQL), but DRAGOMAN_DATABASE_URL names (PostgreSQL|SQLite)\./,
      ],
      [
        'files where the files go',
        (place) => {
          const blobs = join(place.folder, 'used')
          mkdirSync(join(blobs, 'ab'), { recursive: true })
          writeFileSync(join(blobs, 'ab', 'ab'.repeat(16)), 'x')
          return { DRAGOMAN_BLOBS_URL: `file:${blobs}` }
        },
        /^DRAGOMAN_BLOBS_URL names a place with files \((ab){16}\); give an empty one\.$/,
      ],
    ]
    it.each(wrongs)('%s is refused, and nothing is touched', async (_, wrong, says) => {
      const place = await emptyPlace(database, keyOf(hub.inner))
      try {
        const env = { ...place.env, ...wrong(place) }
        const before = allFiles(place.folder)
        await expect(restore(env, { from })).rejects.toThrow(says)
        expect(allFiles(place.folder)).toEqual(before)
      } finally {
        await place.clear()
      }
    })

    it('a place in use is refused by the command, and nothing is touched', async () => {
      const { read } = hub.inner.db
      // Without what a running hub writes by itself.
      const others = ['nodes', 'calls', 'call_times', 'chains', 'tasks']
      const rows = await allRows(hub.inner.db, others)
      const { code, out, err } = await runCommandLine(['restore', '--from', from], envOf(hub.inner))
      expect({ code, out }).toEqual({ code: 1, out: '' })
      expect(err).toMatch(
        database === 'sqlite'
          ? /^There is already a database at .*dragoman\.db; give an empty place\.\n$/
          : /^The database is not empty: it has the table \w+\. Give an empty one\.\n$/,
      )
      expect(await allRows(hub.inner.db, others)).toEqual(rows)
      expect(await readHubState(read, 'profile')).toBe('sandbox')
    })

    it('the place of another hub is refused', async () => {
      const other = await makePlace(database)
      try {
        await (await startAt(other.env)).close()
        await expect(backup(other.env, { to: from })).rejects.toThrow(
          /has backups of another hub \(\w+\)\. Give each hub its own place\.$/,
        )
      } finally {
        await other.clear()
      }
      expect(await backupsIn(from)).toHaveLength(1)
    })

    it('a file that the hub has lost or damaged itself is told, and everything else is in the backup', async () => {
      const blobs = hub.inner.blobs
      const lost = await sendFile(client, jobId)
      const row = await hub.inner.db.read
        .selectFrom('files')
        .select('blob_id')
        .where('file_id', '=', lost.fileId)
        .executeTakeFirstOrThrow()
      await blobs.remove(String(row.blob_id))
      const to = newPlace()
      const { code, err } = await runCommandLine(['backup', '--to', to], envOf(hub.inner))
      expect({ code, err }).toEqual({
        code: 1,
        err: '1 file of the hub is missing. Run dragoman check.\n',
      })
      const [found] = await backupsIn(to)
      expect(found).toMatchObject({ header: { missing: [row.blob_id] } })
      await client.ask('DELETE', `/v2/jobs/${lost.jobId}`)
    })
  })
})

describe('commands that cannot run', () => {
  it.each([
    [['backup'], 2, 'backup needs --to: a folder, or s3://BUCKET/PREFIX.'],
    [
      ['backup', '--to', 'x', '--keep', '0'],
      2,
      '--keep must be a whole number from 1 to 99999, not "0".',
    ],
    [['backup', '--to', 'x'], 1, 'There is no database at '],
    [['backup', 'list'], 2, 'backup list needs --from.'],
    [
      ['backup', 'list', '--from', '/nowhere/at/all'],
      1,
      'There are no backups in /nowhere/at/all.',
    ],
    [
      ['backup', 'list', '--from', 'ftp://host/x'],
      1,
      '"ftp://host/x" is not a place for backups: give a folder, or s3://',
    ],
    [['backup', 'list', '--from', 's3://'], 2, 'The blob URL is not usable'],
    [['restore'], 2, 'restore needs --from'],
    [['restore', '--from', '/nowhere/at/all'], 1, 'There are no backups in /nowhere/at/all.'],
  ])('%j says why', async (args, wanted, says) => {
    const data = join(newPlace(), 'data')
    const { code, out, err } = await runCommandLine(args, {
      DRAGOMAN_PROFILE: 'sandbox',
      DRAGOMAN_DATA: data,
    })
    expect({ code, out }).toEqual({ code: wanted, out: '' })
    expect(err).toContain(says)
    expect(err).not.toMatch(/\n {4}at /)
    expect(existsSync(data), 'nothing is made').toBe(false)
  })

  it.runIf(hasPostgres)(
    'without pg_dump and pg_restore, PostgreSQL is neither copied nor touched',
    async () => {
      const places = [await emptyPlace('postgres')]
      const [place] = places
      const path = process.env.PATH
      try {
        await closeHub(await openHub(readConfig(place?.env ?? {}), { log: openLog('silent') }))
        const to = newPlace()
        process.env.PATH = ''
        expect(await runCommandLine(['backup', '--to', to], place?.env ?? {})).toMatchObject({
          code: 1,
          err: expect.stringMatching(
            /^pg_dump was not found\. Install the client programs of PostgreSQL/,
          ),
        })
        expect(await backupsIn(to)).toEqual([])
        process.env.PATH = path
        await backup(place?.env ?? {}, { to })
        const empty = await emptyPlace('postgres', place?.env.DRAGOMAN_MASTER_KEY)
        places.push(empty)
        process.env.PATH = ''
        expect(await runCommandLine(['restore', '--from', to], empty.env)).toMatchObject({
          code: 1,
          err: expect.stringMatching(/^pg_restore was not found\./),
        })
        const db = await openDatabase(empty.env.DRAGOMAN_DATABASE_URL ?? '')
        expect(await allRows(db)).toEqual({})
        await db.close()
      } finally {
        process.env.PATH = path
        for (const one of places) await one.clear()
      }
    },
  )
})
