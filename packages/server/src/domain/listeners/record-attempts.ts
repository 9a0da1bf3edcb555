/**
 * Writes what became of tries: the attempt, the delivery, the listener where it began or ceased to fail, and the task, all in
 * one transaction and only while the task's lease holds. Tries that end while a transaction is under way go together into
 * the next: a thousand deliveries a second cannot each have a commit of their own.
 */
import { limits } from '@dragoman/contract'
import { perHub } from '../../caches.ts'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import type { AttemptRow } from '../../store/tables.ts'
import { endTasks, LeaseLost, lockHeld, postponeTasks, type Task } from '../../store/tasks/hold-tasks.ts'
import type { Act } from '../audit/acts.ts'
import { hubItself, recordActs } from '../audit/record-acts.ts'
import { type DeliveryQueue, endQueues, insertAttempts, nameOf, selectWaiting, writeOutcomes } from './attempt-rows.ts'
import { parkPending } from './delivery-rows.ts'
import { clearFailing, disableListener, lockListeners, noteFailing } from './listener-rows.ts'

export type Ended = DeliveryQueue & {
  readonly task: Task
  readonly attempt: AttemptRow
  /** When it is tried again; null where it was set aside; undefined where it was delivered. */
  readonly nextAt?: number | null
  /** Since when the listener fails, as far as this try knows; undefined where it did not fail before. */
  readonly failingSince?: number
  /** Why the listener is disabled with this. */
  readonly disable?: string
}

/** `settled`: the task is written, too. `more`: it is still held, and there is more to send. */
export type Recorded = 'settled' | 'more'
type Waiting = { readonly ended: Ended; resolve(done: Recorded): void; reject(error: unknown): void }

type Queue = { waiting: Waiting[]; underWay: number; isGathering: boolean; writers: number }
/** Of this node only: each has its own tries to write. */
const queueOf = perHub((): Queue => ({ waiting: [], underWay: 0, isGathering: false, writers: 0 }))
const mostAtOnce = 256
/** Where others may write at the same time, a second transaction is begun beside the first for so many. */
const mostWriters = 2
const worthASecond = 64
/** So long, others that are under way may still come along; again, while they come in such numbers. */
const gatherMs = 2
const cameMany = 8
const enough = 256

/** Makes a try and writes down how it ended. */
export async function recordAttempt(hub: Hub, attempt: () => Promise<Ended>): Promise<Recorded> {
  const queue = queueOf(hub)
  queue.underWay += 1
  const ended = await attempt().finally(() => {
    queue.underWay -= 1
  })
  return new Promise((resolve, reject) => {
    queue.waiting.push({ ended, resolve, reject })
    writeMore(hub, queue)
  })
}

function writeMore(hub: Hub, queue: Queue): void {
  const { waiting, isGathering, writers } = queue
  if (isGathering || waiting.length === 0) return
  const maySecond = hub.engine.hasManyWriters && writers < mostWriters && waiting.length >= worthASecond
  if (writers === 0 || maySecond) void writeNext(hub, queue)
}

async function writeNext(hub: Hub, queue: Queue): Promise<void> {
  queue.writers += 1
  queue.isGathering = true
  await gather(queue)
  queue.isGathering = false
  const now = queue.waiting.splice(0, mostAtOnce)
  writeMore(hub, queue)
  try {
    await writeSome(hub, now)
  } catch (error) {
    // One of them may be the cause: the others must not fail with it.
    if (now.length === 1) for (const { reject } of now) reject(error)
    else for (const one of now) await writeSome(hub, [one]).catch(one.reject)
  }
  queue.writers -= 1
  writeMore(hub, queue)
}

/** Where many come, one quiet moment is not the end of them. */
async function gather(queue: Queue): Promise<void> {
  for (let quiet = 0; queue.waiting.length < enough && quiet < (queue.waiting.length < cameMany ? 1 : 2); ) {
    const before = queue.waiting.length
    if (queue.underWay < cameMany && queue.underWay <= before)
      return void (await new Promise((next) => setImmediate(next)))
    await new Promise((next) => setTimeout(next, gatherMs))
    quiet = queue.waiting.length - before < cameMany ? quiet + 1 : 0
  }
}

async function writeSome(hub: Hub, some: readonly Waiting[]): Promise<void> {
  const all = some.map(({ ended }) => ended)
  const done = await hub.engine.transact((tx) => write(hub, tx, all))
  for (const { ended, resolve, reject } of some) {
    const recorded = done.get(ended.task.taskId)
    if (recorded) resolve(recorded)
    else reject(new LeaseLost(`The lease of task ${ended.task.taskId} (${ended.task.name}) was lost.`))
  }
}

/** Delivered at once, to a listener that does not fail: the usual end. */
const isPlain = ({ nextAt, failingSince }: Ended): boolean => nextAt === undefined && failingSince === undefined

async function write(hub: Hub, tx: Db, all: readonly Ended[]): Promise<Map<number, Recorded>> {
  const plain = all.filter(isPlain)
  const touched = plain.length === all.length ? [] : all.filter((ended) => !isPlain(ended))
  await lockListeners(tx, [...new Set(touched.map(({ listenerId }) => listenerId))])
  const over = await endQueues(
    tx,
    plain.map(({ listenerId, jobId, task, attempt }) => ({ listenerId, jobId, task, position: attempt.position })),
  )
  const rest = over.size === all.length ? [] : all.filter(({ task }) => !over.has(task.taskId))
  const restTasks = rest.map(({ task }) => task)
  const held = await lockHeld(tx, restTasks)
  const mine = all.filter(({ task }) => over.has(task.taskId) || held.has(task.taskId))
  await writeAttempts(tx, mine)
  const disabled = await writeListeners(
    hub,
    tx,
    touched.filter(({ task }) => held.has(task.taskId)),
  )
  const recorded = await writeTasks(
    tx,
    rest.filter(({ task }) => held.has(task.taskId)),
  )
  for (const taskId of over) recorded.set(taskId, 'settled')
  await recordActs(hub, tx, hubItself(), disabled)
  return recorded
}

async function writeAttempts(tx: Db, mine: readonly Ended[]): Promise<void> {
  const there = await writeOutcomes(
    tx,
    mine.map(({ attempt, nextAt }) => ({
      position: attempt.position,
      state: nextAt === undefined ? 'DELIVERED' : nextAt === null ? 'PARKED' : 'PENDING',
      attemptedAt: attempt.attempted_at,
      nextAttemptAt: nextAt ?? null,
    })),
  )
  const attempts = mine.map(({ attempt }) => attempt).filter(({ position }) => there.has(position))
  await insertAttempts(tx, attempts)
}

/** Says which of them it disabled. */
async function writeListeners(hub: Hub, tx: Db, mine: readonly Ended[]): Promise<Act[]> {
  const answered = mine.filter(({ nextAt, failingSince }) => nextAt === undefined && failingSince !== undefined)
  await clearFailing(tx, [...new Set(answered.map(({ listenerId }) => listenerId))])
  const disabled: Act[] = []
  for (const { listenerId, nextAt, attempt, failingSince, disable, task } of mine) {
    const siteId = task.siteId ?? ''
    if (nextAt !== undefined && failingSince === undefined)
      await noteFailing(tx, siteId, listenerId, attempt.attempted_at)
    if (disable === undefined || !(await disableListener(tx, siteId, listenerId, disable, hub.clock.now()))) continue
    await parkPending(tx, siteId, listenerId)
    hub.log.warn({ listenerId, siteId, causeId: task.causeId }, 'a listener was disabled')
    disabled.push({ thing: 'listener', verb: 'disabled', id: listenerId, siteId })
  }
  return disabled
}

async function writeTasks(tx: Db, mine: readonly Ended[]): Promise<Map<number, Recorded>> {
  const waiting = await selectWaiting(tx, mine)
  const recorded = new Map<number, Recorded>()
  const over: Task[] = []
  const later: { task: Task; dueAt: number }[] = []
  for (const ended of mine) {
    const { task, nextAt } = ended
    const hasMore = waiting.has(nameOf(ended))
    recorded.set(task.taskId, hasMore && typeof nextAt !== 'number' ? 'more' : 'settled')
    if (!hasMore) over.push(task)
    else if (typeof nextAt === 'number') later.push({ task, dueAt: nextAt })
  }
  await postponeTasks(tx, later)
  await endTasks(tx, over)
  return recorded
}

/** An endpoint that fails for so long is disabled with its next failure. */
export const failedTooLong = (since: number, now: number): boolean => now - since >= limits.listenerFailingMs
