/**
 * Approves and rejects requests, all or none. An approval adds the translation to the memory; a
 * rejection sends its note to the provider.
 */
import type { JobRequest } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { Call } from '../../access/caller.ts'
import { sealNote } from '../../files/seals/notes.ts'
import { mustAllow } from '../find-job.ts'
import { type OneMail, queueFinished, queueMail } from '../queue-mail.ts'
import { workersOf } from '../shares/shares.ts'
import { describeLight } from './describe-request.ts'
import { mustFindRequests } from './find-request.ts'
import { moveRequests } from './move-requests.ts'
import { rememberLater } from './remember-requests.ts'
import { type Answered, withMetadata } from './request-metadata.ts'
import { joinNotes } from './review-notes.ts'

type Reviewed = Answered<JobRequest>

export const approveRequests = (
  hub: Hub,
  call: Call,
  jobId: string,
  requestIds: readonly string[],
): Promise<Reviewed> => review(hub, call, jobId, { requestIds, on: 'approve', note: null })

export const rejectRequests = (
  hub: Hub,
  call: Call,
  jobId: string,
  asked: { requestIds: readonly string[]; note?: string },
): Promise<Reviewed> =>
  review(hub, call, jobId, { requestIds: asked.requestIds, on: 'reject', note: asked.note ?? null })

type Review = {
  readonly requestIds: readonly string[]
  readonly on: 'approve' | 'reject'
  readonly note: string | null
}

function review(
  hub: Hub,
  call: Call,
  jobId: string,
  { requestIds, on, note }: Review,
): Promise<Reviewed> {
  const { siteId } = call.caller
  return hub.db.transact(async (tx) => {
    const job = await mustAllow(tx, siteId, jobId, 'reviewRequests')
    const found = await mustFindRequests(tx, siteId, jobId, [...new Set(requestIds)])
    const ids = found.map(({ request_id }) => request_id)
    const noteOf =
      on === 'reject'
        ? await joinNotes(hub, tx, { siteId, jobId, requestIds: ids }, note)
        : () => note
    const moving = found.map((request) => ({
      request,
      also: { reject_note: sealNote(hub, noteOf(request.request_id)) },
    }))
    const change = { hub, tx, causeId: call.traceId }
    const { requests } = await moveRequests(change, job, moving, { on })
    if (on === 'approve') {
      await rememberLater(change, requests)
      const isNews = found.some(({ status }) => status !== 'TRANSLATION_APPROVED')
      if (isNews) await queueFinished(change, job)
    } else await queueMail(change, await rejectedIn(tx, siteId, requests))
    return withMetadata(hub, siteId, { rows: requests, describe: (row) => describeLight(hub, row) })
  })
}

/** One for each person, however many of theirs were rejected. */
async function rejectedIn(
  db: Db,
  siteId: string,
  requests: Parameters<typeof workersOf>[1],
): Promise<OneMail[]> {
  const mails = new Map<string, OneMail>()
  for (const { jobId, personId } of await workersOf(db, requests))
    mails.set(personId, { kind: 'rejected', siteId, jobId, personId })
  return [...mails.values()]
}
