/**
 * Finds one request of a job, or several in the given order. An id of another job is
 * REQUEST_NOT_FOUND.
 */
import { HubError, type JobRequest } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { Call } from '../../access/caller.ts'
import { mustReach } from '../job-activity.ts'
import { describeRequest } from './describe-request.ts'
import type { OneRequest } from './request.ts'
import {
  type FoundRequest,
  selectRequest,
  selectRequestLocked,
  selectRequestsById,
} from './request-rows.ts'

export async function findRequest(
  hub: Hub,
  call: Call,
  jobId: string,
  requestId: string,
): Promise<JobRequest> {
  const { siteId } = call.caller
  await mustReach(hub.db.read, siteId, jobId)
  return describeRequest(hub, await mustFindRequest(hub.db.read, siteId, jobId, requestId))
}

export async function mustFindRequest(
  db: Db,
  siteId: string,
  jobId: string,
  requestId: string,
): Promise<OneRequest> {
  return (await selectRequest(db, siteId, jobId, requestId)) ?? missing(requestId)
}

export const findRequestIfAny = selectRequest
export const lockRequestIfAny = selectRequestLocked

/** Leaves out the metadata. */
export async function mustFindRequests(
  db: Db,
  siteId: string,
  jobId: string,
  requestIds: readonly string[],
): Promise<FoundRequest[]> {
  const rows = await selectRequestsById(db, siteId, jobId, requestIds)
  const found = new Map(rows.map((row) => [row.request_id, row]))
  return requestIds.map((id) => found.get(id) ?? missing(id))
}

function missing(requestId: string): never {
  throw new HubError('REQUEST_NOT_FOUND', { requestId })
}
