/** SQL of upkeep. No site: figures of the whole hub, for its operator. */
import type { Db } from '../../store/engine.ts'
import { stateAt, type TaskState } from '../../store/tasks/task-states.ts'

export type QueueDepth = {
  readonly due: number
  readonly later: number
  readonly running: number
  readonly parked: number
}

/** A lost task is due: any node may claim it. */
export async function countTasks(db: Db, now: number): Promise<QueueDepth> {
  const rows = await db
    .selectFrom('tasks')
    .select(({ fn }) => [stateAt(now).as('state'), fn.countAll<number>().as('many')])
    .groupBy('state')
    .execute()
  const many = (state: TaskState) => Number(rows.find((row) => row.state === state)?.many ?? 0)
  return { due: many('due') + many('lost'), later: many('later'), running: many('running'), parked: many('parked') }
}

/** Tasks whose last try failed and that will be retried, by name. */
export async function countFailing(db: Db): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('tasks')
    .select(({ fn }) => ['name', fn.countAll<number>().as('many')])
    .where('parked', '=', 0)
    .where('last_error', 'is not', null)
    .groupBy('name')
    .execute()
  return Object.fromEntries(rows.map(({ name, many }) => [name, Number(many)]))
}
