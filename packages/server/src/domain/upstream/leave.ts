/**
 * A job that was deleted or cancelled here also ends at the upstream, where that is possible: a
 * connector can delete a job that nobody works on, and nothing else. Otherwise the task is set
 * aside, and a finding says that the job still runs there.
 */
import type { Hub } from '../../hub.ts'
import type { Task } from '../../store/tasks/hold-tasks.ts'
import { openUpstream, type Upstream } from '../engines/drivers/upstream.ts'
import { findProviderIfAny } from '../engines/providers.ts'
import type { Leaving } from '../jobs/sent-on.ts'
import { isMissing } from './refusals.ts'
import { watchJob } from './watch-job.ts'

type Parked = { readonly park: string }

export async function leaveUpstream(hub: Hub, task: Task): Promise<'done' | Parked> {
  const leaving = task.payload as Leaving
  const { siteId, jobId, providerId } = leaving
  const provider = await findProviderIfAny(hub.db.read, siteId, providerId)
  if (!provider) return 'done'
  const upstream = await openUpstream(hub, provider)
  const of = { siteId, jobId, causeId: `task:${task.taskId}`, upstream }
  return watchJob(
    hub,
    of,
    () => leave(upstream, leaving),
    () => true,
  )
}

async function leave(
  { connection }: Upstream,
  { theirJobId, url, deleted }: Leaving,
): Promise<'done' | Parked> {
  const params = { jobId: theirJobId }
  const { statusCode } = await connection.findJob({ params }).catch(ignoreMissing)
  if (statusCode === 'GONE' || (!deleted && statusCode === 'CANCELLED')) return 'done'
  const isIdle =
    statusCode === 'CREATED' || statusCode === 'COMPLETED' || statusCode === 'CANCELLED'
  if (!isIdle) {
    const what = deleted ? 'deleted' : 'cancelled'
    return {
      park: `The job was ${what} here, but still runs as job ${theirJobId} at ${url}. Ask for its end there.`,
    }
  }
  if (deleted || statusCode === 'CREATED')
    await connection.deleteJob({ params }).catch(ignoreMissing)
  return 'done'
}

function ignoreMissing(error: unknown): { readonly statusCode: 'GONE' } {
  if (isMissing(error)) return { statusCode: 'GONE' }
  throw error
}
