import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Database, Db } from '../packages/server/src/store/database.ts'
import { migrate, SchemaTooNew } from '../packages/server/src/store/migrate.ts'
import { migrations } from '../packages/server/src/store/migrations/index.ts'
import type { Migration } from '../packages/server/src/store/migrations/migration.ts'
import { beatNode } from '../packages/server/src/store/nodes.ts'
import { openDatabase } from '../packages/server/src/store/open-database.ts'
import { openPostgres } from '../packages/server/src/store/postgres/postgres.ts'
import { prepared, together } from '../packages/server/src/store/prepared.ts'
import { FileInUse, openSqlite } from '../packages/server/src/store/sqlite/sqlite.ts'
import { loadSqlite } from '../packages/server/src/store/sqlite/sqlite-module.ts'
import type { RequestRow } from '../packages/server/src/store/tables.ts'
import { buildProgram } from './build-program.ts'
import { databaseConformance } from './database.conformance.ts'
import { manyRowsConformance } from './many-rows.conformance.ts'
import { startPostgres } from './postgres.ts'
import { jobRow, names, put, type StorePlace, signal } from './store-fixtures.ts'
import { onEachDatabase, onPostgres, postgresPlace, runChild, sqlitePlace } from './store-place.ts'
import { taskStatesConformance } from './task-states.conformance.ts'
import { tasksConformance } from './tasks.conformance.ts'

onEachDatabase('the database', databaseConformance)
onEachDatabase('tasks', tasksConformance)
onEachDatabase('states of tasks', taskStatesConformance)
onEachDatabase('many rows', manyRowsConformance)

onEachDatabase('migrations', (makePlace) => {
  let place: StorePlace
  beforeAll(buildProgram)
  beforeEach(async () => {
    place = await makePlace()
  })
  afterEach(() => place.clear())

  const applied = async (db: Database): Promise<unknown[]> =>
    (await sql`select number, name from schema_migrations order by number`.execute(db.read)).rows
  const all = migrations.map((migration, index) => ({ number: index + 1, name: migration.name }))

  it('are applied once each, however often they are run', async () => {
    const db = await place.open()
    expect(await migrate(db, 7)).toBe(migrations.length)
    expect(await migrate(db, 8)).toBe(0)
    expect(await applied(db)).toEqual(all)
    await db.close()
  })

  it('are applied once by several processes that start at once', async () => {
    const children = [1, 2, 3].map(() => runChild('migrate', place.url))
    const ends = await Promise.all(children.map((child) => child.ended))
    expect(ends).toEqual([1, 2, 3].map(() => ({ code: 0, error: expect.any(String) })))
    const did = await Promise.all(children.map((child) => child.said))
    expect(did.map(Number).reduce((sum, one) => sum + one)).toBe(migrations.length)
    const db = await place.open()
    expect(await applied(db)).toEqual(all)
    await db.close()
  })

  it('let jobs of before be found by their analysis codes', async () => {
    const db = await place.open()
    await migrate(db, 1, migrations.slice(0, 3))
    const codes = [
      { level: 2, code: 'CC-Ä' },
      { level: 3, code: 'x' },
    ]
    const jobs = Array.from({ length: 150 }, (_, at) => ({
      ...jobRow(),
      analysis_codes: at ? JSON.stringify(codes) : null,
    }))
    await db.transact((tx) => tx.insertInto('jobs').values(jobs).execute())
    await migrate(db, 2)
    const rows = await db.read.selectFrom('job_codes').selectAll().orderBy('level').execute()
    expect(rows).toHaveLength(149 * 2)
    expect(rows.filter(({ job_id }) => job_id === jobs[7]?.job_id)).toEqual([
      { job_id: jobs[7]?.job_id, site_id: 'site', level: 2, code_key: 'cc-ä', code_id: null },
      { job_id: jobs[7]?.job_id, site_id: 'site', level: 3, code_key: 'x', code_id: null },
    ])
    await db.close()
  })

  it('keep the history of before', async () => {
    const db = await place.open()
    await migrate(db, 1, migrations.slice(0, 5))
    const job = jobRow()
    await db.transact(async (tx) => {
      await tx.insertInto('jobs').values(job).execute()
      const lines = [null, 'a_-1'].map(
        (id) => sql`(${`m${id}`}, 'site', ${job.job_id}, ${id}, 'submit', 'A', 'B', 1, 'c')`,
      )
      await sql`insert into moves values ${sql.join(lines)}`.execute(tx)
    })
    await migrate(db, 2)
    const rows = await db.read
      .selectFrom('moves')
      .select('request_ids')
      .orderBy('move_id')
      .execute()
    expect(rows).toEqual([{ request_ids: '["a_-1"]' }, { request_ids: null }])
    await db.close()
  })

  it('keep every column of the requests and contents of before', async () => {
    const db = await place.open()
    await migrate(db, 1, migrations.slice(0, 5))
    const job = jobRow()
    const texts = (names: string) =>
      Object.fromEntries(names.split(' ').map((name) => [name, `the ${name}`]))
    const numbers = { position: 1, has_error: 1, created_at: 2, modified_at: 3, word_count: 4 }
    const ids =
      'request_id site_id request_name error_message source_native_id source_language target_native_id'
    const more =
      'target_language file_id content_id provider_reference reject_note extended_metadata cause_id'
    const later = 'translation_file_id translation_content_id incoming_file_id incoming_content_id'
    const own = { job_id: job.job_id, status: 'SENDING' }
    const request = { ...texts(`${ids} ${more} ${later}`), ...numbers, ...own } as RequestRow
    const { site_id } = request
    const written = { bytes: 5, created_at: 6, modified_at: 7 }
    const content = { content_id: 'c', site_id, job_id: job.job_id, fields: '[]', ...written }
    await db.transact(async (tx) => {
      await tx.insertInto('jobs').values(job).execute()
      await tx.insertInto('requests').values(request).execute()
      await tx.insertInto('source_contents').values(content).execute()
    })
    await migrate(db, 2)
    expect(await db.read.selectFrom('requests').selectAll().execute()).toMatchObject([request])
    expect(await db.read.selectFrom('source_contents').selectAll().execute()).toMatchObject([
      content,
    ])
    await db.close()
  })

  it('give keys and numbers of before to the site that they were made in', async () => {
    const db = await place.open()
    await migrate(db, 1, migrations.slice(0, 7))
    await db.transact(async (tx) => {
      const clients = [
        // Removed from the site "old" and added to "new" at 100.
        ['moved', 'new', 100],
        ['steady', 'old', 1],
      ].map(([id, site, at]) => sql`(${id}, ${site}, 'content', 'full', null, ${at}, null)`)
      await sql`insert into clients values ${sql.join(clients)}`.execute(tx)
      const calls = [
        ['outside', 'old'],
        ['outside', 'old'],
        ['both', 'old'],
        ['both', 'new'],
      ].map(([id, site]) => sql`('t', 1, 'POST', '/', ${site}, ${id}, 'a', 201, 1, 1, 1)`)
      const columns = sql`trace_id, called_at, method, route, site_id, client_id, address, status, duration_us, bytes_in, bytes_out`
      await sql`insert into calls (${columns}) values ${sql.join(calls)}`.execute(tx)
      const keys = [
        ['moved', 'before', 99],
        ['moved', 'since', 100],
        ['steady', 'one', 50],
        ['outside', 'one', 50],
        ['both', 'one', 50],
        ['nobody', 'one', 50],
      ].map(([id, key, at]) => sql`(${id}, '/v2/jobs', ${key}, 'hash', 'answer', 7, ${at})`)
      await sql`insert into idempotency values ${sql.join(keys)}`.execute(tx)
      const update = (id: string, site: string, sequence: number) =>
        sql`(${`${id}${sequence}`}, ${site}, ${id}, ${sequence}, 'j', null, '[]', 'CANCELLED', 0, null, 1, null, 'c')`
      const updates = [
        update('moved', 'old', 1),
        update('moved', 'new', 2),
        update('outside', 'old', 1),
      ]
      await sql`insert into status_updates values ${sql.join(updates)}`.execute(tx)
      await sql`insert into update_counters values ('moved', 2), ('outside', 8), ('creator', 5)`.execute(
        tx,
      )
      await tx
        .insertInto('jobs')
        .values({ ...jobRow(), creator_id: 'creator', site_id: 'old' })
        .execute()
    })
    await migrate(db, 2)
    const keys = await db.read.selectFrom('idempotency').selectAll().orderBy('client_id').execute()
    const key = { path: '/v2/jobs', body_hash: 'hash', answer: 'answer', running_until: 7 }
    expect(keys).toEqual([
      { ...key, site_id: 'new', client_id: 'moved', key: 'since', created_at: 100 },
      { ...key, site_id: 'old', client_id: 'outside', key: 'one', created_at: 50 },
      { ...key, site_id: 'old', client_id: 'steady', key: 'one', created_at: 50 },
    ])
    const counters = db.read.selectFrom('update_counters').selectAll()
    expect(await counters.orderBy('client_id').orderBy('site_id').execute()).toEqual([
      { site_id: 'old', client_id: 'creator', last: 5 },
      { site_id: 'new', client_id: 'moved', last: 2 },
      { site_id: 'old', client_id: 'moved', last: 2 },
      { site_id: 'old', client_id: 'outside', last: 8 },
    ])
    expect(await db.read.selectFrom('status_updates').select('update_id').execute()).toHaveLength(3)
    await db.close()
  })

  it('go on after a kill in the middle of one', async () => {
    const child = runChild('halfway', place.url)
    expect(await child.said).toBe('halfway')
    await child.kill()
    const db = await place.open()
    expect(await applied(db)).toEqual(all)
    const half: Migration = {
      name: 'half',
      breaking: false,
      up: (db) => db.schema.createTable('half_made').addColumn('a', 'integer').execute(),
    }
    expect(await migrate(db, 9, [...migrations, half])).toBe(1)
    expect((await sql`select a from half_made`.execute(db.read)).rows).toEqual([])
    await db.close()
  })

  it('leave nothing of one that fails', async () => {
    const db = await place.open()
    const up: Migration['up'] = async (db) => {
      await db.schema.createTable('half_made').addColumn('a', 'integer').execute()
      throw new Error('no further')
    }
    await expect(
      migrate(db, 1, [...migrations, { name: 'bad', breaking: false, up }]),
    ).rejects.toThrow('no further')
    expect(await applied(db)).toEqual(all)
    await expect(sql`select a from half_made`.execute(db.read)).rejects.toThrow()
    await db.close()
  })

  it('that are breaking wait until no older node runs any more', async () => {
    const db = await place.open()
    await migrate(db, 1)
    const beat = { nodeId: 'older', host: 'host', version: '0.1.0', startedAt: 1 }
    const now = 1_000_000
    await beatNode(db, beat, { now: () => now, offset: () => 0 })
    const up = async () => {}
    const breaking = [...migrations, { name: 'breaking', breaking: true, up }]
    if (db.name === 'postgres') {
      await expect(migrate(db, now + 19_000, breaking)).rejects.toThrow(
        /the migration breaking is breaking, and the node older of version 0\.1\.0 still runs/,
      )
      expect(await applied(db)).toEqual(all)
      expect(await migrate(db, now, [...migrations, { name: 'soft', breaking: false, up }])).toBe(1)
      await db.transact((tx) => sql`delete from schema_migrations where name = 'soft'`.execute(tx))
    }
    expect(await migrate(db, now + 21_000, breaking)).toBe(1)
    await db.close()
  })

  it('refuse a schema that a newer version made, or another program', async () => {
    const db = await place.open()
    const later: Migration = { name: 'later', breaking: false, up: async () => {} }
    await migrate(db, 1, [...migrations, later])
    await expect(migrate(db, 1)).rejects.toThrow(SchemaTooNew)
    await expect(migrate(db, 1)).rejects.toThrow(/Run the newer version/)
    const foreign = [...migrations, { ...later, name: 'foreign' }]
    await expect(migrate(db, 1, foreign)).rejects.toThrow(/does not belong to Dragoman/)
    await db.close()
  })
})

describe('a SQLite file', () => {
  let place: Awaited<ReturnType<typeof sqlitePlace>>
  beforeAll(buildProgram)
  beforeEach(async () => {
    place = await sqlitePlace()
  })
  afterEach(() => place.clear())

  it('is held by one hub; another is refused with a sentence, tools work beside it, and a kill frees it', async () => {
    const hub = runChild('hold', place.url)
    expect(await hub.said).toBe('held')
    await expect(openSqlite(place.file, { exclusive: true })).rejects.toThrow(FileInUse)
    await expect(openSqlite(place.file, { exclusive: true })).rejects.toThrow(
      /Another hub is running on .*hub\.db/,
    )
    const tool = await openSqlite(place.file)
    await migrate(tool, 1)
    await tool.close()
    await hub.kill()
    const next = await openSqlite(place.file, { exclusive: true })
    await expect(openSqlite(place.file, { exclusive: true })).rejects.toThrow(FileInUse)
    await next.close()
    const last = await openSqlite(place.file, { exclusive: true })
    await last.close()
  })

  it('is written ahead, flushed at every commit, holds its foreign keys, and is its owner’s alone', async () => {
    const db = await place.open()
    const settings = await db.transact(async (tx) => {
      const one = async (name: string) =>
        Object.values((await sql.raw<object>(`pragma ${name}`).execute(tx)).rows[0] ?? {})[0]
      return {
        journal: await one('journal_mode'),
        synchronous: await one('synchronous'),
        keys: await one('foreign_keys'),
      }
    })
    expect(settings).toEqual({ journal: 'wal', synchronous: 2, keys: 1 })
    expect(statSync(place.file).mode & 0o077).toBe(0)
    expect(statSync(dirname(place.file)).mode & 0o077).toBe(0)
    await migrate(db, 1)
    await db.close()
    expect(existsSync(`${place.file}-wal`) ? statSync(`${place.file}-wal`).size : 0).toBe(0)
  })

  it('is not written by the reader', async () => {
    const db = await place.open()
    await migrate(db, 1)
    await expect(put(db.read, 'a')).rejects.toThrow(/readonly/)
    await db.close()
  })

  it('waits for another process that writes, without standing still', async () => {
    const db = await place.open()
    await migrate(db, 1)
    const other = (await loadSqlite())(place.file)
    other.exec("begin immediate; insert into hub_state values ('theirs', 'v')")
    const waiting = db.transact((tx) => put(tx, 'ours'))
    let turns = 0
    for (const _ of Array.from({ length: 20 })) {
      await new Promise((resolve) => setImmediate(resolve))
      turns += 1
    }
    expect(turns).toBe(20)
    expect(await names(db.read)).toEqual([])
    expect(await caught(() => other.exec('begin'))).toBeInstanceOf(Error)
    other.exec('commit')
    await waiting
    expect(await names(db.read)).toEqual(['ours', 'theirs'])
    other.exec('begin immediate')
    const third = (await loadSqlite())(place.file)
    const refused = await caught(() => third.exec('pragma busy_timeout = 0; begin immediate'))
    expect(db.isBusy(refused)).toBe(true)
    third.close()
    other.close()
    await db.close()
  })

  it('reports a full disk as busy, keeps nothing of the transaction, and goes on when there is room', async () => {
    const db = await place.open()
    await migrate(db, 1)
    const room = async (pages: string) =>
      db.transact((tx) => sql.raw(`pragma max_page_count = ${pages}`).execute(tx))
    await db.transact((tx) => put(tx, 'before'))
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db.read)
    await room(String(rows[0]?.page_count))
    const big = 'x'.repeat(1_000_000)
    const full = await db.transact((tx) => put(tx, 'big', big)).catch((error: unknown) => error)
    expect(db.isBusy(full)).toBe(true)
    const returning = db.transact((tx) =>
      tx.insertInto('hub_state').values({ name: 'big', value: big }).returning('name').execute(),
    )
    expect(db.isBusy(await returning.catch((error: unknown) => error))).toBe(true)
    await room('1000000')
    await db.transact((tx) => put(tx, 'big', big))
    expect(await names(db.read)).toEqual(['before', 'big'])
    await db.close()
  })
})

onPostgres('a PostgreSQL database', () => {
  let place: StorePlace
  let db: Database
  beforeEach(async () => {
    place = await postgresPlace()
    db = await place.open()
    await migrate(db, 1)
  })
  afterEach(async () => {
    await db.close()
    await place.clear()
  })

  it('sends what belongs together without waiting for an answer, in a transaction and outside', async () => {
    const find = prepared<{ name: string }, { value: string }>((db, { name }) =>
      db.selectFrom('hub_state').select('value').where('name', '=', name),
    )
    const query = vi.spyOn(pg.Client.prototype, 'query')
    const both = async (db: Db) => {
      const before = query.mock.calls.length
      const found = Promise.all([find(db, { name: 'a' }), find(db, { name: 'b' })])
      expect(query.mock.calls.length - before).toBe(2)
      return (await found).flat()
    }
    await db.transact((tx) => put(tx, 'a', '1'))
    expect(await db.transact(both)).toEqual([{ value: '1' }])
    expect(await together(db.read, both)).toEqual([{ value: '1' }])
    query.mockRestore()
    const late = await together(db.read, async (db) => [db])
    await expect(
      find(late[0] as Db, { name: 'a' }),
      'the connection serves others now',
    ).rejects.toThrow('after the end')
  })

  it('begins a transaction again after a deadlock', async () => {
    await db.transact(async (tx) => {
      await put(tx, 'a', '0')
      await put(tx, 'b', '0')
    })
    const bump = (tx: Parameters<Parameters<Database['transact']>[0]>[0], name: string) =>
      sql`update hub_state set value = (value::int + 1)::text where name = ${name}`.execute(tx)
    const ready = [signal(), signal()]
    const both = [
      ['a', 'b'],
      ['b', 'a'],
    ].map(([first = '', second = ''], index) =>
      db.transact(async (tx) => {
        await bump(tx, first)
        ready[index]?.give()
        await Promise.all(ready.map((one) => one.given))
        await bump(tx, second)
      }),
    )
    await Promise.all(both)
    const values = await db.read.selectFrom('hub_state').select('value').execute()
    expect(values).toEqual([{ value: '2' }, { value: '2' }])
  })

  it('reports a connection that breaks inside a transaction as busy, keeps nothing, and goes on', async () => {
    const broken = await db
      .transact(async (tx) => {
        await put(tx, 'a')
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
        await sql`select pg_terminate_backend(${rows[0]?.pid ?? 0})`.execute(db.read)
        await put(tx, 'b')
      })
      .catch((error: unknown) => error)
    expect(db.isBusy(broken)).toBe(true)
    await db.transact((tx) => put(tx, 'c'))
    expect(await names(db.read)).toEqual(['c'])
  })

  it('wakes other nodes, also after the listening connection broke', async () => {
    const other = await place.open()
    let told = signal()
    const stop = await other.onTasksAdded(() => told.give())
    told = signal()
    await db.transact((tx) => db.tasksAdded(tx))
    await told.given
    told = signal()
    const { rows } = await sql<{ ended: boolean }>`
      select pg_terminate_backend(pid) as ended from pg_stat_activity
      where datname = current_database() and query ilike 'listen %'`.execute(db.read)
    expect(rows).toEqual([{ ended: true }])
    await told.given
    told = signal()
    await db.transact((tx) => db.tasksAdded(tx))
    await told.given
    await stop()
    await other.close()
  })

  it('goes on when a newer node adds a column under a prepared statement', async () => {
    const job = jobRow()
    await db.transact((tx) => tx.insertInto('jobs').values(job).execute())
    const one = await openPostgres(`${place.url}?pool=1`)
    const read = () => one.read.selectFrom('jobs').selectAll().execute()
    const write = () =>
      one.transact((tx) => tx.updateTable('jobs').set({ has_error: 1 }).returningAll().execute())
    for (const _ of [1, 2, 3, 4]) await Promise.all([read(), write()])
    await sql`alter table jobs add column later text`.execute(db.read)
    expect(await read()).toMatchObject([{ job_id: job.job_id, later: null }])
    await sql`alter table jobs add column latest text`.execute(db.read)
    expect(await write()).toMatchObject([{ job_id: job.job_id, latest: null }])
    await one.close()
  })

  it('takes the number of connections from the URL', async () => {
    const one = await openDatabase(`${place.url}?pool=1`)
    const pid = async () =>
      (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(one.read)).rows[0]?.pid
    expect(new Set(await Promise.all([1, 2, 3, 4].map(pid))).size).toBe(1)
    await one.close()
    await expect(openDatabase(`${place.url}?pool=many`)).rejects.toThrow(/pool/)
  })

  it('is refused when it is not encoded in UTF8', async () => {
    const client = new pg.Client(place.url)
    await client.connect()
    const name = `${new URL(place.url).pathname.slice(1)}_ascii`
    await client.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`)
    const url = Object.assign(new URL(place.url), { pathname: `/${name}` }).href
    await expect(openPostgres(url)).rejects.toThrow(/UTF8/)
    await client.query(`drop database ${name}`)
    await client.end()
  })

  it('survives a server that stops: busy while it is gone', async ({ skip }) => {
    if (process.env.DRAGOMAN_TEST_POSTGRES)
      skip('the server of DRAGOMAN_TEST_POSTGRES is not ours to stop')
    const server = await startPostgres({ durable: false })
    if (!server) throw new Error('There was a PostgreSQL a moment ago.')
    const mine = await openPostgres(await server.createDatabase())
    const stop = await mine.onTasksAdded(() => {})
    await mine.ready()
    await server.stop()
    const gone = await mine.ready().catch((error: unknown) => error)
    expect(mine.isBusy(gone)).toBe(true)
    await stop()
    await mine.close()
  })
})

it('knows no other kind of database', async () => {
  await expect(openDatabase('mysql://localhost/x')).rejects.toThrow(/sqlite: or postgres:/)
})

const caught = async (act: () => void): Promise<unknown> => {
  try {
    act()
  } catch (error) {
    return error
  }
  return undefined
}
