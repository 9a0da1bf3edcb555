/** Support assets and TM updates of a job, as its provider reads them (contract, section 8). */
import type { SupportAsset, TmUpdate } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Page } from '../../store/page.ts'
import type { Call } from '../access/caller.ts'
import { type LinkTo, linkTo, mustBeStored } from '../files/serve.ts'
import { findSupportAsset, listSupportAssets } from '../jobs/assets/support-assets.ts'
import { listTmUpdates } from '../jobs/assets/tm-updates.ts'
import type { Paging } from '../jobs/lists/position-pages.ts'
import { reachProviderJob } from './provider-jobs.ts'

type ProviderJobPath = { readonly providerId: string; readonly jobId: string }

export async function listProviderSupportAssets(
  hub: Hub,
  call: Call,
  at: ProviderJobPath,
  asked: Paging,
): Promise<Page<SupportAsset>> {
  await reachProviderJob(hub, call, at.providerId, at.jobId)
  return listSupportAssets(hub, call, at.jobId, asked)
}

export async function findSupportAssetSource(
  hub: Hub,
  call: Call,
  at: ProviderJobPath & { readonly supportAssetId: string },
): Promise<LinkTo> {
  await reachProviderJob(hub, call, at.providerId, at.jobId)
  const { fileId } = await findSupportAsset(hub, call, at.jobId, at.supportAssetId)
  return linkTo(hub, call.caller, await mustBeStored(hub, call.caller.siteId, at.jobId, fileId))
}

export async function listProviderTmUpdates(
  hub: Hub,
  call: Call,
  at: ProviderJobPath,
  asked: Paging,
): Promise<Page<TmUpdate>> {
  await reachProviderJob(hub, call, at.providerId, at.jobId)
  return listTmUpdates(hub, call, at.jobId, asked)
}
