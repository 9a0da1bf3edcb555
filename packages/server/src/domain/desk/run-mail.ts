/**
 * The tasks of mail: who is told of new work, what is sent in the morning, and the sending. A
 * message is sent only while its reason stands: the person still wants it, may still see the work,
 * and the work is still theirs or open.
 */
import type { MailSwitches } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { sendMail } from '../../outgoing/send-mail.ts'
import { finishTask, postponeTask, type Task } from '../../store/tasks/hold-tasks.ts'
import { findIfAny } from '../jobs/find-job.ts'
import { type OneMail, queueMail } from '../jobs/queue-mail.ts'
import { findMailPerson, listMailPeople, type MailPerson } from '../people/mail-people.ts'
import { compose, type Facts } from './letters.ts'
import { type Counted, countWorkOf, listDue } from './person-work.ts'

const day = 86_400_000
/** In the morning of Europe; the hub has one clock. */
const hour = 6 * 3_600_000

/** When the mail of the next morning is due. */
export const nextMorning = (hub: Hub): number => {
  const now = hub.clock.now()
  const today = now - (now % day) + hour
  return today > now ? today : today + day
}

const switchOf = {
  newWork: 'newWork',
  given: 'newWork',
  rejected: 'rejected',
  dueTomorrow: 'dueTomorrow',
  digest: 'digest',
} as const satisfies Record<OneMail['kind'], keyof MailSwitches>

/** Finds those who can claim work of a new job, and queues a message for each. */
export async function mailNewWork(hub: Hub, task: Task): Promise<'settled'> {
  const { siteId, jobId } = task.payload as { siteId: string; jobId: string }
  const told: OneMail[] = []
  for (const { personId, switches, sites } of await listMailPeople(hub.db.read, siteId)) {
    const worker = { siteId, person: { personId, sites } }
    if (switches.newWork && (await countWorkOf(hub, worker, 'OPEN', jobId)) > 0)
      told.push({ kind: 'newWork', siteId, jobId, personId })
  }
  await hub.db.transact(async (tx) => {
    await queueMail({ hub, tx, causeId: task.causeId }, told)
    await finishTask(tx, task)
  })
  return 'settled'
}

/** Once a day, in one transaction with the time of the next run. */
export async function mailDaily(hub: Hub, task: Task): Promise<'settled'> {
  const today = new Date(hub.clock.now()).toISOString().slice(0, 10)
  const people = hub.config.mail ? await listMailPeople(hub.db.read) : []
  const mails = people.flatMap(({ personId, switches, sites }) =>
    (['dueTomorrow', 'digest'] as const)
      .filter((kind) => switches[kind])
      .flatMap((kind) =>
        sites
          .filter(({ siteId }) => siteId !== '')
          .map(({ siteId }): OneMail => ({ kind, siteId, personId, day: today })),
      ),
  )
  await hub.db.transact(async (tx) => {
    await queueMail({ hub, tx, causeId: `task:${task.taskId}` }, mails)
    if (hub.config.mail) await postponeTask(tx, task, nextMorning(hub))
    else await finishTask(tx, task)
  })
  return 'settled'
}

export async function runMail(hub: Hub, task: Task): Promise<'done'> {
  const mail = task.payload as OneMail
  const { mail: server, publicUrl } = hub.config
  const person = await findMailPerson(hub.db.read, mail.personId)
  if (!server || publicUrl === undefined || !person?.switches[switchOf[mail.kind]]) return 'done'
  const facts = await factsOf(hub, mail, person)
  if (!facts) return 'done'
  const { subject, text } = compose(facts, publicUrl.replace(/\/$/, ''))
  await sendMail(server, {
    to: { name: person.name, address: person.email },
    subject,
    text,
    id: `dragoman-${task.taskId}`,
  })
  return 'done'
}

/** Undefined if there is nothing to tell any more. */
async function factsOf(
  hub: Hub,
  mail: OneMail,
  { personId, sites }: MailPerson,
): Promise<Facts | undefined> {
  const { siteId } = mail
  const worker = { siteId, person: { personId, sites } }
  if ('jobId' in mail) {
    const job = await findIfAny(hub.db.read, siteId, mail.jobId)
    const many = await countWorkOf(
      hub,
      worker,
      mail.kind === 'newWork' ? 'OPEN' : 'MINE',
      mail.jobId,
    )
    return job && many > 0 ? { kind: mail.kind, jobName: job.job_name, many } : undefined
  }
  const midnight = Date.parse(`${mail.day}T00:00:00Z`)
  if (mail.kind === 'dueTomorrow') {
    const due = await listDue(hub, worker, { from: midnight + day, until: midnight + 2 * day })
    return due.length > 0 ? { kind: 'dueTomorrow', siteId, jobNames: due } : undefined
  }
  const counts: Counted = {
    MINE: await countWorkOf(hub, worker, 'MINE'),
    OPEN: await countWorkOf(hub, worker, 'OPEN'),
    REVIEW: await countWorkOf(hub, worker, 'REVIEW'),
  }
  return Object.values(counts).some((many) => many > 0)
    ? { kind: 'digest', siteId, counts }
    : undefined
}
