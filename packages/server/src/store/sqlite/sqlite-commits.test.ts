import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database.ts'
import { migrate } from '../migrate.ts'
import { openSqlite } from './sqlite.ts'

let folder: string
let db: Database
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dragoman-commits-'))
  db = await openSqlite(join(folder, 'x.db'))
  await migrate(db, 1)
})
afterEach(async () => {
  await db.close()
  rmSync(folder, { recursive: true })
})

const add = (name: string, fails: boolean) =>
  db.transact(async (tx) => {
    await tx.insertInto('hub_state').values({ name, value: 'x' }).execute()
    if (fails) throw new Error(`${name} failed`)
    return name
  })
const names = async () =>
  (await db.read.selectFrom('hub_state').select('name').execute()).map((row) => row.name)

it('transactions that share a flush succeed or fail independently', async () => {
  const wanted = Array.from({ length: 200 }, (_, at) => ({
    name: `n${at}`,
    fails: at % 7 === 0 || at === 1,
  }))
  const ended = await Promise.allSettled(wanted.map(({ name, fails }) => add(name, fails)))
  expect(ended.map((one) => one.status === 'rejected')).toEqual(wanted.map(({ fails }) => fails))
  const kept = wanted.filter(({ fails }) => !fails).map(({ name }) => name)
  expect((await names()).filter((name) => /^n\d/.test(name)).sort()).toEqual(kept.sort())
})

it('a failed statement does not affect other transactions', async () => {
  await add('taken', false)
  const ended = await Promise.allSettled([
    add('a', false),
    add('taken', false),
    add('b', false),
    add('taken', false),
    add('c', false),
  ])
  expect(ended.map((one) => one.status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'rejected',
    'fulfilled',
  ])
  expect(await names()).toEqual(expect.arrayContaining(['a', 'b', 'c']))
})

it('a transaction resolves once it is durable, and every reader sees it then', async () => {
  const other = await openSqlite(join(folder, 'x.db'))
  const seen = await Promise.all(
    Array.from({ length: 50 }, async (_, at) => {
      const name = await add(`s${at}`, false)
      return other.read
        .selectFrom('hub_state')
        .select('name')
        .where('name', '=', name)
        .executeTakeFirst()
    }),
  )
  await other.close()
  expect(seen.every(Boolean)).toBe(true)
})

it('closing waits for queued transactions', async () => {
  const adding = Promise.all([add('x1', false), add('x2', false), add('x3', false)])
  const closing = db.close()
  expect(await adding).toEqual(['x1', 'x2', 'x3'])
  await closing
  db = await openSqlite(join(folder, 'x.db'))
  expect(await names()).toEqual(expect.arrayContaining(['x1', 'x2', 'x3']))
})
