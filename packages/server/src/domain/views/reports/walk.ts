/**
 * How reports read: a few rows at a time from an index, with pauses for other work, so that a site
 * with many jobs holds up nobody. What they hold in memory is one part of jobs, and the history of
 * one of them.
 */
import type { JobStatus, Quote } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { PageBounds } from '../../../store/filtered-page.ts'
import type { Key } from '../../../store/page.ts'
import { openPauses } from '../../../turns/pauses.ts'
import * as rows from './report-rows.ts'

export type Walk = {
  readonly hub: Hub
  readonly siteId: string
  readonly pause: () => Promise<void> | undefined
}
export const openWalk = (hub: Hub, siteId: string): Walk => ({ hub, siteId, pause: openPauses() })

export type ReportJob = {
  readonly job_id: string
  readonly provider_id: string | null
  readonly status: JobStatus
  readonly archived: number
  readonly submitted_at: number | null
  readonly modified_at: number
  readonly due_at: number | null
}
export type Step = {
  readonly on: string
  readonly from: string
  readonly to: string
  readonly at: number
  /** Empty for a move of the job itself. */
  readonly requestIds: readonly string[]
}

const jobsPerScan = 500
const jobsPerPart = 50
const rowsPerPart = 2_000
const quotesPerPart = 10

/** Every row, part by part. */
export async function* parts<R>(
  { pause }: Walk,
  limit: number,
  select: (part: PageBounds) => Promise<R[]>,
  keyOf: (row: R) => Key,
): AsyncGenerator<R[]> {
  let after: Key | undefined
  for (;;) {
    const found = await select({ ...(after && { after }), limit })
    await pause()
    yield found
    const last = found.at(-1)
    if (found.length < limit || last === undefined) return
    after = keyOf(last)
  }
}

/** The jobs that `keeps` keeps, in small parts. */
async function* inParts(
  found: AsyncIterable<ReportJob[]>,
  keeps: (job: ReportJob) => boolean,
): AsyncGenerator<ReportJob[]> {
  let part: ReportJob[] = []
  for await (const some of found)
    for (const job of some) {
      if (keeps(job)) part.push(job)
      if (part.length < jobsPerPart) continue
      yield part
      part = []
    }
  if (part.length > 0) yield part
}

export function submittedJobs(
  walk: Walk,
  span: rows.Span,
  keeps: (job: ReportJob) => boolean = () => true,
): AsyncGenerator<ReportJob[]> {
  const { hub, siteId } = walk
  const select = (part: PageBounds) => rows.selectSubmitted(hub.db.read, siteId, span, part)
  return inParts(
    parts(walk, jobsPerScan, select, (job) => [job.submitted_at, job.job_id]),
    keeps,
  )
}

/**
 * The jobs that may have moved in the period, or were open in it: those that changed after it
 * began, and those still open.
 */
export function jobsAtWork(walk: Walk, { from, to }: rows.Span): AsyncGenerator<ReportJob[]> {
  const isOpen = ({ archived, status }: ReportJob) =>
    archived === 0 && status !== 'COMPLETED' && status !== 'CANCELLED'
  return submittedJobs(walk, { from: 0, to }, (job) => job.modified_at >= from || isOpen(job))
}

/** Archived jobs or not, by their due date. */
export async function* dueJobs(walk: Walk, span: rows.Span): AsyncGenerator<ReportJob[]> {
  const { hub, siteId } = walk
  for (const archived of [0, 1]) {
    const select = (part: PageBounds) =>
      rows.selectDue(hub.db.read, siteId, { ...span, archived }, part)
    yield* inParts(
      parts(walk, jobsPerScan, select, (job) => [job.due_at, job.job_id]),
      () => true,
    )
  }
}

/** Each job with its moves, oldest first. */
export async function* histories(
  walk: Walk,
  jobs: readonly ReportJob[],
): AsyncGenerator<[ReportJob, Step[]]> {
  const { hub, siteId } = walk
  const byId = new Map(jobs.map((job) => [job.job_id, job]))
  const ids = [...byId.keys()].sort()
  const select = (part: PageBounds) => {
    const left = part.after ? ids.filter((id) => id >= String(part.after?.[0])) : ids
    return rows.selectMoves(hub.db.read, siteId, left, part)
  }
  let at: string | undefined
  let steps: Step[] = []
  const job = (id: string | undefined) => byId.get(id ?? '')
  for await (const moves of parts(walk, rowsPerPart, select, (row) => [
    row.job_id,
    row.moved_at,
    row.move_id,
  ]))
    for (const row of moves) {
      const before = job(at)
      if (row.job_id !== at && before) {
        yield [before, inOrder(steps)]
        steps = []
      }
      at = row.job_id
      const requestIds = row.request_ids === null ? [] : (JSON.parse(row.request_ids) as string[])
      steps.push({
        on: row.move,
        from: row.from_status,
        to: row.to_status,
        at: row.moved_at,
        requestIds,
      })
    }
  const last = job(at)
  if (last) yield [last, inOrder(steps)]
}

const ranks = [
  'CREATED',
  'SENDING',
  'SENT_TO_PROVIDER',
  'IN_TRANSLATION',
  'REVIEW_TRANSLATION',
  'TRANSLATION_APPROVED',
  'TRANSLATION_REJECTED',
]
/**
 * Moves of the same millisecond have no order of their own; that of the states is the likely one.
 */
const inOrder = (steps: Step[]): Step[] =>
  steps.sort(
    (one, other) => one.at - other.at || ranks.indexOf(one.from) - ranks.indexOf(other.from),
  )

export type ReportRequest = { readonly language: string; readonly words: number | undefined }

/** The requests of these jobs, by id. */
export async function requestsOf(
  walk: Walk,
  jobs: readonly ReportJob[],
): Promise<Map<string, ReportRequest>> {
  const { hub, siteId } = walk
  const ids = jobs.map(({ job_id }) => job_id)
  const select = (part: PageBounds) => rows.selectRequests(hub.db.read, siteId, ids, part)
  const found = new Map<string, ReportRequest>()
  for await (const some of parts(walk, rowsPerPart, select, (row) => [row.job_id, row.position]))
    for (const row of some)
      found.set(row.request_id, {
        language: row.target_language,
        words: row.word_count ?? undefined,
      })
  return found
}

/** The quotes that these jobs keep, a few at a time: one can be large. */
export async function* quotesOf(
  walk: Walk,
  jobs: readonly ReportJob[],
): AsyncGenerator<[ReportJob, Quote | undefined]> {
  for (let from = 0; from < jobs.length; from += quotesPerPart) {
    const some = jobs.slice(from, from + quotesPerPart)
    const ids = some.map(({ job_id }) => job_id)
    const found = await rows.selectQuotes(walk.hub.db.read, walk.siteId, ids)
    const texts = new Map(found.map(({ job_id, quote }) => [job_id, quote]))
    for (const job of some) {
      const text = texts.get(job.job_id)
      yield [job, text === undefined ? undefined : (JSON.parse(text) as Quote)]
      await walk.pause()
    }
  }
}
