/**
 * Reads the job as it is at the upstream and makes ours alike, in the order in which things changed
 * there. It compares states instead of counting updates, so an update that comes twice, too late or
 * never makes no difference.
 */
import { findMove, type Job, type JobRequest, refusalFor, requestMoves } from '@dragoman/contract'
import type { UpstreamLinkRow } from '../../store/tables.ts'
import { activity } from '../jobs/job-activity.ts'
import { moveJob } from '../jobs/move.ts'
import { moveRequests } from '../jobs/requests/move-requests.ts'
import type { WholeRequest } from '../jobs/requests/request.ts'
import { readRequests } from '../jobs/requests/requests-of-job.ts'
import { writeLinks } from './link-rows.ts'
import { type Due, takeDeliveries } from './take.ts'
import { inStep, linkOf, nameOf, theirJobOf, type Walk } from './walk.ts'

export type There = { readonly job: Job; readonly requests: ReadonlyMap<string, JobRequest> }

/** Deliveries in one transaction, and so in one status update; other moves. */
const together = { deliver: 20, move: 500 }
const everyRequest = 1_000_000

export async function readThere(walk: Walk): Promise<There> {
  const params = { jobId: theirJobOf(walk) }
  const { connection } = walk.upstream
  const job = await connection.findJob({ params })
  // Whatever stands between the two hubs answered in its place.
  if (job.jobId !== params.jobId) throw new Error('The upstream did not answer with the job.')
  const requests = new Map<string, JobRequest>()
  if (!job.archived)
    for await (const request of connection.each('listRequests', { params }))
      requests.set(request.requestId, request)
  return { job, requests }
}

type Step = {
  readonly kind: 'start' | 'deliver' | 'cancel' | 'fail'
  readonly due: Due
  /** Of a failure: what to say, and the mark that it was said. */
  readonly message?: string
  readonly mark?: string
}

export const readOurs = ({ hub, siteId, jobId }: Walk): Promise<WholeRequest[]> =>
  readRequests(hub.db.read, siteId, jobId, { limit: everyRequest })

export async function bringOver(walk: Walk, there: There): Promise<Walk> {
  const steps: Step[] = []
  // Translations wait there while the job takes none: they are neither taken nor approved.
  const isTaking = refusalFor('deliver', walk.job.status, walk.job.archive_status) === undefined
  for (const request of await readOurs(walk)) {
    const link = linkOf(walk, 'request', request.request_id)
    const theirs = link && there.requests.get(link.their_id)
    if (link && theirs)
      steps.push(
        ...stepsOf(walk, request, link, theirs).filter(
          ({ kind }) => isTaking || kind !== 'deliver',
        ),
      )
    else if (link && !there.job.archived && request.status !== 'CANCELLED')
      steps.push(
        ...failOnce(
          { request, link, version: '' },
          'The upstream no longer has this request.',
          'lost',
        ),
      )
  }
  steps.sort((a, b) => (a.due.version < b.due.version ? -1 : a.due.version > b.due.version ? 1 : 0))
  let at = walk
  for (const run of runsOf(steps)) at = await makeRun(at, run)
  return followJob(at, there.job)
}

function stepsOf(
  walk: Walk,
  request: WholeRequest,
  link: UpstreamLinkRow,
  theirs: JobRequest,
): Step[] {
  const version = theirs.modifiedDate
  const due: Due = { request, link, version }
  const wanted = walk.upstream.language(request.target_language)
  if (!isSameLanguage(wanted, theirs.targetNativeLanguageCode)) {
    const message = `The upstream changed the language of this request from ${wanted} to ${theirs.targetNativeLanguageCode}; its translations are not taken.`
    return failOnce(due, message, `language ${theirs.targetNativeLanguageCode}`)
  }
  const steps: Step[] = []
  if (isDelivered(request, theirs, link)) steps.push({ kind: 'deliver', due })
  if (theirs.statusCode === 'IN_TRANSLATION' && findMove(requestMoves, request.status, 'start'))
    steps.push({ kind: 'start', due })
  if (
    theirs.statusCode === 'CANCELLED' &&
    request.status !== 'CANCELLED' &&
    findMove(requestMoves, request.status, 'cancel')
  )
    steps.push({ kind: 'cancel', due })
  if (theirs.hasError)
    steps.push(
      ...failOnce(
        due,
        theirs.latestErrorMessage ?? 'The upstream reported an error.',
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
  { status }: WholeRequest,
  { statusCode, modifiedDate }: JobRequest,
  { taken, told, failed }: UpstreamLinkRow,
): boolean {
  const isThere = statusCode === 'REVIEW_TRANSLATION' || statusCode === 'TRANSLATION_APPROVED'
  if (status === 'SENT_TO_PROVIDER' && isThere && failed === null) return true
  if (statusCode === 'REVIEW_TRANSLATION') return taken !== modifiedDate
  return statusCode === 'TRANSLATION_APPROVED' && told === null && taken !== modifiedDate
}

const failOnce = (due: Due, message: string, mark: string): Step[] =>
  due.link.failed === mark ? [] : [{ kind: 'fail', due, message, mark }]

const plain = (code: string): string => code.toLowerCase().replaceAll('_', '-')
const isSameLanguage = (a: string, b: string): boolean => plain(a) === plain(b)

/** Neighbours that make the same step, as many as belong into one transaction. */
function runsOf(steps: readonly Step[]): Step[][] {
  const runs: Step[][] = []
  for (const step of steps) {
    const run = runs.at(-1)
    const [first] = run ?? []
    const most = step.kind === 'deliver' ? together.deliver : together.move
    if (run && first?.kind === step.kind && first.message === step.message && run.length < most)
      run.push(step)
    else runs.push([step])
  }
  return runs
}

async function makeRun(walk: Walk, run: readonly Step[]): Promise<Walk> {
  const [first] = run
  if (!first) return walk
  const { kind, message } = first
  if (kind === 'deliver')
    return takeDeliveries(
      walk,
      run.map(({ due }) => due),
    )
  return inStep(walk, async (change, { job }) => {
    const ids = run.map(({ due }) => due.request.request_id)
    const fresh = await readRequests(change.tx, job.site_id, job.job_id, { ids, limit: ids.length })
    const able = fresh.filter((one) => kind === 'fail' || findMove(requestMoves, one.status, kind))
    const marks = run.flatMap(({ due: { link }, mark }) =>
      mark === undefined
        ? []
        : [{ ...link, ...linkOf(walk, 'request', link.our_id), failed: mark }],
    )
    const moving = able.map((request) => ({
      request,
      also: { provider_reference: theirIdOf(run, request) },
    }))
    await moveRequests(change, job, moving, {
      on: kind,
      ...(kind === 'fail' && { errorMessage: message }),
    })
    await writeLinks(change.tx, marks)
    for (const link of marks) walk.links.set(nameOf('request', link.our_id), link)
    return { changedAt: change.hub.clock.now() }
  })
}

const theirIdOf = (run: readonly Step[], { request_id }: WholeRequest): string | null =>
  run.find(({ due }) => due.request.request_id === request_id)?.due.link.their_id ?? null

/** What the upstream says of the job as a whole, each thing once. */
async function followJob(walk: Walk, theirs: Job): Promise<Walk> {
  const { job, state } = walk
  const isOpen = job.status === 'SENT_TO_PROVIDER' || job.status === 'IN_TRANSLATION'
  const mark = `${theirs.statusCode} ${theirs.hasError ? (theirs.latestErrorMessage ?? '') : ''}`
  if (!isOpen || state.reported === mark) return walk
  const message = theirs.hasError
    ? (theirs.latestErrorMessage ?? 'The upstream reported an error.')
    : theirs.statusCode === 'COMPLETED' && !state.completed
      ? 'The job was completed at the upstream, so nothing more comes back.'
      : undefined
  const isCancelled = theirs.statusCode === 'CANCELLED'
  if (message === undefined && !isCancelled) return walk
  return inStep(walk, async (change, { job: now }) => {
    if (isCancelled && now.status !== 'CANCELLED')
      await moveJob(change, now, 'cancel', activity(change.hub))
    else if (message !== undefined)
      await moveJob(change, now, 'fail', { ...activity(change.hub), errorMessage: message })
    return { reported: mark, changedAt: change.hub.clock.now() }
  })
}
