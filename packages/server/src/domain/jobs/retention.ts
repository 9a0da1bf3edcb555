/**
 * Retention (DRAGOMAN_RETENTION_MONTHS): a job is removed with its files so many months after it
 * was archived. Each job in its own transaction; its listeners are notified, as for any removed
 * job.
 */
import { addDuration } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { newTraceId } from '../../store/ids.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { selectArchivedUntil, selectJobLocked } from './job-rows.ts'
import { removeLockedJob } from './remove-job.ts'

const batchSize = 50

export type ExpiringJob = {
  readonly siteId: string
  readonly jobId: string
  readonly removedAt: number
}

const later = (time: number, months: number): number =>
  addDuration(time, { count: months, unit: 'mo' })

/**
 * Jobs that the sweep will remove within that time, soonest first; none without a configured
 * retention.
 */
export async function listExpiringJobs(
  hub: Hub,
  siteId: string | undefined,
  { within, limit }: { readonly within: number; readonly limit: number },
): Promise<ExpiringJob[]> {
  const { retentionMonths: months } = hub.config
  if (months === undefined) return []
  const until = later(hub.clock.now() + within, -months)
  const jobs = await selectArchivedUntil(hub.db.read, siteId, until, limit)
  return jobs.map(({ site_id, job_id, archived_at }) => ({
    siteId: site_id,
    jobId: job_id,
    removedAt: later(archived_at ?? 0, months),
  }))
}

/** Part of the sweep: removes jobs that were archived long enough ago. */
export async function removeExpiredJobs(hub: Hub): Promise<void> {
  const { retentionMonths: months } = hub.config
  if (months === undefined) return
  const causeId = `schedule:${newTraceId()}`
  const until = later(hub.clock.now(), -months)
  const removed = new Map<string, number>()
  for (;;) {
    const jobs = await selectArchivedUntil(hub.db.read, undefined, until, batchSize)
    if (jobs.length === 0) break
    for (const { site_id: siteId, job_id: jobId } of jobs) {
      await hub.db.transact(async (tx) => {
        const job = await selectJobLocked(tx, siteId, jobId)
        // It may have been unarchived since it was listed.
        if (job && job.archived_at !== null && job.archived_at <= until)
          await removeLockedJob({ hub, tx, causeId }, job)
      })
      removed.set(siteId, (removed.get(siteId) ?? 0) + 1)
    }
  }
  if (removed.size === 0) return
  const acts = [...removed.keys()].map(
    (siteId) => ({ thing: 'site', verb: 'archived jobs removed', id: siteId, siteId }) as const,
  )
  await hub.db.transact((tx) => recordActs(hub, tx, { actor: 'hub', traceId: causeId }, acts))
  hub.log.info(
    { removed: Object.fromEntries(removed) },
    'archived jobs past their retention were removed',
  )
}
