/**
 * What the task table guarantees on both databases: one claimer, fences, leases that expire, keys,
 * parking.
 */
import { describe, expect, it } from 'vitest'
import type { Database } from '../packages/server/src/store/database.ts'
import * as adding from '../packages/server/src/store/tasks/add-tasks.ts'
import * as claiming from '../packages/server/src/store/tasks/claim-tasks.ts'
import * as holding from '../packages/server/src/store/tasks/hold-tasks.ts'
import * as groups from '../packages/server/src/store/tasks/reschedule-groups.ts'
import { freshStore, type MakePlace, names, put, type StorePlace } from './store-fixtures.ts'

const cause = { causeId: 'cause' }

export function tasksConformance(makePlace: MakePlace): void {
  let place: StorePlace
  let db: Database
  freshStore(makePlace, (made) => {
    ;({ place, db } = made)
  })

  const add = (...added: (Partial<adding.NewTask> & { dueAt: number })[]): Promise<void> =>
    db.transact((tx) =>
      adding.addTasks(
        db,
        tx,
        1,
        added.map((task) => ({ name: 'work', payload: {}, ...cause, ...task })),
      ),
    )
  const claim = (now: number, many = 100, on = db): Promise<holding.Task[]> =>
    claiming.claimTasks(on, { nodeId: 'node', now, leaseUntil: now + 20, many })
  const claimOne = async (now: number): Promise<holding.Task> => {
    const [task] = await claim(now, 1)
    if (!task) throw new Error('There was nothing to claim.')
    return task
  }
  const rows = () => db.read.selectFrom('tasks').selectAll().orderBy('task_id').execute()

  it('gives what is due, earliest first, with all that was said of it', async () => {
    await add(
      { dueAt: 30 },
      { dueAt: 20, payload: { a: 'é' }, siteId: 's', key: 'k' },
      { dueAt: 50 },
    )
    const [first, second, ...rest] = await claim(40)
    expect(first).toEqual({
      taskId: expect.any(Number),
      name: 'work',
      payload: { a: 'é' },
      siteId: 's',
      key: 'k',
      dueAt: 20,
      attempts: 1,
      fence: 1,
      causeId: 'cause',
    })
    expect(second).toMatchObject({ dueAt: 30 })
    expect(rest).toEqual([])
    expect(await claim(40)).toEqual([])
  })

  it('leaves alone what begins with a prefix of any length that is to be passed over', async () => {
    await add(
      ...['a:1', 'a:2', 'b:1', 'c:1', 'long:1', 'longer:1'].map((key) => ({ dueAt: 1, key })),
      { dueAt: 1 },
    )
    const skip = ['a:', 'b:', 'c:', 'long:']
    const claimed = await claiming.claimTasks(db, {
      nodeId: 'node',
      now: 5,
      leaseUntil: 25,
      many: 100,
      skip,
    })
    expect(claimed.map(({ key }) => key ?? 'none').sort()).toEqual(['longer:1', 'none'])
    expect((await claim(5)).map(({ key }) => key).sort()).toEqual([
      'a:1',
      'a:2',
      'b:1',
      'c:1',
      'long:1',
    ])
  })

  it('puts off what is due and free under some prefixes, and nothing else', async () => {
    await add(...['a:1', 'a:2', 'ab:1', 'b:1', 'c:1'].map((key, at) => ({ dueAt: at + 1, key })), {
      key: 'a:3',
      dueAt: 50,
    })
    const held = await claimOne(1)
    await groups.deferTasks(db, ['a:', 'b:'], 10, 99)
    const due = Object.fromEntries((await rows()).map((row) => [row.key, row.due_at]))
    expect(held.key).toBe('a:1')
    expect(due).toEqual({ 'a:1': 1, 'a:2': 99, 'ab:1': 3, 'b:1': 99, 'c:1': 5, 'a:3': 50 })
  })

  it('postpones many at once: what was asked for meanwhile stays due, what another holds stays his', async () => {
    await add({ dueAt: 1, key: 'plain' }, { dueAt: 2, key: 'asked' }, { dueAt: 3, key: 'lost' })
    const mine = await claim(5)
    await add({ dueAt: 4, key: 'asked' })
    const later = mine.map((task, at) => ({
      task: task.key === 'lost' ? { ...task, fence: task.fence + 1 } : task,
      dueAt: 100 + at,
    }))
    await db.transact((tx) => holding.postponeTasks(tx, later))
    const after = Object.fromEntries(
      (await rows()).map((row) => [
        row.key,
        [row.due_at, row.attempts, row.lease_until, row.leased_by],
      ]),
    )
    expect(after).toEqual({
      plain: [100, 0, null, null],
      asked: [4, 0, null, null],
      lost: [3, 1, 25, 'node'],
    })
  })

  it('never gives one task to two, with two connections racing', async () => {
    const other = await place.open()
    await add(...Array.from({ length: 300 }, () => ({ dueAt: 1 })))
    const got: number[] = []
    const race = async (on: Database): Promise<void> => {
      for (;;) {
        const some = await claim(5, 7, on)
        if (some.length === 0) return
        got.push(...some.map((task) => task.taskId))
      }
    }
    await Promise.all([race(db), race(other), race(db), race(other)])
    expect(got).toHaveLength(300)
    expect(new Set(got).size).toBe(300)
    await other.close()
  })

  it('takes over a task whose lease has ended, and refuses its first holder from then on', async () => {
    await add({ dueAt: 1 })
    const late = await claimOne(10)
    expect(await claim(29)).toEqual([])
    const taken = await claimOne(30)
    expect(taken).toMatchObject({ taskId: late.taskId, attempts: 2, fence: late.fence + 1 })

    const finishing = db.transact(async (tx) => {
      await put(tx, 'an effect of the late one')
      await holding.finishTask(tx, late)
    })
    await expect(finishing).rejects.toThrow(holding.LeaseLost)
    expect(await names(db.read)).toEqual([])
    expect(await holding.finishTasks(db, [late])).toBe(0)
    await expect(holding.retryTask(db, late, { dueAt: 99, because: '' })).rejects.toThrow(
      holding.LeaseLost,
    )
    await expect(holding.parkTask(db, late, '')).rejects.toThrow(holding.LeaseLost)
    await expect(db.transact((tx) => holding.rescheduleTask(tx, late, 99))).rejects.toThrow(
      holding.LeaseLost,
    )
    expect(await holding.extendLeases(db, [late], 999)).toEqual(new Set())
    await holding.releaseTasks(db, [late])

    expect(await rows()).toMatchObject([
      { lease_until: 50, leased_by: 'node', fence: taken.fence, parked: 0, due_at: 1 },
    ])
    await db.transact((tx) => holding.finishTask(tx, taken))
    expect(await rows()).toEqual([])
  })

  it('finishes many at once and says how many were still held', async () => {
    await add(...Array.from({ length: 600 }, () => ({ dueAt: 1 })))
    const held = await claim(10, 600)
    const [lost] = held
    if (!lost) throw new Error('Nothing was claimed.')
    await db.transact((tx) =>
      tx.updateTable('tasks').set({ fence: 9 }).where('task_id', '=', lost.taskId).execute(),
    )
    expect(await holding.finishTasks(db, held)).toBe(599)
    expect(await rows()).toMatchObject([{ task_id: lost.taskId }])
  })

  it('ends many at once, but for those that are kept, lost or asked for again', async () => {
    await add(...['a', 'b', 'c', 'd'].map((key) => ({ dueAt: 1, key })))
    const held = await claim(10)
    const [ended, kept, lost, again] = held
    if (!ended || !kept || !lost || !again) throw new Error('Too few were claimed.')
    await db.transact((tx) => put(tx, 'keep b'))
    await db.transact((tx) =>
      tx.updateTable('tasks').set({ fence: 9 }).where('task_id', '=', lost.taskId).execute(),
    )
    await add({ dueAt: 1, key: 'd' })
    const end = holding.endingUnless(
      { keeper: 'text' },
      'exists (select 1 from hub_state where hub_state.name = given.keeper)',
    )
    const ends = held.map((task) => ({ task, values: { keeper: `keep ${task.key}` } }))
    expect(await db.transact((tx) => end(tx, ends))).toEqual(new Set([ended.taskId]))
    expect((await rows()).map(({ key }) => key)).toEqual(['b', 'c', 'd'])
  })

  it('runs what is due at the same time by key, or as it was given', async () => {
    const some = ['b', 'c', 'a'].map((key) => ({
      name: 'work',
      payload: {},
      ...cause,
      key,
      dueAt: 1,
    }))
    const keys = async () => (await claim(10)).map(({ key }) => key)
    await db.transact((tx) => adding.addTasks(db, tx, 1, some))
    expect(await keys()).toEqual(['a', 'b', 'c'])
    await db.transact((tx) => tx.deleteFrom('tasks').execute())
    await db.transact((tx) => adding.addInOrder(db, tx, 1, some))
    expect(await keys()).toEqual(['b', 'c', 'a'])
  })

  it('keeps a lease that is extended', async () => {
    await add({ dueAt: 1 }, { dueAt: 1 })
    const held = await claim(10)
    expect(await holding.extendLeases(db, held, 100)).toEqual(
      new Set(held.map((task) => task.taskId)),
    )
    expect(await claim(99)).toEqual([])
    expect(await claim(100)).toHaveLength(2)
  })

  it('gives a released task to the next at once, and does not count the try', async () => {
    await add({ dueAt: 1 })
    await holding.releaseTasks(db, [await claimOne(10)])
    expect(await claimOne(10)).toMatchObject({ attempts: 1, fence: 2 })
  })

  it('retries later, and says why', async () => {
    await add({ dueAt: 1 })
    await holding.retryTask(db, await claimOne(10), { dueAt: 60, because: 'it rained' })
    expect(await rows()).toMatchObject([
      { due_at: 60, last_error: 'it rained', attempts: 1, lease_until: null },
    ])
    expect(await claim(59)).toEqual([])
    expect(await claimOne(60)).toMatchObject({ attempts: 2 })
  })

  it('claims no parked task', async () => {
    await add({ dueAt: 1 })
    await holding.parkTask(db, await claimOne(10), 'no use')
    expect(await claim(1_000)).toEqual([])
    expect(await rows()).toMatchObject([{ parked: 1, last_error: 'no use' }])
    expect(await claiming.nextDue(db.read, 1_000)).toBeUndefined()
  })

  it('runs a periodic task again in the same row, with its tries counted from the start', async () => {
    await add({ dueAt: 1, key: 'sweep' })
    const task = await claimOne(10)
    await add({ dueAt: 11, key: 'sweep' })
    await db.transact((tx) => holding.rescheduleTask(tx, task, 500))
    expect(await rows()).toMatchObject([
      { task_id: task.taskId, due_at: 500, attempts: 0, leased_by: null },
    ])
  })

  it('says when the next free task is due', async () => {
    expect(await claiming.nextDue(db.read)).toBeUndefined()
    await add({ dueAt: 7 }, { dueAt: 5 })
    expect(await claiming.nextDue(db.read)).toBe(5)
    await claim(6)
    expect(await claiming.nextDue(db.read, 6)).toBe(7)
    expect(await claiming.nextDue(db.read, 26)).toBe(5)
  })

  describe('keys', () => {
    it('has one task for a key, and the earlier time wins', async () => {
      await add({ dueAt: 50, key: 'k', payload: { n: 1 } })
      await add({ dueAt: 60, key: 'k', payload: { n: 2 } })
      expect(await rows()).toMatchObject([{ due_at: 50, payload: '{"n":1}' }])
      await add(
        { dueAt: 40, key: 'k' },
        { dueAt: 30, key: 'k' },
        { dueAt: 45, key: 'k' },
        { dueAt: 1 },
      )
      expect(await rows()).toMatchObject([
        { due_at: 30, key: 'k' },
        { due_at: 1, key: null },
      ])
    })

    it('is asked for by many at once, and there is one', async () => {
      const other = await place.open()
      const ask = (on: Database): Promise<void> =>
        on.transact((tx) =>
          adding.addTasks(
            on,
            tx,
            1,
            ['b', 'a'].map((key) => ({ name: 'w', payload: {}, key, dueAt: 5, ...cause })),
          ),
        )
      await Promise.all([db, other, db, other, db, other].map(ask))
      expect((await rows()).map((row) => row.key).sort()).toEqual(['a', 'b'])
      await other.close()
    })

    it('stays overdue when its holder died and it is asked for again at a later time', async () => {
      await add({ dueAt: 1, key: 'k' })
      await claimOne(10)
      await db.transact((tx) =>
        adding.addTasks(db, tx, 40, [
          { name: 'work', payload: {}, ...cause, key: 'k', dueAt: 500 },
        ]),
      )
      expect(await rows()).toMatchObject([{ due_at: 1 }])
      expect(await claimOne(41)).toMatchObject({ key: 'k', attempts: 1 })
    })

    it('runs once more when it was asked for while it ran', async () => {
      await add({ dueAt: 1, key: 'k' })
      const running = await claimOne(10)
      await add({ dueAt: 12, key: 'k' })
      expect(await claim(15)).toEqual([])
      await db.transact((tx) => holding.finishTask(tx, running))
      const again = await claimOne(15)
      expect(again).toMatchObject({ taskId: running.taskId, attempts: 1, dueAt: 12 })
      expect(await holding.finishTasks(db, [again])).toBe(1)
      expect(await rows()).toEqual([])
    })

    it('runs once more when it was asked for while it failed', async () => {
      await add({ dueAt: 1, key: 'k' })
      const running = await claimOne(10)
      await add({ dueAt: 12, key: 'k' })
      await holding.parkTask(db, running, 'no use')
      expect(await claimOne(12)).toMatchObject({ attempts: 1 })
    })

    it('is free again when its task is done', async () => {
      await add({ dueAt: 1, key: 'k' })
      const task = await claimOne(10)
      await db.transact((tx) => holding.finishTask(tx, task))
      await add({ dueAt: 20, key: 'k' })
      expect(await claimOne(20)).toMatchObject({ attempts: 1 })
      expect((await rows())[0]?.task_id).not.toBe(task.taskId)
    })
  })

  it('adds nothing when its transaction is undone', async () => {
    const undone = db.transact(async (tx) => {
      await adding.addTasks(db, tx, 1, [{ name: 'w', payload: {}, dueAt: 1, ...cause }])
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await rows()).toEqual([])
  })
}
