/**
 * Does at the upstream what was decided here: approvals and rejections of exactly the version that
 * was taken, completion, reopening and the archive. Each is decided by comparing both sides, so a
 * repeated run repeats nothing.
 */
import type { JobRequest } from '@dragoman/contract'
import type { UpstreamLinkRow } from '../../store/tables.ts'
import { openNote } from '../files/seals/notes.ts'
import { moveRequests } from '../jobs/requests/move-requests.ts'
import type { WholeRequest } from '../jobs/requests/request.ts'
import { readOurs, type There } from './read-there.ts'
import { brokenMark } from './take.ts'
import { inStep, keepLinks, linkOf, theirJobOf, type Walk, withLinks } from './walk.ts'

type LinkedRequest = {
  readonly request: WholeRequest
  readonly link: UpstreamLinkRow
  readonly theirs: JobRequest
}

const perCall = 500

export async function answerThere(walk: Walk, there: There): Promise<Walk> {
  const pairs: LinkedRequest[] = []
  for (const request of await readOurs(walk)) {
    const link = linkOf(walk, 'request', request.request_id)
    const theirs = link && there.requests.get(link.their_id)
    if (link && theirs) pairs.push({ request, link, theirs })
  }
  const inReview = pairs.filter(({ link, theirs }) => isTaken(link, theirs))
  const broken = inReview.filter(
    ({ link, theirs }) => link.failed === brokenMark(theirs.modifiedDate),
  )
  const whole = inReview.filter((pair) => !broken.includes(pair))
  let at = await approve(
    walk,
    whole.filter(
      ({ request }) => walk.upstream.review === 'TAKE' || request.status === 'TRANSLATION_APPROVED',
    ),
  )
  if (walk.upstream.review === 'WAIT')
    await reject(
      at,
      whole.filter(({ request }) => request.status === 'TRANSLATION_REJECTED'),
    )
  await reject(at, broken)
  at = await reportTooLate(
    at,
    pairs.filter(
      ({ request, link }) => request.status === 'TRANSLATION_REJECTED' && link.told !== null,
    ),
  )
  return closeThere(at, there)
}

const isTaken = ({ taken }: UpstreamLinkRow, { statusCode, modifiedDate }: JobRequest): boolean =>
  statusCode === 'REVIEW_TRANSLATION' && taken === modifiedDate

async function approve(walk: Walk, pairs: readonly LinkedRequest[]): Promise<Walk> {
  let at = walk
  for (let from = 0; from < pairs.length; from += perCall) {
    const some = pairs.slice(from, from + perCall)
    const body = { requestIds: some.map(({ link }) => link.their_id) }
    await at.upstream.connection.approveRequests({ params: { jobId: theirJobOf(at) }, body })
    at = await keepLinks(
      at,
      some.map(({ link, theirs }) => ({ ...link, told: theirs.modifiedDate })),
    )
  }
  return at
}

/** One call for each note. */
async function reject(walk: Walk, pairs: readonly LinkedRequest[]): Promise<void> {
  const byNote = new Map<string, LinkedRequest[]>()
  for (const pair of pairs) {
    const { request } = pair
    const sealed =
      request.status === 'TRANSLATION_REJECTED' ? request.reject_note : request.error_message
    const note = openNote(walk.hub, sealed) ?? ''
    byNote.set(note, [...(byNote.get(note) ?? []), pair])
  }
  for (const [note, alike] of byNote)
    for (let from = 0; from < alike.length; from += perCall) {
      const requestIds = alike.slice(from, from + perCall).map(({ link }) => link.their_id)
      const body = note === '' ? { requestIds } : { requestIds, note }
      await walk.upstream.connection.rejectRequests({ params: { jobId: theirJobOf(walk) }, body })
    }
}

const tooLate =
  'The translation was rejected here, but it is approved at the upstream, which takes no rejection any more. Ask for the correction there.'

/**
 * Rejected here after it was approved there: whoever rejected it learns that nobody will correct
 * it.
 */
async function reportTooLate(walk: Walk, pairs: readonly LinkedRequest[]): Promise<Walk> {
  const late = pairs.filter(
    ({ theirs, link }) => theirs.statusCode === 'TRANSLATION_APPROVED' && link.failed !== 'late',
  )
  if (late.length === 0) return walk
  const links = late.map(({ link }) => ({ ...link, failed: 'late' }))
  return withLinks(walk, links, async (change, { job }) => {
    const moving = late.map(({ request }) => ({ request }))
    await moveRequests(change, job, moving, { on: 'fail', errorMessage: tooLate })
    return undefined
  })
}

async function closeThere(walk: Walk, { job: theirs }: There): Promise<Walk> {
  const { connection } = walk.upstream
  const params = { jobId: theirJobOf(walk) }
  const { job, state } = walk
  const isRunning =
    theirs.statusCode === 'SENT_TO_PROVIDER' || theirs.statusCode === 'IN_TRANSLATION'
  let at = walk
  if (job.archive_status === 'ACTIVE' && theirs.archived && !isClosed(job.status))
    await connection.unarchiveJob({ params })
  if (job.status === 'COMPLETED') {
    if (isRunning) await connection.completeJob({ params })
    if (!state.completed) at = await keepLinks(at, [], { completed: true })
  }
  if (job.status === 'IN_TRANSLATION' && theirs.statusCode === 'COMPLETED' && state.completed) {
    await connection.reopenJob({ params })
    at = await inStep(at, async () => ({ completed: undefined }))
  }
  if (job.archive_status === 'ARCHIVED' && !theirs.archived) await connection.archiveJob({ params })
  return at
}

export const isClosed = (status: string): boolean =>
  status === 'COMPLETED' || status === 'CANCELLED'
