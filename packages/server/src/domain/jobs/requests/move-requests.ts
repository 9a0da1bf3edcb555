/**
 * Moves requests, several at a time, all or none; with move.ts the only place that writes a status.
 * Requests that move together create one status update, and the job follows where the contract says
 * so (section 5).
 */
import {
  findMove,
  HubError,
  isAlready,
  jobMoves,
  type Move,
  movesFrom,
  type RequestMove,
  type RequestStatus,
  refusalOf,
  requestMoves,
} from '@dragoman/contract'
import type { Change } from '../../../hub.ts'
import type { JobRow, RequestRow } from '../../../store/tables.ts'
import { openNote, sealNote } from '../../files/seals/notes.ts'
import { announce } from '../../listeners/announce.ts'
import { recordUpdate } from '../../listeners/updates/record.ts'
import { activity, touchJob } from '../job-activity.ts'
import { moveJob, noteMove } from '../move.ts'
import { followSoon } from '../sent-on.ts'
import type { Movable, RequestWithFile } from './request.ts'
import { countOpenRequests, updateRequests } from './request-rows.ts'

/**
 * Requests per transaction and per update in background work; small enough not to block SQLite's
 * single writer for long.
 */
export const moveBatchSize = 1_000

/** Columns that a move writes beside the status. */
export type RequestAlso = Partial<
  Omit<RequestRow, keyof Movable | MovesWrite | 'position' | 'cause_id'>
> &
  Partial<Pick<RequestRow, 'reject_note'>>
type MovesWrite = 'has_error' | 'error_message' | 'last_try' | 'modified_at'
export type Moving<R extends Movable = RequestWithFile> = {
  readonly request: R
  readonly also?: RequestAlso
}
export type Moved<R extends Movable = RequestWithFile> = {
  readonly job: JobRow
  readonly requests: R[]
}

/** A move, with an error message if it is a failure. */
type WantedMove = {
  readonly on: RequestMove
  readonly errorMessage?: string | undefined
  /** The newer requests that take their places, by their ids. Each has an update of its own. */
  readonly supersededBy?: ReadonlyMap<string, string> | undefined
}

/**
 * Returns the moved requests in the given order. The caller has locked the job in this transaction.
 */
export async function moveRequests<R extends Movable>(
  change: Change,
  job: JobRow,
  moving: readonly Moving<R>[],
  { on, errorMessage, supersededBy }: WantedMove,
): Promise<Moved<R>> {
  const { hub, tx } = change
  const now = hub.clock.now()
  const error = {
    has_error: errorMessage === undefined ? 0 : 1,
    error_message: sealNote(hub, errorMessage ?? null),
    last_try: null,
  } as const
  const moved: Step<R>[] = []
  const after = moving.map(({ request, also }) => {
    if (isAlready(requestMoves, request.status, on)) return request
    const move: Move<RequestStatus> | undefined = findMove(requestMoves, request.status, on)
    if (!move) throw refusal(request, on)
    const status = move.to === 'same' ? request.status : move.to
    // Object.assign instead of spread: spreading several parts costs microseconds per request.
    const next = Object.assign({}, request, error, also, { status, modified_at: now })
    moved.push({
      next,
      from: request.status,
      own: { request_id: request.request_id, status, ...also },
    })
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
    const each = supersededBy ? requests.map((one) => [one]) : [requests]
    for (const some of each)
      await notify(change, job, { requests: some, on, errorMessage, supersededBy })
  }
  if (on === 'approve' || on === 'reject') await followSoon(change, job)
  return { job: await follow(change, job, on), requests: after }
}

/** The move of one request: its new row, its old status, and the columns particular to it. */
type Step<R extends Movable> = {
  readonly next: R
  readonly from: RequestStatus
  readonly own: Pick<RequestRow, 'request_id' | 'status'> & RequestAlso
}

export function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): T[][] {
  const groups = new Map<string, T[]>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return [...groups.values()]
}

/** One history row for all requests with the same old and new status. */
function stepOf(on: RequestMove, steps: readonly Step<Movable>[]) {
  const [first] = steps
  if (!first) throw new Error(`The move ${on} has no requests.`)
  return {
    on,
    from: first.from,
    to: first.next.status,
    requestIds: steps.map(({ own }) => own.request_id),
  }
}

type Notice = WantedMove & { readonly requests: readonly Movable[] }

async function notify(
  change: Change,
  job: JobRow,
  { requests, on, errorMessage, supersededBy }: Notice,
): Promise<void> {
  const [first] = requests
  if (!first) return
  const requestIds = requests.map((request) => request.request_id)
  const notifies = requestMoves.some((row) => row.on === on && 'notifies' in row)
  const update = {
    job,
    requestIds,
    status: first.status,
    ...(errorMessage !== undefined && { errorMessage }),
    supersededBy: supersededBy?.get(first.request_id),
  }
  const sequence = notifies ? await recordUpdate(change, update) : undefined
  const about = {
    kind: 'requests',
    job,
    status: first.status,
    isError: errorMessage !== undefined,
  } as const
  const more = {
    ...(errorMessage === undefined ? {} : { message: errorMessage }),
    ...(sequence === undefined ? {} : { sequence }),
  }
  if (on !== 'reject') return announce(change, [{ ...about, ...more, requestIds }])
  const noted = requests.map((request) => {
    const note = openNote(change.hub, request.reject_note)
    return {
      ...about,
      ...more,
      requestIds: [request.request_id],
      ...(note !== null && { rejectNote: note }),
    }
  })
  return announce(change, sameNote(requests) ? [{ ...noted[0], ...about, requestIds }] : noted)
}

const sameNote = (requests: readonly Movable[]): boolean =>
  requests.every((request) => request.reject_note === requests[0]?.reject_note)

/**
 * The job follows its requests: IN_TRANSLATION when the first one starts or is delivered, CANCELLED
 * when the last one is.
 */
async function follow(change: Change, job: JobRow, on: RequestMove): Promise<JobRow> {
  const { hub, tx } = change
  if ((on === 'start' || on === 'deliver') && findMove(jobMoves, job.status, 'start'))
    return moveJob(change, job, 'start', activity(hub))
  if (
    on === 'cancel' &&
    findMove(jobMoves, job.status, 'cancel') &&
    (await countOpenRequests(tx, job.site_id, job.job_id)) === 0
  )
    return moveJob(change, job, 'cancel', activity(hub))
  return touchJob(change, job)
}

function refusal(request: Movable, on: RequestMove): HubError {
  const { request_id: requestId, status } = request
  if (refusalOf(requestMoves, on) === 'REQUEST_NOT_IN_REVIEW')
    return new HubError('REQUEST_NOT_IN_REVIEW', { requestId, status })
  const from = movesFrom(requestMoves, on).join(', ')
  return new HubError('INVALID_TRANSITION', {
    thing: 'Request',
    id: requestId,
    status,
    move: on,
    from,
  })
}
