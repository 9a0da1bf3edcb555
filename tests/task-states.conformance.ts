/**
 * The states of a task on both databases: each verb leads to the state that the table of moves says.
 */
import { expect, it } from 'vitest'
import type { Database } from '../packages/server/src/store/database.ts'
import { addTasks } from '../packages/server/src/store/tasks/add-tasks.ts'
import { claimTasks } from '../packages/server/src/store/tasks/claim-tasks.ts'
import * as holding from '../packages/server/src/store/tasks/hold-tasks.ts'
import { unparkTasks } from '../packages/server/src/store/tasks/reschedule-groups.ts'
import { stateAt, taskMoves } from '../packages/server/src/store/tasks/task-states.ts'
import { freshStore, type MakePlace } from './store-fixtures.ts'

export function taskStatesConformance(makePlace: MakePlace): void {
  let db: Database
  freshStore(makePlace, (made) => {
    db = made.db
  })

  it('shows each state of the table, and moves between them as drawn', async () => {
    const stateNow = async (now: number) =>
      (await db.read.selectFrom('tasks').select(stateAt(now).as('state')).execute()).map(
        ({ state }) => state,
      )
    const held = async (now: number): Promise<holding.Task> => {
      const [task] = await claimTasks(db, {
        nodeId: 'node',
        now,
        leaseUntil: now + 20,
        many: 1,
      })
      if (!task) throw new Error('There was nothing to claim.')
      return task
    }
    const begin = async () => {
      await db.transact((tx) => tx.deleteFrom('tasks').execute())
      const task = { name: 'work', payload: {}, causeId: 'cause', dueAt: 10 }
      await db.transact((tx) => addTasks(db, tx, 1, [task]))
    }
    const drive: Record<keyof typeof taskMoves, () => Promise<unknown>> = {
      claim: () => held(10),
      extend: async () => holding.extendLeases(db, [await held(10)], 100),
      finish: async () => holding.finishTasks(db, [await held(10)]),
      release: async () => holding.releaseTasks(db, [await held(10)]),
      retry: async () => holding.retryTask(db, await held(10), { dueAt: 50, because: 'no' }),
      reschedule: async () => {
        const task = await held(10)
        await db.transact((tx) => holding.rescheduleTask(tx, task, 50))
      },
      park: async () => holding.parkTask(db, await held(10), 'no'),
      unpark: async () => {
        await holding.parkTask(db, await held(10), 'no')
        await unparkTasks(db, 'work', 10)
      },
    }
    await begin()
    expect(await stateNow(9)).toEqual(['later'])
    expect(await stateNow(10)).toEqual(['due'])
    await held(10)
    expect(await stateNow(29)).toEqual(['running'])
    expect(await stateNow(30)).toEqual(['lost'])
    await held(30)
    expect(await stateNow(30)).toEqual(['running'])
    for (const [verb, { to }] of Object.entries(taskMoves)) {
      await begin()
      await drive[verb as keyof typeof taskMoves]()
      const [state = 'done'] = await stateNow(20)
      expect(to, verb).toContain(state)
    }
  })
}
