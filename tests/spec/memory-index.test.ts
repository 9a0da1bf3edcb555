/**
 * Contract, section 13: what an import adds is found as if it had been added one by one, whatever
 * comes in between.
 */
import type { MemoryUnit, TmUpdate } from '@dragoman/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  importTask,
  importTmUpdate,
} from '../../packages/server/src/domain/jobs/assets/import-tm-update.ts'
import { addUnindexed, pairOf } from '../../packages/server/src/domain/language/memory/add-units.ts'
import { findMatches } from '../../packages/server/src/domain/language/memory/find-matches.ts'
import { indexUnits } from '../../packages/server/src/domain/language/memory/index-units.ts'
import {
  hashUnits,
  keysOf,
} from '../../packages/server/src/domain/language/memory/prepare-units.ts'
import { sweep } from '../../packages/server/src/domain/operations/tasks/sweep.ts'
import type { Db } from '../../packages/server/src/store/database.ts'
import { LeaseLost, type Task } from '../../packages/server/src/store/tasks/hold-tasks.ts'
import { databases, startHub, type TestHub } from '../hub.ts'
import { until } from '../hub-place.ts'
import { type Quoting, quoting, tmxOf } from '../quoting.ts'

const pair = pairOf('en-us', 'de-de')
const of = { siteId: 'demo', pair }
const keep = async () => {}

describe.each(databases)('the index of imported units on %s', (database) => {
  let hub: TestHub
  let at: Quoting
  beforeAll(async () => {
    hub = await startHub({ database })
    at = quoting(hub)
  })
  afterAll(() => hub.close())

  const memory = () =>
    hub.inner.db.read.selectFrom('memories').selectAll().executeTakeFirstOrThrow()
  const unitsNow = () =>
    hub.inner.db.read
      .selectFrom('memory_units')
      .select(['unit_id', 'source'])
      .orderBy('unit_id')
      .execute()
  const add = (texts: readonly string[]) => {
    const units = hashUnits(
      texts.map((source) => ({ source, target: `${source}!`, origin: 'test' })),
    )
    return hub.inner.db.transact((tx) => addUnindexed(hub.inner, tx, of, units))
  }
  const percentsOf = async (texts: readonly string[]) =>
    (
      await findMatches(
        hub.inner,
        of,
        texts.map((source) => ({ source })),
      )
    ).map(({ percent }) => percent)
  /** Runs `first` before the first transaction of `work`. */
  const beforeFirst = async (first: () => Promise<unknown>, work: () => Promise<unknown>) => {
    const { db: store } = hub.inner
    const { transact } = store
    let isFirst = true
    const other: typeof transact = async (act) => {
      if (isFirst) {
        isFirst = false
        await first()
      }
      return transact.call(store, act) as ReturnType<typeof act>
    }
    Object.assign(store, { transact: other })
    await work().finally(() => Object.assign(store, { transact }))
    expect(isFirst).toBe(false)
  }
  const unitAt = async (text: string) => {
    const { unit_id } = (await unitsNow()).find(({ source }) => source === text) ?? { unit_id: 0 }
    return `/settings/memory/units/${(await memory()).memory_id}-${unit_id}`
  }
  const byHand = <T>(status: number, method: string, path: string, body?: unknown) =>
    at.must<T>(status, method, path, body, 'demo-settings')

  /**
   * Every posting is one of its unit's, and of the units with the same tokens one has all of them.
   */
  const mustBeWhole = async () => {
    expect((await memory()).indexed_unit).toBeNull()
    const rows = await hub.inner.db.read
      .selectFrom('memory_postings')
      .select(['piece', 'unit_id'])
      .execute()
    const held = new Map<number, Set<number>>()
    for (const { unit_id, piece } of rows)
      held.set(unit_id, (held.get(unit_id) ?? new Set()).add(piece))
    const firsts = new Set<number>()
    const units = await unitsNow()
    expect([...held.keys()].sort((a, b) => a - b)).toEqual(units.map(({ unit_id }) => unit_id))
    for (const { unit_id, source } of units) {
      const { keys, short, twin } = keysOf(source)
      const all = new Set([...keys, ...(short?.keys ?? [])])
      const has = held.get(unit_id)
      if (!has?.has(keys[0] ?? 0)) expect(has).toEqual(new Set([twin]))
      else {
        expect(has).toEqual(all)
        firsts.add(keys[0] ?? 0)
      }
    }
    expect(firsts.size).toBe(new Set(units.map(({ source }) => keysOf(source).keys[0])).size)
  }

  it('has what was added, once', async () => {
    await add([
      'The weather is fine today',
      'Order 1 was sent to you',
      'Order 2 was sent to you',
      'Save file',
    ])
    expect(await percentsOf(['The weather is fine', 'Order 7 was sent to you'])).toEqual([0, 0])
    await indexUnits(hub.inner, 'demo', keep)
    expect(await percentsOf(['The weather is fine', 'Order 7 was sent to you'])).toEqual([80, 99])
    await mustBeWhole()
    await at.teach(
      tmxOf([
        ['Order 3 was sent to you', 'Bestellung'],
        ['A text of its own', 'Ein Text'],
      ]),
    )
    await mustBeWhole()
  })

  it('is written once more if a part of it was written, or it was added to', async () => {
    await add([
      'Half of this is written',
      'Order 4 was sent to you',
      'Half of that is written, too',
    ])
    let times = 0
    const failing = async () => {
      times += 1
      if (times === 2) throw new Error('the process ends here')
    }
    await expect(indexUnits(hub.inner, 'demo', failing)).rejects.toThrow('ends here')
    const { indexed_unit, last_unit } = await memory()
    expect(last_unit - (indexed_unit ?? 0)).toBe(3)
    const path = '/settings/memory/units'
    const codes = { sourceNativeLanguageCode: 'en-us', targetNativeLanguageCode: 'de-de' }
    const made = { ...codes, source: 'Written by hand meanwhile', target: 'Von Hand' }
    await byHand<MemoryUnit>(201, 'POST', path, made)
    // Whoever added them is gone.
    await sweep(hub.inner)
    await mustBeWhole()
  })

  it('forgets units that are removed or changed while it is written, and their twins take their place', async () => {
    await add([
      'Invoice 1 has been paid',
      'Invoice 2 has been paid',
      'This one goes away',
      'This one becomes another',
    ])
    const removed = [await unitAt('Invoice 1 has been paid'), await unitAt('This one goes away')]
    const change = { version: 1, source: 'Now it says something else' }
    const changed = await unitAt('This one becomes another')
    await beforeFirst(
      async () => {
        for (const path of removed) await byHand(200, 'DELETE', path)
        await byHand(200, 'PATCH', changed, change)
      },
      () => indexUnits(hub.inner, 'demo', keep),
    )
    expect((await unitsNow()).map(({ source }) => source)).not.toContain('Invoice 1 has been paid')
    await mustBeWhole()
    expect(await percentsOf(['Invoice 3 has been paid', 'Now it says something'])).toEqual([99, 80])
    // The first of the tokens, which was indexed before, goes while a twin of it is gathered.
    await add(['Invoice 4 has been paid'])
    const first = await unitAt('Invoice 2 has been paid')
    await beforeFirst(
      () => byHand(200, 'DELETE', first),
      () => indexUnits(hub.inner, 'demo', keep),
    )
    await mustBeWhole()
    expect(await percentsOf(['Invoice 3 has been paid'])).toEqual([99])
  })

  it('an import ends at its next batch when another node has its task, which goes on', async () => {
    const units = Array.from({ length: 5_000 }, (_, one): [string, string] => [
      `Sentence ${one} of many`,
      `${one}`,
    ])
    const before = (await unitsNow()).length
    const jobId = await at.newJob()
    const fmsFileId = await at.upload(jobId, 'memory.tmx', tmxOf(units))
    const path = `/jobs/${jobId}/tmupdates`
    const { db: store, clock } = hub.inner
    const { transact } = store
    const progress = () =>
      store.read.selectFrom('tm_updates').selectAll().where('job_id', '=', jobId).executeTakeFirst()
    const onTask = (change: (tx: Db) => Promise<unknown>) => transact.call(store, change)
    let second: Task | undefined
    let isTaken = false
    let refused: unknown
    /** As a claim of another node leaves it. */
    const claim = async (tx: Db) => {
      const claimed = await tx
        .updateTable('tasks')
        .set((eb) => ({
          ...{ leased_by: 'other', lease_until: clock.now() + 3_600_000 },
          ...{ fence: eb('fence', '+', 1), attempts: eb('attempts', '+', 1) },
        }))
        .where('name', '=', importTask)
        .returningAll()
        .executeTakeFirstOrThrow()
      const { task_id: taskId, name, fence, attempts, due_at: dueAt, cause_id: causeId } = claimed
      second = {
        taskId,
        name,
        fence,
        attempts,
        dueAt,
        causeId,
        payload: JSON.parse(claimed.payload),
      }
    }
    const takeOver: typeof transact = async (act) => {
      const done = await (transact.call(store, act) as ReturnType<typeof act>).catch(
        (error: unknown) => {
          refused = error
          throw error
        },
      )
      if (isTaken || ((await progress())?.units_read ?? 0) === 0 || isTaken) return done
      isTaken = true
      await onTask(claim)
      return done
    }
    Object.assign(store, { transact: takeOver })
    const { tmupdateId } = await at.must<TmUpdate>(201, 'POST', path, { fmsFileId, ...at.pair })
    await until('the first import ends', () => refused).finally(() =>
      Object.assign(store, { transact }),
    )
    expect(refused).toBeInstanceOf(LeaseLost)
    expect(await progress()).toMatchObject({
      units_read: 2_000,
      units_added: 2_000,
      import_status: 'IMPORTING',
    })
    if (second) await importTmUpdate(hub.inner, second)
    expect(await at.must<TmUpdate>(200, 'GET', `${path}/${tmupdateId}`)).toMatchObject({
      importStatus: 'IMPORTED',
      units: { read: 5_000, added: 5_000, changed: 0, skipped: 0 },
    })
    expect(await unitsNow()).toHaveLength(before + 5_000)
    await mustBeWhole()
  })
})
