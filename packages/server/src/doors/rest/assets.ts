/** Handlers of support assets and TM updates. */
import {
  createSupportAsset,
  deleteSupportAsset,
  findSupportAsset,
  listSupportAssets,
} from '../../domain/jobs/assets/support-assets.ts'
import { createTmUpdate, findTmUpdate, listTmUpdates } from '../../domain/jobs/assets/tm-updates.ts'
import type { Handlers } from './bind.ts'

export const assetHandlers = {
  createSupportAsset: async (hub, call, { params, body }) => ({
    ...(await createSupportAsset(hub, call, params.jobId, body)),
    _embedded: { requests: [] },
  }),
  listSupportAssets: (hub, call, { params, query }) =>
    listSupportAssets(hub, call, params.jobId, query),
  findSupportAsset: (hub, call, { params }) =>
    findSupportAsset(hub, call, params.jobId, params.supportassetId),
  deleteSupportAsset: (hub, call, { params }) =>
    deleteSupportAsset(hub, call, params.jobId, params.supportassetId),
  createTmUpdate: (hub, call, { params, body }) => createTmUpdate(hub, call, params.jobId, body),
  listTmUpdates: (hub, call, { params, query }) => listTmUpdates(hub, call, params.jobId, query),
  findTmUpdate: (hub, call, { params }) => findTmUpdate(hub, call, params.jobId, params.tmupdateId),
} satisfies Partial<Handlers>
