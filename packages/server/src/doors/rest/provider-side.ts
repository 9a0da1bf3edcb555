/** Handlers of the provider side. */

import {
  changeAssetTask,
  changeAssetTasks,
  findAssetTask,
  findAssetTaskSource,
  listAssetTasks,
} from '../../domain/handover/asset-tasks.ts'
import {
  findSupportAssetSource,
  listProviderSupportAssets,
  listProviderTmUpdates,
} from '../../domain/handover/provider-assets.ts'
import {
  acknowledgeProviderJob,
  changeProviderJob,
  findProviderJob,
  listProviderJobs,
} from '../../domain/handover/provider-jobs.ts'
import {
  createTranslatedFile,
  putTranslatedContent,
} from '../../domain/handover/send-translation.ts'
import { locationOf, transferObject } from '../transfer/addresses.ts'
import type { Handlers } from './bind.ts'
import { providerListenerHandlers } from './listeners.ts'

export const providerSideHandlers = {
  ...providerListenerHandlers,
  listProviderJobs: (hub, call, { params, query }) =>
    listProviderJobs(hub, call, params.providerId, query),
  findProviderJob: (hub, call, { params }) =>
    findProviderJob(hub, call, params.providerId, params.jobId),
  changeProviderJob: (hub, call, { params, body }) => changeProviderJob(hub, call, params, body),
  acknowledgeProviderJob: (hub, call, { params }) =>
    acknowledgeProviderJob(hub, call, params.providerId, params.jobId),
  listAssetTasks: (hub, call, { params, query }) => listAssetTasks(hub, call, params, query),
  findAssetTask: (hub, call, { params }) => findAssetTask(hub, call, params),
  changeAssetTasks: (hub, call, { params, body }) =>
    changeAssetTasks(
      hub,
      call,
      { ...params, assetTaskIds: body.assetTaskIds },
      body.assetTasksUpdate,
    ),
  changeAssetTask: async (hub, call, { params, body }) =>
    (await changeAssetTask(hub, call, params, body)) ?? findAssetTask(hub, call, params),
  findAssetTaskSource: async (hub, call, { params }, web) =>
    locationOf(web.publicUrl, await findAssetTaskSource(hub, call, params)),
  createTranslatedFile: async (hub, call, { params }, web) =>
    transferObject(web.publicUrl, await createTranslatedFile(hub, call, params)),
  putTranslatedContent: (hub, call, { params, body }) =>
    putTranslatedContent(hub, call, params, body.fields),
  listProviderSupportAssets: (hub, call, { params, query }) =>
    listProviderSupportAssets(hub, call, params, query),
  findSupportAssetSource: async (hub, call, { params }, web) =>
    locationOf(web.publicUrl, await findSupportAssetSource(hub, call, params)),
  listProviderTmUpdates: (hub, call, { params, query }) =>
    listProviderTmUpdates(hub, call, params, query),
} satisfies Partial<Handlers>
