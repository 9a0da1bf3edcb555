/**
 * The tasks of mail: who is told of new work and of what managers asked for, what is sent in the
 * morning, and the sending. A message is sent only while its reason stands: the person still wants
 * it, may still see the work, and the work is still theirs or open.
 */
import type { MailSwitches } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { sendMail } from '../../../outgoing/send-mail.ts'
import { finishTask, postponeTask, type Task } from '../../../store/tasks/hold-tasks.ts'
import { type News, type OneMail, queueMail } from '../../jobs/queue-mail.ts'
import type { Invited } from '../../people/invite.ts'
import { findAnyPerson, findMailPerson, listMailPeople } from '../../people/mail-people.ts'
import { countWorkOf } from '../person-work.ts'
import { compose } from './compose.ts'
import { factsOf } from './facts.ts'
import { isManager, wants } from './who-wants.ts'

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
  planned: 'newWork',
  cancelled: 'newWork',
  rejected: 'rejected',
  dueTomorrow: 'dueTomorrow',
  digest: 'digest',
  delivered: 'delivered',
  finished: 'finished',
  late: 'late',
  question: 'question',
  answered: 'question',
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
  return queueAll(hub, task, told)
}

/** Finds those who asked to hear of a delivery, the end of a job or a question. */
export async function mailNews(hub: Hub, task: Task): Promise<'settled'> {
  const { but, ...news } = task.payload as News
  const told: OneMail[] = []
  for (const person of await listMailPeople(hub.db.read, news.siteId)) {
    const { personId, switches } = person
    if (personId === but || !switches[switchOf[news.kind]]) continue
    if (!(await wants(hub, person, news))) continue
    if (news.kind === 'question') {
      const { to: _, ...question } = news
      told.push({ ...question, personId })
    } else told.push({ ...news, personId })
  }
  return queueAll(hub, task, told)
}

async function queueAll(hub: Hub, task: Task, told: readonly OneMail[]): Promise<'settled'> {
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
  const mails = people.flatMap((person) =>
    (['dueTomorrow', 'digest', 'late'] as const)
      .filter((kind) => person.switches[kind])
      .flatMap((kind) =>
        person.sites
          .filter(({ siteId }) => siteId !== '' && (kind !== 'late' || isManager(person, siteId)))
          .map(({ siteId }): OneMail => ({ kind, siteId, personId: person.personId, day: today })),
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
  const { subject, text } = compose(facts, publicUrl.replace(/\/$/, ''), person)
  await sendMail(server, {
    to: { name: person.name, address: person.email },
    subject,
    text,
    id: `dragoman-${task.taskId}`,
  })
  return 'done'
}

/** An invitation needs no switch: without it the person cannot sign in. */
export async function runInvitation(hub: Hub, task: Task): Promise<'done'> {
  const { siteId, personId, link } = task.payload as Invited
  const { mail: server, publicUrl } = hub.config
  const person = await findAnyPerson(hub.db.read, personId)
  if (!server || publicUrl === undefined || !person) return 'done'
  const facts = { kind: 'invited', siteId, link: hub.vault.open('note', link) } as const
  const { subject, text } = compose(facts, publicUrl, person)
  await sendMail(server, {
    to: { name: person.name, address: person.email },
    subject,
    text,
    id: `dragoman-${task.taskId}`,
  })
  return 'done'
}
