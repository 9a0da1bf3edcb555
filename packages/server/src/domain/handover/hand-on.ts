/**
 * The people's step of a chain. Each request gets its suggestions; with the last one, the job
 * goes on to the people's provider in the same transaction. People so find every suggestion that
 * there will be, and nobody works on a request while an engine does.
 */
import { awaitsTranslation, requestStatuses } from '@dragoman/contract'
import type { Change } from '../../hub.ts'
import type { JobRow } from '../../store/tables.ts'
import type { Suggested } from '../engines/drivers/driver.ts'
import { driverOf } from '../engines/drivers/drivers.ts'
import { hasUnsuggested, recordSuggestions } from '../engines/machine-work.ts'
import { mustFindProvider } from '../engines/providers.ts'
import { touchJob } from '../jobs/job-activity.ts'
import { queueNewWork } from '../jobs/queue-mail.ts'
import { groupBy, moveBatchSize } from '../jobs/requests/move-requests.ts'
import { readMovable, updateRequests } from '../jobs/requests/requests-of-job.ts'
import { announce } from '../listeners/announce.ts'
import { announceAssets } from './announce-assets.ts'
import { fillLater } from './fill-later.ts'
import { providerOf } from './provider-jobs.ts'

export type RequestSuggestions = { readonly requestId: string; readonly suggested: Suggested }

const waiting = requestStatuses.filter(awaitsTranslation)

/** The caller has locked the job. */
export async function handOn(
  change: Change,
  job: JobRow,
  suggestions: readonly RequestSuggestions[],
): Promise<void> {
  const { hub, tx } = change
  const { site_id: siteId, job_id: jobId } = job
  const chain = await mustFindProvider(tx, siteId, providerOf(job))
  const people = driverOf(chain.type_id)?.people?.(chain)
  if (people === undefined) return
  for (const { requestId, suggested } of suggestions)
    await recordSuggestions(
      hub,
      tx,
      { site_id: siteId, job_id: jobId, request_id: requestId },
      suggested,
    )
  const suggested = suggestions.map(({ requestId }) => ({ request_id: requestId }))
  if (suggested.length > 0) await updateRequests(tx, [siteId, jobId], { last_try: null }, suggested)
  if (await hasUnsuggested(tx, siteId, jobId)) return
  const now = await touchJob(change, job, { provider_id: people, chain_id: chain.provider_id })
  await announceWork(change, now)
  await announceAssets(change, now)
  await fillLater(change, now, await mustFindProvider(tx, siteId, people))
  await queueNewWork(change, now)
}

/** Only to the people's provider: for the connector, the job is at a provider as before. */
async function announceWork(change: Change, job: JobRow): Promise<void> {
  const only = 'provider'
  await announce(change, [
    { kind: 'job', job, status: job.status, archived: false, deleted: false, only },
  ])
  const limit = Number.MAX_SAFE_INTEGER
  const all = await readMovable(change.tx, job.site_id, job.job_id, {
    after: 0,
    statuses: waiting,
    limit,
  })
  for (const alike of groupBy(all, ({ status }) => status))
    for (let from = 0; from < alike.length; from += moveBatchSize) {
      const some = alike.slice(from, from + moveBatchSize)
      const requestIds = some.map(({ request_id }) => request_id)
      const [{ status } = { status: job.status }] = some
      await announce(change, [{ kind: 'requests', job, requestIds, status, isError: false, only }])
    }
}
