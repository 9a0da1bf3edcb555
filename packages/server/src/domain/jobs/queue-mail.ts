/**
 * Mail to people as tasks, written in the transaction of their cause: an event that is rolled back
 * sends nothing, and one that counts is told once. A hub without a mail server queues nothing. Who
 * is told, and what, is decided when the task runs (`mailing/`).
 */
import type { Change } from '../../hub.ts'
import { newId } from '../../store/ids.ts'
import { addTasks, type NewTask } from '../../store/tasks/add-tasks.ts'

export const mailTasks = {
  newWork: 'mail-new-work',
  send: 'send-mail',
  daily: 'mail-daily',
} as const

/** `given`: somebody else claimed it for the person. */
export type OneMail =
  | {
      readonly kind: 'newWork' | 'given' | 'rejected'
      readonly siteId: string
      readonly jobId: string
      readonly personId: string
    }
  | {
      readonly kind: 'dueTomorrow' | 'digest'
      readonly siteId: string
      readonly personId: string
      readonly day: string
    }

export async function queueMail(
  { hub, tx, causeId }: Change,
  mails: readonly OneMail[],
): Promise<void> {
  if (!hub.config.mail) return
  const now = hub.clock.now()
  const tasks = mails.map((payload): NewTask => {
    const { siteId } = payload
    // The first part of the key is the group: few messages at a time.
    return {
      name: mailTasks.send,
      payload,
      siteId,
      key: `mail:${newId()}`,
      dueAt: now,
      causeId,
      lane: 'outside',
    }
  })
  await addTasks(hub.db, tx, now, tasks)
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
