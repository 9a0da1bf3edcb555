/**
 * The connector was notified when each asset was added. Once the job is at a provider, the provider
 * is notified too.
 */
import type { Change } from '../../hub.ts'
import type { JobRow } from '../../store/tables.ts'
import { announce } from '../listeners/announce.ts'
import { selectSupportAssetIds } from './provider-job-rows.ts'

export async function announceAssets(change: Change, job: JobRow): Promise<void> {
  const assets = await selectSupportAssetIds(change.tx, job.site_id, job.job_id)
  const event = { kind: 'support-asset', job, only: 'provider' } as const
  await announce(
    change,
    assets.map((supportassetId) => ({ ...event, supportassetId })),
  )
}
