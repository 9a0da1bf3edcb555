/**
 * Empty tasks through graphile-worker, in its default mode or with its local queue and batched
 * completion.
 */
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { anchors } from '../anchors.ts'
import { answer } from '../child.ts'
import type { TaskRun } from '../task-run.ts'

/**
 * The parts of graphile-worker used here: it is installed separately, so its types are not
 * available.
 */
type Graphile = {
  Logger: new (factory: () => () => void) => unknown
  runMigrations(options: object): Promise<void>
  run(options: object): Promise<{ stop(): Promise<void> }>
}

let client: pg.Client | undefined
let url = ''
const { Logger, run, runMigrations } = createRequire(new URL('package.json', anchors))(
  'graphile-worker',
) as Graphile
const logger = new Logger(() => () => {})

const verbs = {
  open: async (given: string): Promise<void> => {
    url = given
    await runMigrations({ preset: { worker: { connectionString: url } }, logger })
    client = new pg.Client(url)
    await client.connect()
  },
  tasks: async ({
    many,
    concurrency,
    batched,
  }: TaskRun & { batched: boolean }): Promise<number> => {
    if (!client) throw new Error('open comes first')
    await client.query(
      `select graphile_worker.add_job('empty', payload := '{}') from generate_series(1, $1::int)`,
      [many],
    )
    let ran = 0
    const taskList = {
      empty: async () => {
        ran += 1
      },
    }
    const batching = batched
      ? { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 }
      : {}
    const worker = {
      connectionString: url,
      concurrentJobs: concurrency,
      maxPoolSize: concurrency + 2,
      ...batching,
    }
    const begun = performance.now()
    const runner = await run({ preset: { worker }, logger, taskList, noHandleSignals: true })
    while (ran < many) await delay(2)
    while ((await client.query('select 1 from graphile_worker._private_jobs limit 1')).rowCount)
      await delay(2)
    const seconds = (performance.now() - begun) / 1_000
    await runner.stop()
    if (ran !== many) throw new Error(`${ran} runs of ${many} tasks`)
    return many / seconds
  },
}
export type GraphileTasksVerbs = typeof verbs
answer(verbs, async () => client?.end())
