/**
 * Statements about many rows look each of them up, however many there are: SQLite guesses that a
 * long list is longer than a table, and would then read the table from end to end.
 */
import { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { selectContents } from '../packages/server/src/domain/jobs/requests/content-rows.ts'
import { updateRequests } from '../packages/server/src/domain/jobs/requests/request-rows.ts'
import {
  selectByHash,
  selectPostings,
  selectSources,
  selectTargets,
} from '../packages/server/src/domain/language/memory/memory-rows.ts'
import {
  endQueues,
  selectNext,
  selectWaiting,
  writeOutcomes,
} from '../packages/server/src/domain/listeners/attempt-rows.ts'
import type { Database, Db } from '../packages/server/src/store/database.ts'
import { migrate } from '../packages/server/src/store/migrate.ts'
import { finishTasks, lockHeld } from '../packages/server/src/store/tasks/hold-tasks.ts'
import type { StorePlace } from './store-fixtures.ts'
import { sqlitePlace } from './store-place.ts'

const task = { taskId: 1, fence: 1, name: 'x', payload: {}, dueAt: 1, attempts: 1, causeId: 'x' }
const statements: Record<
  string,
  (store: Database, db: Db, ids: readonly string[]) => Promise<unknown>
> = {
  selectContents: (store, _, ids) => selectContents(store, 'site', 'job', ids),
  updateRequests: (_, db, ids) =>
    updateRequests(
      db,
      ['site', 'job'],
      { has_error: 0 },
      ids.map((id) => ({ request_id: id, status: 'CREATED' as const })),
    ),
  selectNext: (store, _, ids) => selectNext(store, linesOf(ids)),
  selectWaiting: (_, db, ids) => selectWaiting(db, linesOf(ids)),
  writeOutcomes: (_, db, ids) =>
    writeOutcomes(
      db,
      ids.map((_, position) => ({
        ...{ position, state: 'DELIVERED' as const, attemptedAt: 1, nextAttemptAt: null },
        ...{ responseCode: 204, error: null },
      })),
    ),
  endQueues: (_, db, ids) =>
    endQueues(
      db,
      linesOf(ids).map((line, position) => ({ ...line, position, task })),
    ),
  lockHeld: (_, db, ids) => lockHeld(db, tasksOf(ids)),
  finishTasks: (store, _, ids) => finishTasks(store, tasksOf(ids)),
  selectTargets: (_, db, ids) =>
    selectTargets(
      db,
      ids.map((sought) => ({ sought })),
      1,
    ),
  selectByHash: (_, db, ids) =>
    selectByHash(
      db,
      ids.map((hash) => ({ hash })),
      1,
    ),
  selectPostings: (_, db, ids) => selectPostings(db, numbersOf(ids), 1),
  selectSources: (_, db, ids) => selectSources(db, numbersOf(ids), 1),
}
const linesOf = (ids: readonly string[]) => ids.map((id) => ({ listenerId: id, jobId: id }))
const numbersOf = (ids: readonly string[]) => ids.map((_, at) => ({ sought: at }))
const tasksOf = (ids: readonly string[]) => ids.map((_, at) => ({ ...task, taskId: at }))

describe('a statement about many rows on SQLite', () => {
  let place: StorePlace
  let store: Database
  beforeAll(async () => {
    place = await sqlitePlace()
    store = await place.open()
    await migrate(store, 1)
  })
  afterAll(async () => {
    await store.close()
    await place.clear()
  })

  /** A database that tells how it would do what it is asked, and answers with nothing. */
  const watched = (plans: string[]): Db => {
    const executeQuery = async ({ sql, parameters }: CompiledQuery) => {
      const asked = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
      const { rows } = await store.read.executeQuery<{ detail: string }>(asked)
      plans.push(...rows.map(({ detail }) => detail))
      return { rows: [] }
    }
    return { executeQuery, getExecutor: () => store.read.getExecutor() } as unknown as Db
  }

  it.each(Object.keys(statements))('%s reads no table from end to end', async (name) => {
    const plans: string[] = []
    const db = watched(plans)
    const told: Database = { ...store, read: db, transact: (work) => work(db) }
    const ids = Array.from({ length: 256 }, (_, at) => `id${at}`)
    await statements[name]?.(told, db, ids).catch(() => {})
    expect(plans.filter((line) => line.startsWith('SEARCH')).length).toBeGreaterThan(0)
    expect(plans.filter((line) => /^SCAN (?!given\b|json_each\b|\d)/.test(line))).toEqual([])
  })
})
