/**
 * What the holder of a task may do to it. Everything is done under the task's id and fence, and refused once the lease
 * has gone to another: a node that stood still can never undo or double what its successor did.
 * No site: the runner serves all sites, and holds a task by its id and fence.
 */
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db, Engine } from './engine.ts'
import { amongGiven, withGiven } from './given-values.ts'

export type Task = {
  readonly taskId: number
  readonly name: string
  readonly payload: unknown
  readonly siteId?: string
  readonly key?: string
  readonly dueAt: number
  /** Tries begun, this one included. */
  readonly attempts: number
  readonly fence: number
  readonly causeId: string
  /** It waits for somebody outside. */
  readonly outside?: boolean
}

/** The lease ran out and the task is another's, or gone: whatever was done for it in this transaction must not count. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

/** Rows in one statement. */
export const rowsAtOnce = 500
/** Its key was asked for again since it was claimed (tasks.ts). */
const askedAgain = sql<SqlBool>`attempts = 0`

/** Ends the task inside the transaction of its own effects; undone with them when the lease was lost. */
export async function finishTask(tx: Db, task: Task): Promise<void> {
  if ((await endTasks(tx, [task])) === 0) lost(task)
}

/** Ends many that had nothing to commit; gives back how many were still held. */
export async function finishTasks(engine: Engine, tasks: readonly Task[]): Promise<number> {
  if (tasks.length === 0) return 0
  return engine.transact((tx) => endMany(engine, tx, tasks))
}

const placeOf = ({ taskId, fence }: Task): [number, number] => [taskId, fence]
const removeHeld = withGiven<{ task_id: number }>(
  { task_id: 'bigint', fence: 'bigint' },
  `delete from tasks where (task_id, fence) in (select task_id, fence from given) and attempts > 0 returning task_id`,
)

/**
 * Makes a function that ends, inside a transaction, those of many tasks for which `unless`, about further columns of
 * `given`, does not hold; it gives back their ids. One that was asked for again, or is held no longer, is left alone.
 */
export function endingUnless<C extends Readonly<Record<string, 'text' | 'bigint'>>>(
  columns: C,
  unless: string,
): (engine: Engine, tx: Db, ends: readonly TaskEnd<C>[]) => Promise<Set<number>> {
  const end = withGiven<{ task_id: number }>(
    { task_id: 'bigint', fence: 'bigint', ...columns },
    `delete from tasks where (task_id, fence) in (select given.task_id, given.fence from given where not (${unless}))
    and attempts > 0 returning task_id`,
    'kept',
  )
  const names = Object.keys(columns)
  return async (engine, tx, ends) => {
    const rows = await end(
      engine,
      tx,
      ends.map(({ task, values }) => [...placeOf(task), ...names.map((name) => values[name] ?? null)]),
    )
    return new Set(rows.map((row) => row.task_id))
  }
}

export type TaskEnd<C> = { readonly task: Task; readonly values: { readonly [K in keyof C]: string | number } }

/** The same as finishTasks inside a transaction. */
export async function endMany(engine: Engine, tx: Db, tasks: readonly Task[]): Promise<number> {
  const ended = await removeHeld(engine, tx, tasks.map(placeOf))
  if (ended.length === tasks.length) return ended.length
  const gone = new Set(ended.map((row) => row.task_id))
  return (
    ended.length +
    (await endTasks(
      tx,
      tasks.filter((task) => !gone.has(task.taskId)),
    ))
  )
}

async function endTasks(tx: Db, tasks: readonly Task[]): Promise<number> {
  let ended = 0
  for (const some of inChunks(tasks)) {
    const deleted = await tx.deleteFrom('tasks').where(held(some)).where('attempts', '>', 0).executeTakeFirst()
    const done = Number(deleted.numDeletedRows)
    ended += done
    if (done < some.length) ended += await free(tx, some)
  }
  return ended
}

const heldNow = withGiven<{ task_id: number }>(
  { task_id: 'bigint', fence: 'bigint' },
  ({ locksRows }) =>
    `select tasks.task_id from given join tasks on given.task_id = tasks.task_id and given.fence = tasks.fence
    order by tasks.task_id${locksRows ? ' for update of tasks' : ''}`,
)

/** Which of the tasks are still held, and stay so until this transaction ends. */
export async function lockHeld(engine: Engine, tx: Db, tasks: readonly Task[]): Promise<Set<number>> {
  const rows = await heldNow(engine, tx, tasks.map(placeOf))
  return new Set(rows.map((row) => row.task_id))
}

/** Due again at another time as if it had never been tried; at once where it was asked for meanwhile. */
export async function postponeTask(tx: Db, task: Task, dueAt: number): Promise<void> {
  await change(tx, task, { due_at: unlessAskedAgain('due_at', dueAt), attempts: 0, last_error: null })
}

const postponeHeld = withGiven<never>(
  { task_id: 'bigint', fence: 'bigint', due_at: 'bigint' },
  (engine) => `update tasks set due_at = case when tasks.attempts = 0 then tasks.due_at else given.due_at end,
    attempts = 0, last_error = null, leased_by = null, lease_until = null
  from given where tasks.task_id = given.task_id and tasks.fence = given.fence${amongGiven(engine, 'tasks.task_id', 'task_id')}`,
)

/** The same for many that `lockHeld` said are held. */
export async function postponeTasks(
  engine: Engine,
  tx: Db,
  tasks: readonly { readonly task: Task; readonly dueAt: number }[],
): Promise<void> {
  await postponeHeld(
    engine,
    tx,
    tasks.map(({ task, dueAt }) => [...placeOf(task), dueAt]),
  )
}

/** A periodic task: the same row, due again. That it was asked for meanwhile (by a node that started) changes nothing. */
export async function rescheduleTask(tx: Db, task: Task, dueAt: number): Promise<void> {
  await change(tx, task, { due_at: dueAt, attempts: 0, last_error: null })
}

export type Retry = { readonly dueAt: number; readonly because: string; readonly attempts?: number | undefined }

export async function retryTask(engine: Engine, task: Task, { dueAt, because, attempts }: Retry): Promise<void> {
  const values = {
    due_at: unlessAskedAgain('due_at', dueAt),
    last_error: because,
    ...(attempts === undefined ? {} : { attempts: unlessAskedAgain('attempts', attempts) }),
  }
  await engine.transact((tx) => change(tx, task, values))
}

/** Puts it aside for a person. */
export async function parkTask(engine: Engine, task: Task, because: string): Promise<void> {
  await engine.transact((tx) => change(tx, task, { parked: unlessAskedAgain('parked', 1), last_error: because }))
}

/** Gives back which of the tasks are still held. */
export async function extendLeases(engine: Engine, tasks: readonly Task[], leaseUntil: number): Promise<Set<number>> {
  if (tasks.length === 0) return new Set()
  const ids = await engine.transact(async (tx) => {
    const still: number[] = []
    for (const some of inChunks(tasks)) {
      const rows = await tx
        .updateTable('tasks')
        .set({ lease_until: leaseUntil })
        .where(held(some))
        .returning('task_id')
        .execute()
      still.push(...rows.map((row) => row.task_id))
    }
    return still
  })
  return new Set(ids)
}

/** Gives back what was claimed and not begun: the try does not count. */
export async function releaseTasks(engine: Engine, tasks: readonly Task[]): Promise<void> {
  if (tasks.length === 0) return
  await engine.transact(async (tx) => {
    for (const some of inChunks(tasks))
      await tx
        .updateTable('tasks')
        .set({
          leased_by: null,
          lease_until: null,
          attempts: sql<number>`case when ${askedAgain} then 0 else attempts - 1 end`,
        })
        .where(held(some))
        .execute()
    await engine.tasksAdded(tx)
  })
}

type Values = {
  due_at?: RawBuilder<number> | number
  parked?: RawBuilder<number>
  attempts?: RawBuilder<number> | number
  last_error: string | null
}

async function change(tx: Db, task: Task, values: Values): Promise<void> {
  const changed = await tx
    .updateTable('tasks')
    .set({ ...values, leased_by: null, lease_until: null })
    .where(held([task]))
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) lost(task)
}

/** Leaves what was asked for again to be claimed once more. */
async function free(tx: Db, tasks: readonly Task[]): Promise<number> {
  const freed = await tx
    .updateTable('tasks')
    .set({ leased_by: null, lease_until: null, last_error: null })
    .where(held(tasks))
    .where(askedAgain)
    .executeTakeFirst()
  return Number(freed.numUpdatedRows)
}

const unlessAskedAgain = (column: 'due_at' | 'parked' | 'attempts', value: number): RawBuilder<number> =>
  sql<number>`case when ${askedAgain} then ${sql.ref(column)} else cast(${value} as bigint) end`

/**
 * The rows under these ids and fences. Cast, because PostgreSQL takes a bare parameter in a list of rows for text; the
 * last one repeated up to a power of two, so that there are ten statements to prepare and not five hundred.
 */
function held(tasks: readonly Task[]): RawBuilder<SqlBool> {
  const rows = tasks.map(({ taskId, fence }) => sql`(cast(${taskId} as bigint), cast(${fence} as bigint))`)
  const last = rows.slice(-1)
  const full = 2 ** Math.ceil(Math.log2(rows.length))
  return sql<SqlBool>`(task_id, fence) in (values ${sql.join([...rows, ...Array.from({ length: full - rows.length }, () => last).flat()])})`
}

function inChunks(tasks: readonly Task[]): Task[][] {
  const chunks: Task[][] = []
  for (let from = 0; from < tasks.length; from += rowsAtOnce) chunks.push(tasks.slice(from, from + rowsAtOnce))
  return chunks
}

function lost(task: Task): never {
  throw new LeaseLost(`The lease of task ${task.taskId} (${task.name}) was lost.`)
}
