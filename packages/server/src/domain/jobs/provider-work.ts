/** How much work each provider of a site has. */
import { jobStatuses, type ProviderWork } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Call } from '../access/caller.ts'
import { selectWork } from './provider-work-rows.ts'

/** Jobs that a provider has: sent, and neither completed nor cancelled. */
const open = jobStatuses.filter((status) => !['CREATED', 'COMPLETED', 'CANCELLED'].includes(status))
const maxJobs = 20_000

export async function countProviderWork(
  hub: Hub,
  { caller: { siteId } }: Call,
): Promise<ProviderWork> {
  const found = await selectWork(hub.db.read, siteId, {
    open,
    now: hub.clock.now(),
    limit: maxJobs,
  })
  const providers = found.map(({ provider_id, jobs, errors, late }) => ({
    providerId: provider_id ?? '',
    openJobs: Number(jobs),
    withErrors: Number(errors),
    late: Number(late),
  }))
  return {
    providers,
    isCapped: providers.reduce((sum, { openJobs }) => sum + openJobs, 0) >= maxJobs,
  }
}
