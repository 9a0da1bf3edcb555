/**
 * Does at the upstream what was decided here: approvals and rejections of exactly the version that
 * was taken, completion, reopening and the archive. Each is decided by comparing both sides, so a
 * repeated run repeats nothing.
 */
import type { UpstreamLinkRow } from '../../store/tables.ts'
import { openNote } from '../files/seals/notes.ts'
import { moveRequests } from '../jobs/requests/move-requests.ts'
import type { RequestWithFile } from '../jobs/requests/request.ts'
import { brokenMark } from './accept-deliveries.ts'
import { type RemoteState, readOurs } from './read-remote.ts'
import type { RemoteRequest } from './remote-shapes.ts'
import { linkOf, remoteJobIdOf, type SyncRun, saveLinks, saveStep, withLinks } from './sync-run.ts'

type LinkedRequest = {
  readonly request: RequestWithFile
  readonly link: UpstreamLinkRow
  readonly remoteRequest: RemoteRequest
}

const perCall = 500

export async function reportDecisions(run: SyncRun, remote: RemoteState): Promise<SyncRun> {
  const pairs: LinkedRequest[] = []
  for (const request of await readOurs(run)) {
    const link = linkOf(run, 'request', request.request_id)
    const remoteRequest = link && remote.requests.get(link.their_id)
    if (link && remoteRequest) pairs.push({ request, link, remoteRequest })
  }
  const inReview = pairs.filter(({ link, remoteRequest }) => isTaken(link, remoteRequest))
  const isBroken = ({ link, remoteRequest }: LinkedRequest) =>
    link.failed === brokenMark(remoteRequest.modifiedDate)
  const broken = inReview.filter(isBroken)
  const whole = inReview.filter((pair) => !isBroken(pair))
  let at = await approve(
    run,
    whole.filter(
      ({ request }) => run.upstream.review === 'TAKE' || request.status === 'TRANSLATION_APPROVED',
    ),
  )
  if (run.upstream.review === 'WAIT')
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
  return closeRemoteJob(at, remote)
}

const isTaken = (
  { taken: acceptedVersion }: UpstreamLinkRow,
  { statusCode, modifiedDate }: RemoteRequest,
): boolean => statusCode === 'REVIEW_TRANSLATION' && acceptedVersion === modifiedDate

async function approve(run: SyncRun, pairs: readonly LinkedRequest[]): Promise<SyncRun> {
  let at = run
  for (let from = 0; from < pairs.length; from += perCall) {
    const some = pairs.slice(from, from + perCall)
    const body = { requestIds: some.map(({ link }) => link.their_id) }
    await at.upstream.connection.approveRequests({ params: { jobId: remoteJobIdOf(at) }, body })
    at = await saveLinks(
      at,
      some.map(({ link, remoteRequest }) => ({ ...link, told: remoteRequest.modifiedDate })),
    )
  }
  return at
}

/** One call for each note. */
async function reject(run: SyncRun, pairs: readonly LinkedRequest[]): Promise<void> {
  const byNote = new Map<string, LinkedRequest[]>()
  for (const pair of pairs) {
    const { request } = pair
    const sealed =
      request.status === 'TRANSLATION_REJECTED' ? request.reject_note : request.error_message
    const note = openNote(run.hub, sealed) ?? ''
    const alike = byNote.get(note)
    if (alike) alike.push(pair)
    else byNote.set(note, [pair])
  }
  for (const [note, alike] of byNote)
    for (let from = 0; from < alike.length; from += perCall) {
      const requestIds = alike.slice(from, from + perCall).map(({ link }) => link.their_id)
      const body = note === '' ? { requestIds } : { requestIds, note }
      await run.upstream.connection.rejectRequests({ params: { jobId: remoteJobIdOf(run) }, body })
    }
}

const tooLate =
  'The translation was rejected here, but it is approved at the upstream, which takes no rejection any more. Ask for the correction there.'

/**
 * Rejected here after it was approved there: whoever rejected it learns that nobody will correct
 * it.
 */
async function reportTooLate(run: SyncRun, pairs: readonly LinkedRequest[]): Promise<SyncRun> {
  const late = pairs.filter(
    ({ remoteRequest, link }) =>
      remoteRequest.statusCode === 'TRANSLATION_APPROVED' && link.failed !== 'late',
  )
  if (late.length === 0) return run
  const links = late.map(({ link }) => ({ ...link, failed: 'late' }))
  return withLinks(run, links, async (change, { job }) => {
    const moving = late.map(({ request }) => ({ request }))
    await moveRequests(change, job, moving, { on: 'fail', errorMessage: tooLate })
    return undefined
  })
}

async function closeRemoteJob(run: SyncRun, { job: remoteJob }: RemoteState): Promise<SyncRun> {
  const { connection } = run.upstream
  const params = { jobId: remoteJobIdOf(run) }
  const { job, state } = run
  const isRunning =
    remoteJob.statusCode === 'SENT_TO_PROVIDER' || remoteJob.statusCode === 'IN_TRANSLATION'
  let at = run
  if (job.archive_status === 'ACTIVE' && remoteJob.archived && !isClosed(job.status))
    await connection.unarchiveJob({ params })
  if (job.status === 'COMPLETED') {
    if (isRunning) await connection.completeJob({ params })
    if (!state.completed) at = await saveLinks(at, [], { completed: true })
  }
  if (job.status === 'IN_TRANSLATION' && remoteJob.statusCode === 'COMPLETED' && state.completed) {
    await connection.reopenJob({ params })
    at = await saveStep(at, async () => ({ completed: undefined }))
  }
  if (job.archive_status === 'ARCHIVED' && !remoteJob.archived)
    await connection.archiveJob({ params })
  return at
}

export const isClosed = (status: string): boolean =>
  status === 'COMPLETED' || status === 'CANCELLED'
