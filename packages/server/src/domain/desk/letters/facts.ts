/** What a letter says: read when it is sent. Undefined if there is nothing to tell any more. */

import { paidWords } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { countWordsIn } from '../../handover/quoting/count-job.ts'
import { readQuotedLines } from '../../handover/quoting/list-figures.ts'
import { findIfAny } from '../../jobs/find-job.ts'
import type { OneMail } from '../../jobs/queue-mail.ts'
import type { MailPerson } from '../../people/mail-people.ts'
import { type Counted, countWorkOf, listDue, listLate, listWorkOf } from '../person-work.ts'
import type { Worker } from '../work-of.ts'
import type { Facts } from './compose.ts'

const day = 86_400_000
const morning = 6 * 3_600_000

export async function factsOf(
  hub: Hub,
  mail: OneMail,
  { personId, sites }: MailPerson,
): Promise<Facts | undefined> {
  const { siteId } = mail
  const worker = { siteId, person: { personId, sites } }
  if ('jobId' in mail) {
    const job = await findIfAny(hub.db.read, siteId, mail.jobId)
    if (!job) return undefined
    const { jobId, kind } = mail
    const dueAt = job.due_at === null ? {} : { dueAt: Number(job.due_at) }
    const about = { kind, jobId, jobName: job.job_name, ...dueAt }
    if ('many' in mail) return { ...about, many: mail.many }
    if (kind === 'question' || kind === 'answered' || kind === 'cancelled') return about
    const view = kind === 'newWork' ? 'OPEN' : 'MINE'
    const many = await countWorkOf(hub, worker, view, jobId)
    return many > 0 ? { ...about, many, words: await wordsOf(hub, worker, view, jobId) } : undefined
  }
  const midnight = Date.parse(`${mail.day}T00:00:00Z`)
  if (mail.kind === 'dueTomorrow') {
    const due = await listDue(hub, worker, { from: midnight + day, until: midnight + 2 * day })
    return due.length > 0 ? { kind: 'dueTomorrow', siteId, jobNames: due } : undefined
  }
  if (mail.kind === 'late') {
    const until = midnight + morning
    const late = await listLate(hub, siteId, { from: until - day, until })
    return late.length > 0 ? { kind: 'late', siteId, jobNames: late } : undefined
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

/**
 * Those of the quote that was kept, else they are counted now. Undefined if some cannot be counted:
 * no message waits for a content that cannot be read.
 */
async function wordsOf(
  hub: Hub,
  worker: Worker,
  view: 'OPEN' | 'MINE',
  jobId: string,
): Promise<number | undefined> {
  const found = await listWorkOf(hub, worker, view, jobId)
  const quoted = await readQuotedLines(hub, worker.siteId, found)
  if (found.every(({ request_id }) => quoted.has(request_id)))
    return paidWords([...quoted.values()].map(({ line }) => line))
  const counted = await countWordsIn(hub, worker.siteId, jobId).catch(() => undefined)
  const lines = new Map(counted?.lines.map((line) => [line.requestId, line]))
  let words = 0
  for (const { request_id } of found) {
    const line = lines.get(request_id)
    if (!line) return undefined
    for (const band of line.bands) words += band.words
  }
  return words
}
