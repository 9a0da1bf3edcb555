/** SQL of upkeep. No site: figures of the whole hub, for its operator. */
import type { Db } from '../../store/engine.ts'

export type QueueDepth = {
  readonly due: number
  readonly later: number
  readonly running: number
  readonly parked: number
}

export async function countTasks(db: Db, now: number): Promise<QueueDepth> {
  const row = await db
    .selectFrom('tasks')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('parked', '=', 1).as('parked'),
      fn.countAll<number>().filterWhere('parked', '=', 0).filterWhere('lease_until', '>', now).as('running'),
      fn
        .countAll<number>()
        .filterWhere('parked', '=', 0)
        .filterWhere('due_at', '<=', now)
        .filterWhere((eb) => eb.or([eb('lease_until', 'is', null), eb('lease_until', '<=', now)]))
        .as('due'),
    ])
    .executeTakeFirstOrThrow()
  const [due, running, parked, total] = [row.due, row.running, row.parked, row.total].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  return { due, running, parked, later: total - due - running - parked }
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
