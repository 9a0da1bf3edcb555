/**
 * Reads the job as it is at the upstream and makes ours alike, in the order in which things changed
 * remote. It compares states instead of counting updates, so an update that comes twice, too late or
 * never makes no difference.
 */
import { findMove, limits, refusalFor, requestMoves } from '@dragoman/contract'
import type { UpstreamLinkRow } from '../../store/tables.ts'
import { activity } from '../jobs/job-activity.ts'
import { moveJob } from '../jobs/move.ts'
import { moveRequests } from '../jobs/requests/move-requests.ts'
import type { RequestWithFile } from '../jobs/requests/request.ts'
import { readLight, readRequests } from '../jobs/requests/requests-of-job.ts'
import { acceptDeliveries, type DueRequest } from './accept-deliveries.ts'
import { writeLinks } from './link-rows.ts'
import {
  type RemoteJob,
  type RemoteRequest,
  remoteJobIn,
  remoteRequestIn,
  WrongAnswer,
} from './remote-shapes.ts'
import { linkOf, nameOf, remoteJobIdOf, type SyncRun, saveStep } from './sync-run.ts'

export type RemoteState = {
  readonly job: RemoteJob
  readonly requests: ReadonlyMap<string, RemoteRequest>
}

/** Deliveries in one transaction, and so in one status update; other moves. */
const together = { deliver: 20, move: 500 }

export async function readRemote(run: SyncRun): Promise<RemoteState> {
  const params = { jobId: remoteJobIdOf(run) }
  const { connection } = run.upstream
  const job = remoteJobIn(await connection.findJob({ params }))
  // Whatever stands between the two hubs answered in its place.
  if (job.jobId !== params.jobId) throw new WrongAnswer('The upstream did not answer with the job.')
  const requests = new Map<string, RemoteRequest>()
  if (job.archived) return { job, requests }
  const sent = new Set([...run.links.values()].flatMap(theirRequest))
  const mostPages = pagesOf(sent.size)
  for await (const one of connection.each('listRequests', { params }, { mostPages })) {
    const request = remoteRequestIn(one)
    // Others may have added some there.
    if (sent.has(request.requestId)) requests.set(request.requestId, request)
    if (requests.size === sent.size) break
  }
  return { job, requests }
}

/**
 * As many as the requests can fill, each with one at least, and an empty one at the end; more than
 * the limit only where they fill whole pages.
 */
const pagesOf = (requests: number): number =>
  Math.min(requests + 1, Math.max(limits.outsidePages, Math.ceil(requests / limits.pageItems) + 1))

const theirRequest = ({ kind, their_id }: UpstreamLinkRow): string[] =>
  kind === 'request' ? [their_id] : []

type Step = {
  readonly kind: 'start' | 'deliver' | 'cancel' | 'fail'
  readonly due: DueRequest
  /** What to say of a failure. `mark` remembers that it was said. */
  readonly message?: string
  readonly mark?: string
}

export const readOurs = ({ hub, siteId, jobId }: SyncRun): Promise<RequestWithFile[]> =>
  readLight(hub.db.read, siteId, jobId)

export async function applyRemoteChanges(run: SyncRun, remote: RemoteState): Promise<SyncRun> {
  const steps: Step[] = []
  // Translations wait there while the job takes none: they are neither taken nor approved.
  const isTaking = refusalFor('deliver', run.job.status, run.job.archive_status) === undefined
  for (const request of await readOurs(run)) {
    const link = linkOf(run, 'request', request.request_id)
    const remoteRequest = link && remote.requests.get(link.their_id)
    if (link && remoteRequest)
      steps.push(
        ...stepsOf(run, request, link, remoteRequest).filter(
          ({ kind }) => isTaking || kind !== 'deliver',
        ),
      )
    else if (link && !remote.job.archived && request.status !== 'CANCELLED')
      steps.push(
        ...failOnce(
          { request, link, version: '' },
          'The upstream no longer has this request.',
          'lost',
        ),
      )
  }
  steps.sort((a, b) => (a.due.version < b.due.version ? -1 : a.due.version > b.due.version ? 1 : 0))
  let at = run
  for (const batch of batchesOf(steps)) at = await applyBatch(at, batch)
  return applyRemoteJob(at, remote.job)
}

function stepsOf(
  run: SyncRun,
  request: RequestWithFile,
  link: UpstreamLinkRow,
  remoteRequest: RemoteRequest,
): Step[] {
  const version = remoteRequest.modifiedDate
  const due: DueRequest = { request, link, version }
  const wanted = run.upstream.language(request.target_language)
  if (!isSameLanguage(wanted, remoteRequest.targetNativeLanguageCode)) {
    const message = `The upstream changed the language of this request from ${wanted} to ${remoteRequest.targetNativeLanguageCode}; its translations are not taken.`
    return failOnce(due, message, `language ${remoteRequest.targetNativeLanguageCode}`)
  }
  const steps: Step[] = []
  if (isDelivered(request, remoteRequest, link)) steps.push({ kind: 'deliver', due })
  if (
    remoteRequest.statusCode === 'IN_TRANSLATION' &&
    findMove(requestMoves, request.status, 'start')
  )
    steps.push({ kind: 'start', due })
  if (
    remoteRequest.statusCode === 'CANCELLED' &&
    request.status !== 'CANCELLED' &&
    findMove(requestMoves, request.status, 'cancel')
  )
    steps.push({ kind: 'cancel', due })
  if (remoteRequest.hasError)
    steps.push(
      ...failOnce(
        due,
        remoteRequest.latestErrorMessage ?? 'The upstream reported an error.',
        `${version} error`,
      ),
    )
  return steps
}

/**
 * In review in another version than the one that was taken, or approved there by someone else. A
 * request that never got its translation here takes it, whatever its link says.
 */
function isDelivered(
  { status }: RequestWithFile,
  { statusCode, modifiedDate }: RemoteRequest,
  { taken, told, failed }: UpstreamLinkRow,
): boolean {
  const isThere = statusCode === 'REVIEW_TRANSLATION' || statusCode === 'TRANSLATION_APPROVED'
  if (status === 'SENT_TO_PROVIDER' && isThere && failed === null) return true
  if (statusCode === 'REVIEW_TRANSLATION') return taken !== modifiedDate
  return statusCode === 'TRANSLATION_APPROVED' && told === null && taken !== modifiedDate
}

const failOnce = (due: DueRequest, message: string, mark: string): Step[] =>
  due.link.failed === mark ? [] : [{ kind: 'fail', due, message, mark }]

const plain = (code: string): string => code.toLowerCase().replaceAll('_', '-')
const isSameLanguage = (a: string, b: string): boolean => plain(a) === plain(b)

/** Neighbours that make the same step, as many as belong into one transaction. */
function batchesOf(steps: readonly Step[]): Step[][] {
  const runs: Step[][] = []
  for (const step of steps) {
    const batch = runs.at(-1)
    const [first] = batch ?? []
    const most = step.kind === 'deliver' ? together.deliver : together.move
    if (batch && first?.kind === step.kind && first.message === step.message && batch.length < most)
      batch.push(step)
    else runs.push([step])
  }
  return runs
}

async function applyBatch(run: SyncRun, batch: readonly Step[]): Promise<SyncRun> {
  const [first] = batch
  if (!first) return run
  const { kind, message } = first
  if (kind === 'deliver')
    return acceptDeliveries(
      run,
      batch.map(({ due }) => due),
    )
  return saveStep(run, async (change, { job }) => {
    const ids = batch.map(({ due }) => due.request.request_id)
    const fresh = await readRequests(change.tx, job.site_id, job.job_id, { ids, limit: ids.length })
    const able = fresh.filter((one) => kind === 'fail' || findMove(requestMoves, one.status, kind))
    const marks = batch.flatMap(({ due: { link }, mark }) =>
      mark === undefined ? [] : [{ ...link, ...linkOf(run, 'request', link.our_id), failed: mark }],
    )
    const moving = able.map((request) => ({
      request,
      also: { provider_reference: remoteIdOf(batch, request) },
    }))
    await moveRequests(change, job, moving, {
      on: kind,
      ...(kind === 'fail' && { errorMessage: message }),
    })
    await writeLinks(change.tx, marks)
    for (const link of marks) run.links.set(nameOf('request', link.our_id), link)
    return { changedAt: change.hub.clock.now() }
  })
}

const remoteIdOf = (batch: readonly Step[], { request_id }: RequestWithFile): string | null =>
  batch.find(({ due }) => due.request.request_id === request_id)?.due.link.their_id ?? null

/** What the upstream says of the job as a whole, each thing once. */
async function applyRemoteJob(run: SyncRun, remoteJob: RemoteJob): Promise<SyncRun> {
  const { job, state } = run
  const isOpen = job.status === 'SENT_TO_PROVIDER' || job.status === 'IN_TRANSLATION'
  const mark = `${remoteJob.statusCode} ${remoteJob.hasError ? (remoteJob.latestErrorMessage ?? '') : ''}`
  if (!isOpen || state.reported === mark) return run
  const message = remoteJob.hasError
    ? (remoteJob.latestErrorMessage ?? 'The upstream reported an error.')
    : remoteJob.statusCode === 'COMPLETED' && !state.completed
      ? 'The job was completed at the upstream, so nothing more comes back.'
      : undefined
  const isCancelled = remoteJob.statusCode === 'CANCELLED'
  if (message === undefined && !isCancelled) return run
  return saveStep(run, async (change, { job: now }) => {
    if (isCancelled && now.status !== 'CANCELLED')
      await moveJob(change, now, 'cancel', activity(change.hub))
    else if (message !== undefined)
      await moveJob(change, now, 'fail', { ...activity(change.hub), errorMessage: message })
    return { reported: mark, changedAt: change.hub.clock.now() }
  })
}
