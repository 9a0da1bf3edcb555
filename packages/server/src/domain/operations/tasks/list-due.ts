/**
 * What falls due next in the whole hub: tasks, deliveries, due dates, archivals and the end of old
 * secrets.
 */
import { formatTime } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import * as rows from './due-rows.ts'

export type DueKind = 'task' | 'delivery' | 'dueDate' | 'archival' | 'secret' | 'token'
export type Due = {
  readonly time: string
  readonly kind: DueKind
  /** The name of the task. */
  readonly name?: string
  readonly jobId?: string
  readonly jobName?: string
  readonly listenerId?: string
  readonly deliveryId?: string
  /** The number of the status update that is delivered. */
  readonly sequence?: number
  /** Tries so far: more than 0 for a retry. */
  readonly tries?: number
  readonly clientId?: string
}

/** The earliest first, at most `limit`. */
export async function listDue(hub: Hub, span: rows.Span): Promise<Due[]> {
  const db = hub.db.read
  const [tasks, jobs, archivals, secrets] = await Promise.all([
    rows.tasksDue(db, span),
    rows.jobsDue(db, span),
    rows.jobsToArchive(db, span),
    rows.secretsEnding(db, span),
  ])
  const all = [
    ...tasks.map((task) => ({ at: task.due_at, task })),
    ...jobs.map((job) => ({ at: job.at, due: describeJob('dueDate', job) })),
    ...archivals.map((job) => ({ at: job.at, due: describeJob('archival', job) })),
    ...secrets.map((row) => ({
      at: row.at,
      due: { kind: 'secret' as const, clientId: row.client_id },
    })),
  ].sort((a, b) => a.at - b.at)
  const due: Due[] = []
  // Only the tasks of the page are looked into.
  for (const one of all.slice(0, span.limit))
    due.push({
      time: formatTime(one.at),
      ...('due' in one ? one.due : await describeTask(db, one.task)),
    })
  return due
}

const describeJob = (kind: 'dueDate' | 'archival', { job_id, job_name }: rows.DueJob) => ({
  kind,
  jobId: job_id,
  jobName: job_name,
})

async function describeTask(db: Db, task: rows.DueTask): Promise<Omit<Due, 'time'>> {
  const about = aboutTask({ name: task.name, ...(task.key !== null && { key: task.key }) })
  const jobId = about.jobId ?? task.job_id ?? undefined
  const plain = { ...about, ...(jobId !== undefined && { jobId }), tries: task.attempts }
  if (about.listenerId === undefined || jobId === undefined) return plain
  const next = await rows.nextDelivery(db, about.listenerId, jobId)
  if (!next) return plain
  const { delivery_id: deliveryId, sequence, attempts: tries } = next
  return { ...plain, deliveryId, tries, ...(sequence !== null && { sequence }) }
}

/** What a task is about, by its name and key. */
export function aboutTask({
  name,
  key = '',
}: {
  readonly name: string
  readonly key?: string
}): Omit<Due, 'time'> {
  const [first, listenerId, jobId] = key.split(':')
  if (name !== 'deliver' || first !== 'deliver' || !listenerId || !jobId)
    return { kind: 'task', name }
  return { kind: 'delivery', name, listenerId, jobId }
}
