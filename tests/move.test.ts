/**
 * Moving a hub from SQLite to PostgreSQL: every row and file, compared; the source stays as it was.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { move } from '../packages/server/src/commands/commands.ts'
import { readConfig } from '../packages/server/src/config/config.ts'
import { moveHub } from '../packages/server/src/domain/operations/backups/move-hub.ts'
import { checkHub } from '../packages/server/src/domain/operations/integrity/check.ts'
import { openDatabase } from '../packages/server/src/store/open-database.ts'
import { readUnfinished } from '../packages/server/src/store/unfinished.ts'
import { buildProgram } from './build-program.ts'
import {
  allRows,
  type EmptyPlace,
  emptyPlace,
  type KeptFile,
  lostFiles,
  runProgram,
  sendFile,
  startAt,
} from './copied-hub.ts'
import { openFileClient, type Transfer } from './faults/file-client.ts'
import { runCommandLine } from './run-command.ts'
import { onPostgres } from './store-place.ts'

beforeAll(buildProgram)

onPostgres('moving to PostgreSQL', () => {
  let source: EmptyPlace
  let target: EmptyPlace
  let to: string
  let files: KeptFile[]
  let half: { transfer: Transfer; upload: string }
  const bytes = Buffer.alloc(300_000, 'upload')

  /**
   * A hub that has lived: rows in many tables, files, a translation, deliveries that fail, half an
   * upload.
   */
  async function live(): Promise<void> {
    const server = await startAt(source.env)
    try {
      const client = openFileClient(() => server.url)
      const must = async (method: string, path: string, body?: object) => {
        const got = await client.ask(method, `/v2${path}`, body)
        if (got.status >= 300)
          throw new Error(`${method} ${path}: ${got.status} ${JSON.stringify(got.body)}`)
        return got.body
      }
      // Nobody listens there, so that deliveries and their tasks stay.
      await must('POST', '/statusupdates/listeners', {
        uri: 'http://127.0.0.1:9/',
        type: 'JOB_STATUS_UPDATED',
      })
      const providers = (await must('GET', '/providers')).providers as {
        id: string
        name: string
      }[]
      const pseudo = providers.find(({ name }) => name === 'Pseudo')?.id
      files = []
      for (const name of ['first', 'second']) {
        const jobId = String(
          (await must('POST', '/jobs', { jobName: name, labels: ['a', `"quoted" \\ ${name}`] }))
            .jobId,
        )
        const file = await sendFile(client, jobId, Buffer.from(`<p>Good morning, ${name}</p>`))
        files.push(file)
        await must('POST', `/jobs/${jobId}/requests/add`, {
          requests: [
            {
              requestName: 'file',
              sourceNativeId: 'f',
              sourceNativeLanguageCode: 'en-US',
              targetNativeLanguageCodes: ['de-DE'],
              fmsFileId: file.fileId,
            },
            {
              requestName: 'fields',
              sourceNativeId: 'k',
              sourceNativeLanguageCode: 'en-US',
              targetNativeLanguageCodes: ['de-DE'],
              fields: [{ key: 'a', value: 'Ünïcode \u{1F600} {x}\n"\\' }],
            },
          ],
        })
        await must('PUT', `/jobs/${jobId}/submit`, { providerId: pseudo })
      }
      await client.advance('10m')
      const jobId = String((await client.createJob('third')).body.jobId)
      const transfer = await client.begin(jobId)
      const upload = await client.beginTus(transfer, bytes.byteLength)
      half = { transfer, upload }
      await client.patch(transfer, upload, 0, bytes.subarray(0, 100_000))
      await client.advance('1m')
    } finally {
      await server.close()
    }
  }

  beforeAll(async () => {
    source = await emptyPlace('sqlite')
    await live()
  })
  afterAll(() => source?.clear())
  beforeEach(async () => {
    target = await emptyPlace('postgres', source.env.DRAGOMAN_MASTER_KEY)
    to = target.env.DRAGOMAN_DATABASE_URL ?? ''
  })
  afterEach(() => target.clear())

  const rowsOf = async (url: string, without: readonly string[] = []) => {
    const db = await openDatabase(url)
    return allRows(db, without).finally(() => db.close())
  }
  const sourceUrl = () => `sqlite:${join(source.env.DRAGOMAN_DATA ?? '', 'dragoman.db')}`
  /** The hub as it is configured after the move. */
  const moved = () => ({ ...target.env, DRAGOMAN_DATA: source.env.DRAGOMAN_DATA ?? '' })

  it('every row arrives, the source stays, the logs verify, and numbers continue', async () => {
    const before = await rowsOf(sourceUrl())
    for (const table of [
      'jobs',
      'requests',
      'files',
      'uploads',
      'deliveries',
      'attempts',
      'tasks',
      'status_updates',
      'calls',
      'audit',
    ])
      expect(before[table]?.length, table).toBeGreaterThan(0)
    const { code, out, err } = await runProgram(['move', '--to', to, '--json'], source.env)
    expect({ code, err }).toEqual({ code: 0, err: '' })
    const report = JSON.parse(out)
    expect(report.check.findings).toEqual([])
    expect(await rowsOf(sourceUrl())).toEqual(before)

    // The act of the move, the nodes of the source and its turn to back up are all that differs.
    const changed = ['audit', 'chains', 'nodes', 'hub_state']
    const after = await rowsOf(to)
    for (const [table, rows] of Object.entries(before))
      if (!changed.includes(table)) expect(after[table], table).toEqual(rows)
    expect(after.audit).toHaveLength((before.audit?.length ?? 0) + 1)
    expect(after.audit?.filter((row) => row.includes('"moved"'))).toHaveLength(1)
    expect(after.nodes).toEqual([])
    const counts = Object.fromEntries(
      report.tables.map(({ name, rows }: { name: string; rows: number }) => [name, rows]),
    )
    expect(counts).toEqual(
      Object.fromEntries(Object.entries(before).map(([name, rows]) => [name, rows.length])),
    )

    const last = await lastNumbers()
    const server = await startAt(moved())
    try {
      expect(await lostFiles(server.url, files)).toEqual([])
      const client = openFileClient(() => server.url)
      // The upload goes on where it was.
      expect(
        (await client.patch(half.transfer, half.upload, 100_000, bytes.subarray(100_000))).status,
      ).toBe(204)
      const { read } = server.hub.db
      await client.createJob('after the move')
      await server.hub.db.transact((tx) =>
        tx
          .insertInto('tasks')
          .values({
            name: 'none',
            payload: '{}',
            due_at: 9e15,
            attempts: 0,
            parked: 1,
            fence: 0,
            cause_id: 'x',
            created_at: 0,
          })
          .execute(),
      )
      const { task } = await read
        .selectFrom('tasks')
        .select((eb) => eb.fn.max('task_id').as('task'))
        .executeTakeFirstOrThrow()
      expect(Number(task)).toBeGreaterThan(last.tasks ?? 0)
      await server.hub.db.transact((tx) =>
        tx.deleteFrom('tasks').where('name', '=', 'none').execute(),
      )
      expect((await checkHub(server.hub)).findings).toEqual([])
    } finally {
      await server.close()
    }
  })

  async function lastNumbers(): Promise<Record<string, number>> {
    const db = await openDatabase(sourceUrl())
    const { rows } = await sql<{
      name: string
      seq: number
    }>`select name, seq from sqlite_sequence`.execute(db.read)
    await db.close()
    return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]))
  }

  it('files move to a folder too, and unfinished uploads end', async () => {
    const blobs = join(target.folder, 'files')
    const report = await move(source.env, { to, blobs })
    expect(report).toMatchObject({ files: 4, endedUploads: 1, check: { findings: [] } })
    const server = await startAt({ ...target.env, DRAGOMAN_BLOBS_URL: `file:${blobs}` })
    try {
      expect(await lostFiles(server.url, files)).toEqual([])
      expect((await openFileClient(() => server.url).head(half.transfer, half.upload)).status).toBe(
        404,
      )
    } finally {
      await server.close()
    }
  })

  it('a move that is cut off leaves a database that no hub opens, and the next run starts over', async () => {
    const blobs = join(target.folder, 'files')
    const toldTable = (table: string) => {
      if (table === 'tasks') throw new Error('cut off')
    }
    await expect(move(source.env, { to, blobs, toldTable })).rejects.toThrow('cut off')
    await expect(startAt(moved())).rejects.toThrow(
      'This database is half filled: a move to it was interrupted. Run dragoman move again',
    )
    const told = () => {
      throw new Error('cut off in the files')
    }
    await expect(move(source.env, { to, blobs, told })).rejects.toThrow('cut off in the files')
    await expect(move(source.env, { to })).rejects.toThrow(
      'A move into this database was interrupted.',
    )
    expect((await move(source.env, { to, blobs })).check.findings).toEqual([])
    const db = await openDatabase(to)
    expect(await readUnfinished(db)).toBeUndefined()
    await db.close()
  })

  it('a row that arrives changed is found', async () => {
    const config = readConfig(source.env)
    const spoil = async () => {
      const db = await openDatabase(to)
      await db.transact((tx) =>
        tx
          .updateTable('jobs')
          .set({ job_name: 'spoilt' })
          .where('job_name', '=', 'first')
          .execute(),
      )
      await db.close()
    }
    let spoilt: Promise<void> | undefined
    // The last table comes long after the jobs.
    const toldTable = (table: string) => {
      if (table === 'requests') spoilt = spoil()
    }
    await expect(moveHub(config, { to, toldTable })).rejects.toThrow(
      /^The table jobs differs: 3 rows \(sum \w+\) were copied, 3 \(sum \w+\) arrived\. Run the command again/,
    )
    await spoilt
  })

  it('is refused while the hub runs, into a database in use, from PostgreSQL and without a database', async () => {
    const server = await startAt(source.env)
    try {
      const { code, err } = await runCommandLine(['move', '--to', to], source.env)
      expect({ code, err }).toEqual({
        code: 1,
        err: 'The hub is running. Stop it, then move it.\n',
      })
    } finally {
      await server.close()
    }
    const db = await openDatabase(to)
    await db.transact((tx) => sql`create table theirs (a text)`.execute(tx))
    await db.close()
    await expect(move(source.env, { to })).rejects.toThrow(
      'The database is not empty: it has the table theirs. Give an empty one.',
    )
    expect(Object.keys(await rowsOf(to))).toEqual(['theirs'])
    await expect(move(target.env, { to })).rejects.toThrow(
      'This hub already uses PostgreSQL; only a hub on SQLite can be moved.',
    )
    const empty = mkdtempSync(join(tmpdir(), 'dragoman-none-'))
    await expect(move({ ...source.env, DRAGOMAN_DATA: empty }, { to })).rejects.toThrow(
      `There is no database at ${empty}/dragoman.db.`,
    )
    rmSync(empty, { recursive: true })
  })

  it.each([
    [['--to', 'mysql://x/y'], 1, '--to must be the URL of a PostgreSQL database: postgres://'],
    [['--to', 'sqlite:x.db'], 1, '--to must be the URL of a PostgreSQL database: postgres://'],
    [['--to', 'postgres://nobody@127.0.0.1:1/none'], 2, 'PostgreSQL gave no connection'],
    [[], 2, 'move needs --to'],
  ])('%j is refused', async (args, wanted, says) => {
    const { code, out, err } = await runCommandLine(['move', ...args], source.env)
    expect({ code, out }).toEqual({ code: wanted, out: '' })
    expect(err).toContain(says)
    expect(
      readFileSync(join(source.env.DRAGOMAN_DATA ?? '', 'dragoman.db')).length,
    ).toBeGreaterThan(0)
  })
})
