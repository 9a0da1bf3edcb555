/**
 * Background tasks for a person (contract, section 12): a list, and making parked or later ones due
 * now. An admin sees and retries the tasks of its site; the hub's own are the operator's.
 */
import {
  type Endpoints,
  formatTime,
  HubError,
  type Input,
  limits,
  mustParseTime,
  type TaskRetry,
  type Task as TaskShown,
} from '@dragoman/contract'
import type { Change, Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { type Paging, readPage } from '../../../store/filtered-page.ts'
import type { Page } from '../../../store/page.ts'
import { addTasks } from '../../../store/tasks/add-tasks.ts'
import type { Task } from '../../../store/tasks/hold-tasks.ts'
import { type SeenTask, selectTasks, type TaskFilter } from '../../../store/tasks/list-tasks.ts'
import {
  countRetries,
  lockTask,
  makeDue,
  type Retried,
  type RetryChoice,
  retrySome,
  selectLastTask,
} from '../../../store/tasks/retry-by-hand.ts'
import { factsOf } from '../../access/audit/acts.ts'
import { recordActs } from '../../access/audit/record-acts.ts'
import { actorOf, type Call, sightOf } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { hastenDeliveries } from '../../listeners/resume.ts'

type TasksQuery = Input<Endpoints['listTasks']>['query']

/** The latest due time first. A cursor carries its filter. */
export async function listTasks(hub: Hub, call: Call, asked: TasksQuery): Promise<Page<TaskShown>> {
  const { rows, next } = await readPage(
    { vault: hub.vault, siteId: call.caller.siteId, name: 'tasks' },
    asked,
    (filter, { after, limit }) =>
      selectTasks(hub.db.read, filterOf(call, filter), {
        now: hub.clock.now(),
        ...(after && { before: [Number(after[0]), Number(after[1])] as const }),
        limit,
      }),
    ({ due_at, task_id }) => [due_at, task_id],
  )
  return { items: rows.map(describe), ...(next !== undefined && { next }) }
}

const filterOf = (
  call: Call,
  { name, state, jobId, since, siteId }: Omit<TasksQuery, keyof Paging>,
): TaskFilter => ({
  siteId: sightOf(call, siteId),
  ...(name !== undefined && { name }),
  ...(state !== undefined && { state }),
  ...(jobId !== undefined && { jobId }),
  ...(since !== undefined && { since: mustParseTime(since) }),
})

const describe = (row: SeenTask): TaskShown => ({
  taskId: String(row.task_id),
  name: row.name,
  state: row.state === 'lost' ? 'due' : row.state,
  tries: row.attempts,
  ...(row.last_error !== null && { lastError: row.last_error }),
  dueTime: formatTime(row.due_at),
  createdTime: formatTime(row.created_at),
  ...(row.job_id !== null && { jobId: row.job_id }),
  causeId: row.cause_id,
  ...(row.site_id !== null && { siteId: row.site_id }),
  ...(row.state === 'running' && row.leased_by !== null && { nodeId: row.leased_by }),
})

/** A task that is due already stays as it is. The audit log has the act either way. */
export function retryTask(hub: Hub, call: Call, taskId: string): Promise<TaskShown> {
  return once(hub, call, async (tx) => {
    const now = hub.clock.now()
    const row = isNumber(taskId)
      ? await lockTask(tx, sightOf(call), Number(taskId), now)
      : undefined
    if (!row) throw new HubError('TASK_NOT_FOUND', { taskId })
    if (row.state === 'running') throw new HubError('TASK_RUNNING', { which: `Task ${taskId}` })
    const isWaiting = row.state === 'parked' || row.state === 'later'
    if (isWaiting) await hasten(tx, await makeDue(hub.db, tx, [row.task_id], now), now)
    const site = row.site_id === null ? {} : { siteId: row.site_id }
    const shown = describe(isWaiting ? { ...row, state: 'due', attempts: 0, due_at: now } : row)
    const facts = factsOf('task', describe(row), shown)
    await recordActs(hub, tx, actorOf(call), [
      { thing: 'task', verb: 'retried', id: taskId, ...site, ...facts },
    ])
    return shown
  })
}

/** Makes one parked task due now; false if it is not parked. */
export async function retryParked(
  hub: Hub,
  tx: Db,
  siteId: string | undefined,
  taskId: number,
): Promise<boolean> {
  const now = hub.clock.now()
  const row = await lockTask(tx, siteId, taskId, now)
  if (row?.state !== 'parked') return false
  await hasten(tx, await makeDue(hub.db, tx, [taskId], now), now)
  return true
}

const isNumber = (text: string): boolean => /^\d{1,15}$/.test(text)

/** The audit log has the act also if there was nothing to retry. */
export async function retryTasks(
  hub: Hub,
  call: Call,
  input: TaskRetry,
): Promise<{ retried: number }> {
  const { name, state = 'parked' } = input
  if (state === 'running') throw new HubError('TASK_RUNNING', { which: 'A task' })
  const siteId = sightOf(call, input.siteId)
  const site = siteId === undefined ? {} : { siteId }
  return once(hub, call, async (tx) => {
    // What is due already needs no retry.
    const choice =
      state === 'due' ? undefined : { siteId, ...(name !== undefined && { name }), state }
    const retried = choice ? await retryChosen({ hub, tx, causeId: call.traceId }, choice) : 0
    const act = {
      thing: 'task',
      verb: 'retried',
      id: name ?? state,
      fields: Object.keys(input),
    } as const
    await recordActs(hub, tx, actorOf(call), [{ ...act, ...site }])
    return { retried }
  })
}

/** A few in the transaction of the call, many in the background. */
async function retryChosen(
  { hub, tx, causeId }: Change,
  chosen: Omit<RetryChoice, 'after' | 'upTo'>,
): Promise<number> {
  const now = hub.clock.now()
  const choice = { ...chosen, after: 0, upTo: await selectLastTask(tx) }
  const retried = await countRetries(tx, choice, now)
  const site = choice.siteId === undefined ? {} : { siteId: choice.siteId }
  if (retried > limits.retryAtOnce)
    await addTasks(hub.db, tx, now, [
      { name: retryTaskName, payload: choice, dueAt: now, causeId, ...site },
    ])
  else await retrySlice(hub, tx, choice)
  return retried
}

export const retryTaskName = 'retry-tasks'

/**
 * The task: slice by slice, each in its own transaction. A second run finds those that are left.
 */
export async function retryInSlices(hub: Hub, task: Task): Promise<'done'> {
  let choice = task.payload as RetryChoice
  for (;;) {
    const some = await hub.db.transact((tx) => retrySlice(hub, tx, choice))
    const last = some.at(-1)
    if (!last) return 'done'
    choice = { ...choice, after: last.task_id }
  }
}

async function retrySlice(hub: Hub, tx: Db, choice: RetryChoice): Promise<Retried[]> {
  const now = hub.clock.now()
  const some = await retrySome(hub.db, tx, choice, { now, many: limits.retryAtOnce })
  await hasten(tx, some, now)
  return some
}

/** A task that delivers looks at the time of its next delivery too. */
async function hasten(tx: Db, tasks: readonly Retried[], now: number): Promise<void> {
  const queues = tasks
    .filter(({ name }) => name === 'deliver')
    .map(({ payload }) => JSON.parse(payload))
  await hastenDeliveries(tx, queues as { listenerId: string; jobId: string }[], now)
}
