/**
 * A job that was deleted or cancelled here also ends at the upstream, where that is possible: a connector can delete a job that
 * nobody works on, and nothing else. Otherwise the task is set aside, and a finding says that the job still runs there.
 */
import type { Hub } from '../../hub.ts'
import type { Task } from '../../store/tasks/hold-tasks.ts'
import { openUpstream } from '../providers/drivers/upstream.ts'
import { findProviderIfAny } from '../providers/providers.ts'
import type { Leaving } from '../sending/sent-on.ts'

export async function leaveUpstream(hub: Hub, task: Task): Promise<'done' | { readonly park: string }> {
  const { siteId, providerId, theirJobId, url, deleted } = task.payload as Leaving
  const provider = await findProviderIfAny(hub.engine.read, siteId, providerId)
  if (!provider) return 'done'
  const { connection } = await openUpstream(hub, provider)
  const params = { jobId: theirJobId }
  const { statusCode } = await connection.findJob({ params }).catch(ignoreMissing)
  if (statusCode === 'GONE' || (!deleted && statusCode === 'CANCELLED')) return 'done'
  const isIdle = statusCode === 'CREATED' || statusCode === 'COMPLETED' || statusCode === 'CANCELLED'
  if (!isIdle) {
    const what = deleted ? 'deleted' : 'cancelled'
    return { park: `The job was ${what} here, but still runs as job ${theirJobId} at ${url}. Ask for its end there.` }
  }
  if (deleted || statusCode === 'CREATED') await connection.deleteJob({ params }).catch(ignoreMissing)
  return 'done'
}

function ignoreMissing(error: unknown): { readonly statusCode: 'GONE' } {
  if (error instanceof Error && 'status' in error && error.status === 404) return { statusCode: 'GONE' }
  throw error
}
