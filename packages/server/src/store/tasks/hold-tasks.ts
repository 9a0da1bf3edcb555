/**
 * What the holder of a task may do to it. Every statement names the task's id and fence and finds
 * nothing once another node has claimed the task: a stalled node can neither undo nor repeat what
 * its successor did. No site: the runner serves all sites, and holds a task by its id and fence.
 */

import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { type Columns, onRows } from '../many-rows.ts'

export type Task = {
  readonly taskId: number
  readonly name: string
  readonly payload: unknown
  readonly siteId?: string
  readonly key?: string
  readonly dueAt: number
  /** Tries begun, this one included, since `keepTask` was last called. */
  attempts: number
  /** Processes that ran out of memory while they had it. */
  readonly endedProcesses?: number
  readonly fence: number
  readonly causeId: string
  /** It waits for an outside party. */
  readonly outside?: boolean
}

/**
 * The lease ended and another node has the task, or it is gone: nothing done for it in this
 * transaction may count.
 */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
}

const holding = { task_id: 'bigint', fence: 'bigint' } as const
const heldBy = ({ taskId, fence }: Task) => ({ task_id: taskId, fence })
const isHeld = '(task_id, fence) in (select task_id, fence from given)'
/** Its key was added again since the claim (add-tasks.ts). */
const addedAgain = 'attempts = 0'
type Id = { task_id: number }

/**
 * Ends the task inside the transaction of its own effects; both are rolled back if the lease was
 * lost.
 */
export async function finishTask(tx: Db, task: Task): Promise<void> {
  if ((await endTasks(tx, [task])) === 0) lost(task)
}

/**
 * Inside the transaction of a step of a long task: a try that makes progress counts as the first,
 * or a task that is interrupted often would run out of tries. The step is rolled back if the lease
 * was lost.
 */
export async function keepTask(tx: Db, task: Task): Promise<void> {
  const kept = await tx
    .updateTable('tasks')
    .set({ attempts: unlessAddedAgain('attempts', 1) })
    .where('task_id', '=', task.taskId)
    .where('fence', '=', task.fence)
    .executeTakeFirst()
  if (kept.numUpdatedRows === 0n) lost(task)
  task.attempts = 1
}

/** Ends many tasks that had nothing to commit; returns how many were still held. */
export async function finishTasks(db: Database, tasks: readonly Task[]): Promise<number> {
  return tasks.length === 0 ? 0 : db.transact((tx) => endTasks(tx, tasks))
}

const removeHeld = onRows<typeof holding, Id>(
  holding,
  () => `delete from tasks where ${isHeld} and attempts > 0 returning task_id`,
)
const freeHeld = onRows<typeof holding, Id>(
  holding,
  () => `update tasks set leased_by = null, lease_until = null, last_error = null
    where ${isHeld} and ${addedAgain} returning task_id`,
)

/**
 * The same inside a transaction. A task whose key was added again stays, to be claimed once more.
 */
export async function endTasks(tx: Db, tasks: readonly Task[]): Promise<number> {
  const ended = await removeHeld(tx, tasks.map(heldBy))
  if (ended.length === tasks.length) return ended.length
  const gone = new Set(ended.map((row) => row.task_id))
  const left = tasks.filter((task) => !gone.has(task.taskId))
  return ended.length + (await freeHeld(tx, left.map(heldBy))).length
}

export type TaskEnd<C> = {
  readonly task: Task
  readonly values: { readonly [K in keyof C]: string | number }
}

/**
 * Makes a function that, inside a transaction, ends those tasks for which `unless`, a condition on
 * further columns of `given`, is false; it returns their ids. Skips tasks that were added again or
 * are no longer held.
 */
export function endingUnless<C extends Columns>(
  columns: C,
  unless: string,
): (tx: Db, ends: readonly TaskEnd<C>[]) => Promise<Set<number>> {
  const end = onRows<typeof holding & C, Id>(
    { ...holding, ...columns },
    () => `delete from tasks where (task_id, fence) in (select given.task_id, given.fence from given where not (${unless}))
      and attempts > 0 returning task_id`,
  )
  return async (tx, ends) => {
    const rows = await end(
      tx,
      ends.map(({ task, values }) => ({ ...heldBy(task), ...values })),
    )
    return new Set(rows.map((row) => row.task_id))
  }
}

const lockGiven = onRows<typeof holding, Id>(
  holding,
  ({ join, lock }) => `select tasks.task_id from given ${join} tasks
    on given.task_id = tasks.task_id and given.fence = tasks.fence order by tasks.task_id${lock('tasks')}`,
)

/** Which of the tasks are still held; they stay held until this transaction ends. */
export async function lockHeld(tx: Db, tasks: readonly Task[]): Promise<Set<number>> {
  return new Set((await lockGiven(tx, tasks.map(heldBy))).map((row) => row.task_id))
}

/**
 * Due again at another time as if never tried; at once if its key was added again meanwhile.
 * `because`: what an operator must know of it.
 */
export async function postponeTask(
  tx: Db,
  task: Task,
  dueAt: number,
  because: string | null = null,
): Promise<void> {
  await change(tx, task, {
    due_at: unlessAddedAgain('due_at', dueAt),
    attempts: 0,
    ended_processes: 0,
    last_error: because,
  })
}

const postponeGiven = onRows<typeof holding & { due_at: 'bigint' }, never>(
  { ...holding, due_at: 'bigint' },
  ({
    among,
  }) => `update tasks set due_at = case when tasks.attempts = 0 then tasks.due_at else given.due_at end,
    attempts = 0, last_error = null, leased_by = null, lease_until = null
  from given where tasks.task_id = given.task_id and tasks.fence = given.fence${among('tasks.task_id', 'task_id')}`,
)

/** The same for many tasks that `lockHeld` returned. */
export async function postponeTasks(
  tx: Db,
  tasks: readonly { readonly task: Task; readonly dueAt: number }[],
): Promise<void> {
  await postponeGiven(
    tx,
    tasks.map(({ task, dueAt }) => ({ ...heldBy(task), due_at: dueAt })),
  )
}

/**
 * A periodic task: the same row, due again. It does not matter if its key was added again (by a
 * node that started).
 */
export async function rescheduleTask(tx: Db, task: Task, dueAt: number): Promise<void> {
  await change(tx, task, { due_at: dueAt, attempts: 0, ended_processes: 0, last_error: null })
}

export type Retry = {
  readonly dueAt: number
  readonly because: string
  readonly attempts?: number | undefined
}

export async function retryTask(
  db: Database,
  task: Task,
  { dueAt, because, attempts }: Retry,
): Promise<void> {
  const values = {
    due_at: unlessAddedAgain('due_at', dueAt),
    last_error: because,
    ...(attempts === undefined ? {} : { attempts: unlessAddedAgain('attempts', attempts) }),
  }
  await db.transact((tx) => change(tx, task, values))
}

/** Sets the task aside for a person. */
export async function parkTask(db: Database, task: Task, because: string): Promise<void> {
  await db.transact((tx) =>
    change(tx, task, { parked: unlessAddedAgain('parked', 1), last_error: because }),
  )
}

const extendGiven = onRows<typeof holding, Id>(
  holding,
  ({ value }) =>
    `update tasks set lease_until = ${value('bigint', 0)} where ${isHeld} returning task_id`,
)

/** Returns which of the tasks are still held. */
export async function extendLeases(
  db: Database,
  tasks: readonly Task[],
  leaseUntil: number,
): Promise<Set<number>> {
  if (tasks.length === 0) return new Set()
  const rows = await db.transact((tx) => extendGiven(tx, tasks.map(heldBy), leaseUntil))
  return new Set(rows.map((row) => row.task_id))
}

const releaseGiven = onRows<typeof holding, never>(
  holding,
  () => `update tasks set leased_by = null, lease_until = null,
    attempts = case when ${addedAgain} then 0 else attempts - 1 end where ${isHeld}`,
)

/** Returns tasks that were claimed and not begun: the try does not count. */
export async function releaseTasks(db: Database, tasks: readonly Task[]): Promise<void> {
  if (tasks.length === 0) return
  await db.transact(async (tx) => {
    await releaseGiven(tx, tasks.map(heldBy))
    await db.tasksAdded(tx)
  })
}

type Values = {
  due_at?: RawBuilder<number> | number
  parked?: RawBuilder<number>
  attempts?: RawBuilder<number> | number
  ended_processes?: number
  last_error: string | null
}

async function change(tx: Db, task: Task, values: Values): Promise<void> {
  const changed = await tx
    .updateTable('tasks')
    .set({ ...values, leased_by: null, lease_until: null })
    .where('task_id', '=', task.taskId)
    .where('fence', '=', task.fence)
    .executeTakeFirst()
  if (changed.numUpdatedRows === 0n) lost(task)
}

const unlessAddedAgain = (
  column: 'due_at' | 'parked' | 'attempts',
  value: number,
): RawBuilder<number> =>
  sql<number>`case when ${sql.raw<SqlBool>(addedAgain)} then ${sql.ref(column)} else cast(${value} as bigint) end`

function lost(task: Task): never {
  throw new LeaseLost(`The lease of task ${task.taskId} (${task.name}) was lost.`)
}
