/**
 * The asset tasks of a job that a package holds.
 */
import { isSameLanguage, type PackageQuery } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Call } from '../../access/caller.ts'
import type { TaskPath } from '../../handover/asset-tasks.ts'
import { isOpen } from '../../handover/deliver-batch.ts'
import { type PlacedRequest, placed } from '../../jobs/requests/archives/place-requests.ts'
import { readRange } from '../../jobs/requests/requests-of-job.ts'
import { requestsSeen } from '../../jobs/work.ts'

export type PackageTask = PlacedRequest

/** Those that the caller sees and that may still be delivered. */
export async function packageTasks(
  hub: Hub,
  call: Call,
  { jobId }: Pick<TaskPath, 'jobId'>,
): Promise<PackageTask[]> {
  const { siteId } = call.caller
  const requests = await readRange(hub.db.read, siteId, jobId, {
    after: 0,
    limit: Number.MAX_SAFE_INTEGER,
  })
  const seen = await requestsSeen(hub, call.caller, jobId)
  return placed(requests).filter(
    ({ request }) => isOpen(request) && (!seen || seen.has(request.request_id)),
  )
}

export function into(
  target: PackageQuery['target'],
  tasks: readonly PackageTask[],
): readonly PackageTask[] {
  if (target === undefined) return tasks
  return tasks.filter(({ request }) => isSameLanguage(request.target_language, target))
}
