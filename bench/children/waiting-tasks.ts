/** One node whose tasks wait for I/O: each calls a slow server and ends when that has answered. */
import { Agent, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { configModule, type Hub, hubModule, runnerModule, tasksModule } from '../built.ts'
import { answer } from '../child.ts'

let hub: Hub | undefined
const agent = new Agent({ keepAlive: true })

const verbs = {
  open: async (env: Record<string, string>): Promise<void> => {
    const { readConfig } = await configModule()
    hub = await (await hubModule()).openHub(readConfig(env))
  },
  add: async (many: number): Promise<void> => {
    const { db, clock } = opened()
    const { addTasks } = await tasksModule()
    const now = clock.now()
    const task = {
      name: 'wait',
      payload: {},
      dueAt: now,
      causeId: 'bench',
      lane: 'outside' as const,
    }
    const tasks = Array.from({ length: many }, () => task)
    await db.transact((tx) => addTasks(db, tx, now, tasks))
  },
  /** Works until no task is left on any node; returns how many ran here. */
  work: async ({ port, concurrency }: { port: number; concurrency: number }): Promise<number> => {
    const { db } = opened()
    const { openRunner } = await runnerModule()
    let ran = 0
    const run = async () => {
      await ask(port)
      ran += 1
      return 'done' as const
    }
    const runner = openRunner(
      opened(),
      { wait: { run, schedule: [] } },
      { outsideConcurrency: concurrency },
    )
    await runner.start()
    const left = () => db.read.selectFrom('tasks').select('task_id').limit(1).execute()
    while ((await left()).length > 0) await delay(5)
    await runner.stop()
    return ran
  },
}
export type WaitingTasksVerbs = typeof verbs
answer(verbs, async () => {
  agent.destroy()
  if (hub) await (await hubModule()).closeHub(hub)
})

function opened(): Hub {
  if (!hub) throw new Error('open comes first')
  return hub
}

const ask = (port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', agent }, (response) => response.resume().on('end', resolve)).on(
      'error',
      reject,
    )
  })
