/** Empty tasks through our own table and runner. */
import { setTimeout as delay } from 'node:timers/promises'
import { configModule, type Hub, hubModule, runnerModule, tasksModule } from '../built.ts'
import { answer } from '../child.ts'
import type { TaskRun } from '../task-run.ts'

let hub: Hub | undefined

const verbs = {
  open: async (env: Record<string, string>): Promise<void> => {
    const { readConfig } = await configModule()
    hub = await (await hubModule()).openHub(readConfig(env))
  },
  /** Tasks per second, from the start of the runner until the last row is gone. */
  tasks: async ({ many, concurrency }: TaskRun): Promise<number> => {
    if (!hub) throw new Error('open comes first')
    const { db, clock } = hub
    const { addTasks } = await tasksModule()
    const { openRunner } = await runnerModule()
    const now = clock.now()
    const tasks = Array.from({ length: many }, () => ({
      name: 'empty',
      payload: {},
      dueAt: now,
      causeId: 'bench',
    }))
    await db.transact((tx) => addTasks(db, tx, now, tasks))
    let ran = 0
    const run = async () => {
      ran += 1
      return 'done' as const
    }
    const runner = openRunner(hub, { empty: { run, schedule: [] } }, { concurrency })
    const begun = performance.now()
    await runner.start()
    while (ran < many) await delay(2)
    while ((await db.read.selectFrom('tasks').select('task_id').limit(1).execute()).length > 0)
      await delay(2)
    const seconds = (performance.now() - begun) / 1_000
    await runner.stop()
    if (ran !== many) throw new Error(`${ran} runs of ${many} tasks`)
    return many / seconds
  },
}
export type OurTasksVerbs = typeof verbs
answer(verbs, async () => {
  if (hub) await (await hubModule()).closeHub(hub)
})
