/**
 * Saves the outcome of attempts: the attempt, the delivery, the listener if it started or stopped
 * failing, and the task, all in one transaction and only while the task's lease holds. Attempts
 * that end during a transaction share the next one, because a thousand deliveries a second cannot
 * each have their own commit.
 */
import { limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import type { Db } from '../../store/database.ts'
import type { AttemptRow } from '../../store/tables.ts'
import {
  endTasks,
  LeaseLost,
  lockHeld,
  postponeTasks,
  type Task,
} from '../../store/tasks/hold-tasks.ts'
import { type Act, factsOf } from '../access/audit/acts.ts'
import { hubItself, recordActs } from '../access/audit/record-acts.ts'
import { siteOf } from './announce.ts'
import {
  type DeliveryQueue,
  endQueues,
  insertAttempts,
  nameOf,
  selectWaiting,
  writeOutcomes,
} from './attempt-rows.ts'
import { stopPending } from './delivery-rows.ts'
import { noteFacts } from './forget-facts.ts'
import { clearFailing, disableListener, lockListeners, noteFailing } from './listener-rows.ts'

export type Ended = DeliveryQueue & {
  readonly task: Task
  readonly attempt: AttemptRow
  /** When the next attempt is due. Null: parked. Undefined: delivered. */
  readonly nextAt?: number | null
  /**
   * Since when the listener has been failing, as this attempt knows it. Undefined: it was not
   * failing.
   */
  readonly failingSince?: number
  /** Why this attempt disables the listener. */
  readonly disable?: string
}

/**
 * `settled`: the task was written too. `more`: the task is still held, and there is more to send.
 */
export type Recorded = 'settled' | 'more'
type Waiting = {
  readonly ended: Ended
  resolve(done: Recorded): void
  reject(error: unknown): void
}

type Queue = { waiting: Waiting[]; running: number; isGathering: boolean; writers: number }
/** Per node: each node writes its own attempts. */
const queueOf = perHub((): Queue => ({ waiting: [], running: 0, isGathering: false, writers: 0 }))
const batchSize = 256
/**
 * On a database with many writers, a second transaction starts in parallel once this many attempts
 * wait.
 */
const maxWriters = 2
const secondWriterFrom = 64
/** How long to wait for attempts in progress; the wait repeats while at least this many arrive. */
const gatherMs = 2
const manyArrivals = 8
const enough = 256

/** Makes an attempt and saves its outcome. */
export async function recordAttempt(hub: Hub, attempt: () => Promise<Ended>): Promise<Recorded> {
  const queue = queueOf(hub)
  queue.running += 1
  const ended = await attempt().finally(() => {
    queue.running -= 1
  })
  return new Promise((resolve, reject) => {
    queue.waiting.push({ ended, resolve, reject })
    writeMore(hub, queue)
  })
}

function writeMore(hub: Hub, queue: Queue): void {
  const { waiting, isGathering, writers } = queue
  if (isGathering || waiting.length === 0) return
  const maySecond =
    hub.db.hasManyWriters && writers < maxWriters && waiting.length >= secondWriterFrom
  if (writers === 0 || maySecond) void writeNext(hub, queue)
}

async function writeNext(hub: Hub, queue: Queue): Promise<void> {
  queue.writers += 1
  queue.isGathering = true
  await gather(queue)
  queue.isGathering = false
  const now = queue.waiting.splice(0, batchSize)
  writeMore(hub, queue)
  try {
    await writeSome(hub, now)
  } catch (error) {
    // One attempt may be the cause. Write them one by one, so that the others succeed.
    if (now.length === 1) for (const { reject } of now) reject(error)
    else for (const one of now) await writeSome(hub, [one]).catch(one.reject)
  }
  queue.writers -= 1
  writeMore(hub, queue)
}

/** Under load, waits until two intervals in a row bring few attempts. */
async function gather(queue: Queue): Promise<void> {
  for (
    let quiet = 0;
    queue.waiting.length < enough && quiet < (queue.waiting.length < manyArrivals ? 1 : 2);
  ) {
    const before = queue.waiting.length
    if (queue.running < manyArrivals && queue.running <= before)
      return void (await new Promise((next) => setImmediate(next)))
    await new Promise((next) => setTimeout(next, gatherMs))
    quiet = queue.waiting.length - before < manyArrivals ? quiet + 1 : 0
  }
}

async function writeSome(hub: Hub, some: readonly Waiting[]): Promise<void> {
  const all = some.map(({ ended }) => ended)
  const done = await hub.db.transact((tx) => write(hub, tx, all))
  for (const { ended, resolve, reject } of some) {
    const recorded = done.get(ended.task.taskId)
    if (recorded) resolve(recorded)
    else
      reject(new LeaseLost(`The lease of task ${ended.task.taskId} (${ended.task.name}) was lost.`))
  }
}

/** The usual case: delivered, and the listener was not failing. */
const isPlain = ({ nextAt, failingSince }: Ended): boolean =>
  nextAt === undefined && failingSince === undefined

async function write(hub: Hub, tx: Db, all: readonly Ended[]): Promise<Map<number, Recorded>> {
  const plain = all.filter(isPlain)
  const touched = plain.length === all.length ? [] : all.filter((ended) => !isPlain(ended))
  await lockListeners(tx, [...new Set(touched.map(({ listenerId }) => listenerId))])
  const finished = await endQueues(
    tx,
    plain.map(({ listenerId, jobId, task, attempt }) => ({
      listenerId,
      jobId,
      task,
      position: attempt.position,
    })),
  )
  const unfinished =
    finished.size === all.length ? [] : all.filter(({ task }) => !finished.has(task.taskId))
  const unfinishedTasks = unfinished.map(({ task }) => task)
  const held = await lockHeld(tx, unfinishedTasks)
  const mine = all.filter(({ task }) => finished.has(task.taskId) || held.has(task.taskId))
  await writeAttempts(hub, tx, mine)
  const disabled = await writeListeners(
    hub,
    tx,
    touched.filter(({ task }) => held.has(task.taskId)),
  )
  const recorded = await writeTasks(
    tx,
    unfinished.filter(({ task }) => held.has(task.taskId)),
  )
  for (const taskId of finished) recorded.set(taskId, 'settled')
  await recordActs(hub, tx, hubItself(), disabled)
  return recorded
}

async function writeAttempts(hub: Hub, tx: Db, mine: readonly Ended[]): Promise<void> {
  const existing = await writeOutcomes(
    tx,
    mine.map(({ attempt, nextAt }) => ({
      position: attempt.position,
      state: nextAt === undefined ? 'DELIVERED' : nextAt === null ? 'PARKED' : 'PENDING',
      attemptedAt: attempt.attempted_at,
      nextAttemptAt: nextAt ?? null,
      responseCode: attempt.response_code,
      error: attempt.error,
    })),
  )
  const attempts = mine
    .map(({ attempt }) => attempt)
    .filter(({ position }) => existing.has(position))
  await insertAttempts(tx, attempts)
  await noteFacts(hub, tx, attempts)
}

/** Returns the listeners it disabled. */
async function writeListeners(hub: Hub, tx: Db, mine: readonly Ended[]): Promise<Act[]> {
  const answered = mine.filter(
    ({ nextAt, failingSince }) => nextAt === undefined && failingSince !== undefined,
  )
  await clearFailing(tx, [...new Set(answered.map(({ listenerId }) => listenerId))])
  const disabled: Act[] = []
  for (const { listenerId, nextAt, attempt, failingSince, disable, task } of mine) {
    const siteId = siteOf(task)
    if (nextAt !== undefined && failingSince === undefined)
      await noteFailing(tx, siteId, listenerId, attempt.attempted_at)
    const disabling = disable === undefined ? undefined : { reason: disable, now: hub.clock.now() }
    if (!disabling || !(await disableListener(tx, siteId, listenerId, disabling))) continue
    await stopPending(tx, siteId, listenerId, 'PARKED')
    hub.log.warn({ listenerId, siteId, causeId: task.causeId }, 'a listener was disabled')
    const facts = factsOf('listener', { disabled: false }, { disabled: true })
    disabled.push({ thing: 'listener', verb: 'disabled', id: listenerId, siteId, ...facts })
  }
  return disabled
}

async function writeTasks(tx: Db, mine: readonly Ended[]): Promise<Map<number, Recorded>> {
  const waiting = await selectWaiting(tx, mine)
  const recorded = new Map<number, Recorded>()
  const finished: Task[] = []
  const later: { task: Task; dueAt: number }[] = []
  for (const ended of mine) {
    const { task, nextAt } = ended
    const hasMore = waiting.has(nameOf(ended))
    recorded.set(task.taskId, hasMore && typeof nextAt !== 'number' ? 'more' : 'settled')
    if (!hasMore) finished.push(task)
    else if (typeof nextAt === 'number') later.push({ task, dueAt: nextAt })
  }
  await postponeTasks(tx, later)
  await endTasks(tx, finished)
  return recorded
}

/** After failing this long, a listener is disabled at its next failure. */
export const failedTooLong = (since: number, now: number): boolean =>
  now - since >= limits.listenerFailingMs
