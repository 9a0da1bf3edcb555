/**
 * Moves of requests, several at a time, all or none; with move.ts the only writers of a status. Requests that move
 * together make one status update, and the job follows them where the contract says so (section 5).
 */
import {
  findMove,
  HubError,
  isAlready,
  type Move,
  movesFrom,
  type RequestMove,
  type RequestStatus,
  refusalOf,
  requestMoves,
} from '@dragoman/contract'
import type { Change } from '../../hub.ts'
import type { JobRow, RequestRow } from '../../store/tables.ts'
import { activity, touchJob } from '../jobs/job-activity.ts'
import { type Failing, moveJob, noteMove } from '../jobs/move.ts'
import { announce } from '../listeners/announce.ts'
import { recordUpdate } from '../updates/record.ts'
import type { Movable, RequestWithFile } from './request.ts'
import { countOpenRequests, updateRequests } from './request-rows.ts'

/** Requests that background work moves in one transaction, few enough not to hold the one writer of SQLite for long; and those of one update. */
export const movedTogether = 1_000

/** What else a move writes in the row of a request. */
export type RequestAlso = Partial<Omit<RequestRow, keyof Movable | MovesWrite | 'position' | 'cause_id'>> &
  Partial<Pick<RequestRow, 'reject_note'>>
type MovesWrite = 'has_error' | 'error_message' | 'last_try' | 'modified_at'
export type Moving<R extends Movable = RequestWithFile> = { readonly request: R; readonly also?: RequestAlso }
export type Moved<R extends Movable = RequestWithFile> = { readonly job: JobRow; readonly requests: R[] }

/** The requests in the order given, as they are afterwards. The job was read under lock in this transaction. */
export async function moveRequests<R extends Movable>(
  change: Change,
  job: JobRow,
  moving: readonly Moving<R>[],
  on: RequestMove,
  failing?: Failing,
): Promise<Moved<R>> {
  const { hub, tx } = change
  const now = hub.clock.now()
  const error = {
    ...(failing ? { has_error: 1, error_message: failing.errorMessage } : { has_error: 0, error_message: null }),
    last_try: null,
  } as const
  const moved: Step<R>[] = []
  const after = moving.map(({ request, also }) => {
    if (isAlready(requestMoves, request.status, on)) return request
    const move: Move<RequestStatus> | undefined = findMove(requestMoves, request.status, on)
    if (!move) throw refusal(request, on)
    const status = move.to === 'same' ? request.status : move.to
    // Not spread: of several parts that takes microseconds for each request.
    const next = Object.assign({}, request, error, also, { status, modified_at: now })
    moved.push({ next, from: request.status, own: { request_id: request.request_id, status, ...also } })
    return next
  })
  if (moved.length === 0) return { job, requests: after }
  for (const alike of groupBy(moved, ({ own }) => Object.keys(own).join()))
    await updateRequests(
      tx,
      [job.site_id, job.job_id],
      { ...error, modified_at: now },
      alike.map(({ own }) => own),
    )
  for (const alike of groupBy(moved, ({ from, next }) => `${from} ${next.status}`))
    await noteMove(change, job, stepOf(on, alike))
  for (const alike of groupBy(moved, ({ next }) => next.status)) {
    const requests = alike.map(({ next }) => next)
    await tell(change, job, { requests, on, ...(failing && { failing }) })
  }
  return { job: await follow(change, job, on), requests: after }
}

/** What one request does: how it stood, how it stands, and what its row takes of its own. */
type Step<R extends Movable> = {
  readonly next: R
  readonly from: RequestStatus
  readonly own: Pick<RequestRow, 'request_id' | 'status'> & RequestAlso
}

function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return [...groups.values()]
}

/** One row of the history for all that make the same step together. */
const stepOf = (on: RequestMove, steps: readonly Step<Movable>[]) => ({
  on,
  from: steps[0]?.from ?? '',
  to: steps[0]?.next.status ?? '',
  requestIds: steps.map(({ own }) => own.request_id),
})

type Told = { readonly requests: readonly Movable[]; readonly on: RequestMove; readonly failing?: Failing }

async function tell(change: Change, job: JobRow, { requests, on, failing }: Told): Promise<void> {
  const [first] = requests
  if (!first) return
  const requestIds = requests.map((request) => request.request_id)
  const notifies = requestMoves.some((row) => row.on === on && 'notifies' in row)
  const update = { job, requestIds, status: first.status, ...failing }
  const sequence = notifies ? await recordUpdate(change, update) : undefined
  const about = { kind: 'requests', job, status: first.status, isError: failing !== undefined } as const
  const more = {
    ...(failing === undefined ? {} : { message: failing.errorMessage }),
    ...(sequence === undefined ? {} : { sequence }),
  }
  if (on !== 'reject') return announce(change, [{ ...about, ...more, requestIds }])
  const noted = requests.map((request) => ({
    ...about,
    ...more,
    requestIds: [request.request_id],
    ...(request.reject_note === null ? {} : { rejectNote: request.reject_note }),
  }))
  return announce(change, sameNote(requests) ? [{ ...noted[0], ...about, requestIds }] : noted)
}

const sameNote = (requests: readonly Movable[]): boolean =>
  requests.every((request) => request.reject_note === requests[0]?.reject_note)

/** The job after its requests: in translation with the first that starts or comes, cancelled with the last. */
async function follow(change: Change, job: JobRow, on: RequestMove): Promise<JobRow> {
  const { hub, tx } = change
  if ((on === 'start' || on === 'deliver') && job.status === 'SENT_TO_PROVIDER')
    return moveJob(change, job, 'start', activity(hub))
  if (on === 'cancel' && job.status !== 'COMPLETED' && (await countOpenRequests(tx, job.site_id, job.job_id)) === 0)
    return moveJob(change, job, 'cancel', activity(hub))
  return touchJob(change, job)
}

function refusal(request: Movable, on: RequestMove): HubError {
  const { request_id: requestId, status } = request
  if (refusalOf(requestMoves, on) === 'REQUEST_NOT_IN_REVIEW')
    return new HubError('REQUEST_NOT_IN_REVIEW', { requestId, status })
  const from = movesFrom(requestMoves, on).join(', ')
  return new HubError('INVALID_TRANSITION', { thing: 'Request', id: requestId, status, move: on, from })
}
