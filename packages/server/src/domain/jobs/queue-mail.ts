/**
 * Mail to people as tasks, written in the transaction of their cause: an event that is rolled back
 * sends nothing, and one that counts is told once. A hub without a mail server queues nothing. Who
 * is told, and what, is decided when the task runs (`mailing/`).
 */
import { findMove, requestMoves, requestStatuses } from '@dragoman/contract'
import type { Change } from '../../hub.ts'
import type { JobRow } from '../../store/tables.ts'
import { addTasks, type NewTask } from '../../store/tasks/add-tasks.ts'
import { assigneesOf, countByStatus } from './work-rows.ts'

export const mailTasks = {
  newWork: 'mail-new-work',
  send: 'send-mail',
  daily: 'mail-daily',
  news: 'mail-news',
} as const

/**
 * `given`: somebody else claimed it for the person. `planned` and `cancelled` are for those who hold
 * work of the job; the note of a cancellation is read where it was written.
 */
export type OneMail =
  | {
      readonly kind: 'newWork' | 'given' | 'rejected' | 'planned' | 'cancelled'
      readonly siteId: string
      readonly jobId: string
      readonly personId: string
    }
  | {
      readonly kind: 'delivered' | 'finished'
      readonly siteId: string
      readonly jobId: string
      readonly personId: string
      readonly many: number
    }
  | {
      readonly kind: 'question' | 'answered'
      readonly siteId: string
      readonly jobId: string
      readonly personId: string
      readonly commentId: string
    }
  | {
      readonly kind: 'dueTomorrow' | 'digest' | 'late'
      readonly siteId: string
      readonly personId: string
      readonly day: string
    }

/** Once per act and person: what one act says of several requests is one message. */
const keyOf = ({ kind, siteId, personId, ...about }: OneMail, causeId: string): string =>
  `mail:${[kind, siteId, personId, 'jobId' in about ? about.jobId : about.day, causeId].join(' ')}`

export async function queueMail(
  { hub, tx, causeId }: Change,
  mails: readonly OneMail[],
): Promise<void> {
  if (!hub.config.mail) return
  const now = hub.clock.now()
  const tasks = new Map(
    mails.map((payload): [string, NewTask] => {
      const { siteId } = payload
      // The first part of the key is the group: few messages at a time.
      const key = keyOf(payload, causeId)
      const lane = 'outside' as const
      return [key, { name: mailTasks.send, payload, siteId, key, dueAt: now, causeId, lane }]
    }),
  )
  await addTasks(hub.db, tx, now, [...tasks.values()])
}

type JobOf = Pick<JobRow, 'site_id' | 'job_id'>

/** What a manager may want to hear of: who does is looked up when the task runs. */
export type News = {
  readonly siteId: string
  readonly jobId: string
  /** Whom the cause knows already. */
  readonly but?: string
} & (
  | { readonly kind: 'delivered' | 'finished'; readonly many: number }
  | { readonly kind: 'question'; readonly commentId: string; readonly to: 'TEAM' | 'CONNECTOR' }
)

export async function queueNews({ hub, tx, causeId }: Change, news: News): Promise<void> {
  if (!hub.config.mail) return
  const now = hub.clock.now()
  const { siteId } = news
  await addTasks(hub.db, tx, now, [
    { name: mailTasks.news, payload: news, siteId, dueAt: now, causeId },
  ])
}

/** Tells of a job in which every request is approved or cancelled. */
export const queueFinished = (change: Change, job: JobOf): Promise<void> =>
  queueEnd(change, job, true)

/** Tells of a job that was completed with something open; without, it was told already. */
export const queueCompleted = (change: Change, job: JobOf): Promise<void> =>
  queueEnd(change, job, false)

async function queueEnd(
  change: Change,
  { site_id: siteId, job_id: jobId }: JobOf,
  isWhole: boolean,
): Promise<void> {
  if (!change.hub.config.mail) return
  const counts = await countByStatus(change.tx, siteId, jobId)
  const many = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const over = (counts.get('TRANSLATION_APPROVED') ?? 0) + (counts.get('CANCELLED') ?? 0)
  if (isWhole === (over === many))
    await queueNews(change, { kind: 'finished', siteId, jobId, many })
}

/** The people who hold work of a job that is still to be delivered or judged. */
export async function selectHolders({ hub, tx }: Change, job: JobOf): Promise<string[]> {
  if (!hub.config.mail) return []
  const open = requestStatuses.filter((status) => findMove(requestMoves, status, 'cancel'))
  return assigneesOf(tx, job.site_id, job.job_id, open)
}

export async function queueHolders(
  change: Change,
  job: JobOf,
  kind: 'planned' | 'cancelled',
  { holders, but }: { readonly holders: readonly string[]; readonly but?: string | undefined },
): Promise<void> {
  const { site_id: siteId, job_id: jobId } = job
  const told = holders.filter((personId) => personId !== but)
  await queueMail(
    change,
    told.map((personId) => ({ kind, siteId, jobId, personId })),
  )
}

/** A provider has got a job. Who works for it is looked up later. */
export async function queueNewWork(
  { hub, tx, causeId }: Change,
  { site_id: siteId, job_id: jobId }: { readonly site_id: string; readonly job_id: string },
): Promise<void> {
  if (!hub.config.mail) return
  const now = hub.clock.now()
  await addTasks(hub.db, tx, now, [
    { name: mailTasks.newWork, payload: { siteId, jobId }, siteId, dueAt: now, causeId },
  ])
}
