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
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import { newIds } from '../../store/ids.ts'
import type { JobRow, RequestRow } from '../../store/tables.ts'
import { announce } from '../listeners/announce.ts'
import { recordUpdate } from '../updates/record.ts'
import { activity } from './change-job.ts'
import { updateJob } from './job-rows.ts'
import { type Failing, moveJob } from './move.ts'
import { insertMoves } from './move-rows.ts'
import { countOpenRequests, type RequestWithFile, replaceRequests } from './request-rows.ts'

/** What else a move writes in the row of a request. */
export type RequestAlso = Partial<
  Omit<RequestRow, 'request_id' | 'site_id' | 'job_id' | 'position' | 'status' | 'cause_id'>
>
export type Moving = { readonly request: RequestWithFile; readonly also?: RequestAlso }
export type Moved = { readonly job: JobRow; readonly requests: RequestWithFile[] }

/** The requests in the order given, as they are afterwards. The job was read under lock in this transaction. */
export async function moveRequests(
  hub: Hub,
  tx: Db,
  causeId: string,
  job: JobRow,
  moving: readonly Moving[],
  on: RequestMove,
  failing?: Failing,
): Promise<Moved> {
  const now = hub.clock.now()
  const ids = newIds(moving.length)
  const moved: RequestWithFile[] = []
  const notes: Parameters<typeof insertMoves>[2][number][] = []
  const after = moving.map(({ request, also }, at) => {
    if (isAlready(requestMoves, request.status, on)) return request
    const move: Move<RequestStatus> | undefined = findMove(requestMoves, request.status, on)
    if (!move) throw refusal(request, on)
    const to = move.to === 'same' ? request.status : move.to
    const error = failing
      ? { has_error: 1, error_message: failing.errorMessage }
      : { has_error: 0, error_message: null }
    const next = { ...request, ...error, ...also, status: to, modified_at: now }
    moved.push(next)
    notes.push({
      move_id: ids[at] ?? '',
      site_id: request.site_id,
      job_id: request.job_id,
      request_id: request.request_id,
      move: on,
      from_status: request.status,
      to_status: to,
      moved_at: now,
      cause_id: causeId,
    })
    return next
  })
  if (moved.length === 0) return { job, requests: after }
  await replaceRequests(hub.engine, tx, moved)
  await insertMoves(hub.engine, tx, notes)
  for (const together of byStatus(moved)) await tell(hub, tx, causeId, job, together, on, failing)
  return { job: await follow(hub, tx, causeId, job, on), requests: after }
}

/** Those that stand alike now; only a failure leaves several states. */
function byStatus(requests: readonly RequestWithFile[]): RequestWithFile[][] {
  const groups = new Map<RequestStatus, RequestWithFile[]>()
  for (const request of requests) groups.set(request.status, [...(groups.get(request.status) ?? []), request])
  return [...groups.values()]
}

async function tell(
  hub: Hub,
  tx: Db,
  causeId: string,
  job: JobRow,
  requests: readonly RequestWithFile[],
  on: RequestMove,
  failing?: Failing,
): Promise<void> {
  const [first] = requests
  if (!first) return
  const requestIds = requests.map((request) => request.request_id)
  const tells = requestMoves.some((row) => row.on === on && 'tells' in row)
  const update = { job, requestIds, status: first.status, ...failing }
  const sequence = tells ? await recordUpdate(hub, tx, causeId, update) : undefined
  const about = { kind: 'requests', job, status: first.status, isError: failing !== undefined } as const
  const more = {
    ...(failing === undefined ? {} : { message: failing.errorMessage }),
    ...(sequence === undefined ? {} : { sequence }),
  }
  if (on !== 'reject') return announce(hub, tx, causeId, [{ ...about, ...more, requestIds }])
  const noted = requests.map((request) => ({
    ...about,
    ...more,
    requestIds: [request.request_id],
    ...(request.reject_note === null ? {} : { rejectNote: request.reject_note }),
  }))
  return announce(hub, tx, causeId, sameNote(requests) ? [{ ...noted[0], ...about, requestIds }] : noted)
}

const sameNote = (requests: readonly RequestWithFile[]): boolean =>
  requests.every((request) => request.reject_note === requests[0]?.reject_note)

/** The job after its requests: in translation with the first that starts or comes, cancelled with the last. */
async function follow(hub: Hub, tx: Db, causeId: string, job: JobRow, on: RequestMove): Promise<JobRow> {
  if ((on === 'start' || on === 'deliver') && job.status === 'SENT_TO_PROVIDER')
    return moveJob(hub, tx, causeId, job, 'start', activity(hub))
  if (on === 'cancel' && job.status !== 'COMPLETED' && (await countOpenRequests(tx, job.site_id, job.job_id)) === 0)
    return moveJob(hub, tx, causeId, job, 'cancel', activity(hub))
  return updateJob(tx, job.site_id, job.job_id, activity(hub))
}

function refusal(request: RequestWithFile, on: RequestMove): HubError {
  const { request_id: requestId, status } = request
  if (refusalOf(requestMoves, on) === 'REQUEST_NOT_IN_REVIEW')
    return new HubError('REQUEST_NOT_IN_REVIEW', { requestId, status })
  const from = movesFrom(requestMoves, on).join(', ')
  return new HubError('INVALID_TRANSITION', { thing: 'Request', id: requestId, status, move: on, from })
}
