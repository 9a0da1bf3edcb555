/**
 * Contract, section 8: the provider API. A provider client sees only the jobs sent to its
 * providers.
 */
import { limits } from '../limits.ts'
import { FmsTransferObject, NewSourceContent } from '../schemas/file.ts'
import { DeliveriesQuery, Delivery, Replay, Replayed } from '../schemas/listener.ts'
import { PageQuery, path, Redirect } from '../schemas/parts.ts'
import {
  AssetTask,
  AssetTaskChange,
  AssetTaskChanges,
  AssetTasksQuery,
  GivenProviderListener,
  ProviderJob,
  ProviderJobChange,
  ProviderJobsQuery,
  ProviderListener,
} from '../schemas/provider-side.ts'
import { SupportAsset } from '../schemas/support-asset.ts'
import { TmUpdate } from '../schemas/tm-update.ts'
import { rows } from './row.ts'

const side = { tag: 'ProviderSide', scope: 'provider' } as const
const job = { ...side, params: path('providerId', 'jobId') } as const
const task = { ...side, params: path('providerId', 'jobId', 'assetTaskId') } as const
const listeners = { ...side, roles: ['developer', 'provider-manager', 'admin'] } as const
const listener = { ...listeners, params: path('listenerId'), answers: ProviderListener } as const
const jobFails = ['PROVIDER_NOT_FOUND', 'JOB_NOT_FOUND', 'JOB_ARCHIVED'] as const
const taskFails = [...jobFails, 'REQUEST_NOT_FOUND'] as const
const heldFails = ['ALREADY_CLAIMED', 'NOT_IN_SHARE'] as const
const moveFails = [
  ...heldFails,
  'INVALID_TRANSITION',
  'JOB_NOT_SUBMITTED',
  'JOB_COMPLETED',
  'TRANSLATION_NOT_READY',
  'DELIVERY_INVALID',
] as const

export const providerSideEndpoints = rows({
  listProviderJobs: {
    work: true,
    ...side,
    call: 'GET /providers/{providerId}/jobs',
    says: 'List the jobs submitted to the provider',
    params: path('providerId'),
    query: ProviderJobsQuery,
    answers: ProviderJob,
    collection: 'jobs',
    fails: ['PROVIDER_NOT_FOUND', 'INVALID_FILTER'],
  },
  findProviderJob: {
    work: true,
    ...job,
    call: 'GET /providers/{providerId}/jobs/{jobId}',
    says: 'Read a job submitted to the provider',
    answers: ProviderJob,
    fails: ['PROVIDER_NOT_FOUND', 'JOB_NOT_FOUND'],
  },
  changeProviderJob: {
    work: true,
    ...job,
    call: 'PATCH /providers/{providerId}/jobs/{jobId}',
    says: 'Start, cancel or name a job, or report an error',
    body: ProviderJobChange,
    answers: ProviderJob,
    fails: [...jobFails, 'INVALID_TRANSITION', 'JOB_NOT_SUBMITTED', 'JOB_COMPLETED'],
  },
  acknowledgeProviderJob: {
    work: true,
    ...job,
    call: 'PUT /providers/{providerId}/jobs/{jobId}/acknowledge',
    says: 'Confirm receipt of a job',
    answers: ProviderJob,
    fails: jobFails,
  },
  listAssetTasks: {
    work: true,
    ...job,
    call: 'GET /providers/{providerId}/jobs/{jobId}/assetTasks',
    says: 'List the asset tasks of a job',
    query: AssetTasksQuery,
    answers: AssetTask,
    collection: 'assetTasks',
    fails: jobFails,
  },
  changeAssetTasks: {
    work: true,
    ...job,
    call: 'PATCH /providers/{providerId}/jobs/{jobId}/assetTasks',
    says: 'Change several asset tasks; all succeed or none do',
    body: AssetTaskChanges,
    answers: AssetTask,
    collection: 'assetTasks',
    paged: false,
    fails: [...taskFails, ...moveFails, 'QUOTA_EXCEEDED'],
  },
  findAssetTask: {
    work: true,
    ...task,
    call: 'GET /providers/{providerId}/jobs/{jobId}/assetTasks/{assetTaskId}',
    says: 'Read an asset task',
    answers: AssetTask,
    fails: taskFails,
  },
  changeAssetTask: {
    work: true,
    ...task,
    call: 'PATCH /providers/{providerId}/jobs/{jobId}/assetTasks/{assetTaskId}',
    says: 'Start, deliver or cancel an asset task, or report an error',
    body: AssetTaskChange,
    answers: AssetTask,
    fails: [...taskFails, ...moveFails, 'QUOTA_EXCEEDED'],
  },
  findAssetTaskSource: {
    work: true,
    ...task,
    call: 'GET /providers/{providerId}/jobs/{jobId}/assetTasks/{assetTaskId}/sourceFile',
    says: 'Download the source of an asset task',
    answers: Redirect,
    redirects: true,
    fails: [...taskFails, 'FMS_UNAVAILABLE'],
  },
  createTranslatedFile: {
    work: true,
    ...task,
    call: 'POST /providers/{providerId}/jobs/{jobId}/assetTasks/{assetTaskId}/translatedFile',
    says: 'Request a transfer object for uploading the translated file',
    answers: FmsTransferObject,
    status: 201,
    fails: [
      ...taskFails,
      'JOB_NOT_SUBMITTED',
      'JOB_COMPLETED',
      ...heldFails,
      'QUOTA_EXCEEDED',
      'FMS_UNAVAILABLE',
    ],
  },
  putTranslatedContent: {
    work: true,
    ...task,
    call: 'PUT /providers/{providerId}/jobs/{jobId}/assetTasks/{assetTaskId}/translatedContent',
    says: 'Send the translated key-value content',
    body: NewSourceContent,
    bodyBytes: limits.requestsJsonBytes,
    answers: AssetTask,
    fails: [...taskFails, 'JOB_NOT_SUBMITTED', 'JOB_COMPLETED', ...heldFails],
  },
  listProviderSupportAssets: {
    work: true,
    ...job,
    call: 'GET /providers/{providerId}/jobs/{jobId}/supportAssets',
    says: 'List the support assets of a job',
    query: PageQuery,
    answers: SupportAsset,
    collection: 'supportAssets',
    fails: jobFails,
  },
  findSupportAssetSource: {
    work: true,
    ...side,
    call: 'GET /providers/{providerId}/jobs/{jobId}/supportAssets/{supportAssetId}/sourceFile',
    says: 'Download a support asset',
    params: path('providerId', 'jobId', 'supportAssetId'),
    answers: Redirect,
    redirects: true,
    fails: [...jobFails, 'SUPPORT_ASSET_NOT_FOUND', 'FMS_UNAVAILABLE'],
  },
  listProviderTmUpdates: {
    work: true,
    ...job,
    call: 'GET /providers/{providerId}/jobs/{jobId}/tmupdates',
    says: 'List the TM updates of a job',
    query: PageQuery,
    answers: TmUpdate,
    collection: 'tmupdates',
    fails: jobFails,
  },
  listProviderListeners: {
    ...listeners,
    call: 'GET /listeners',
    says: 'List the listeners of the provider client',
    query: PageQuery,
    answers: ProviderListener,
    collection: 'listeners',
    fails: [],
  },
  createProviderListener: {
    ...listeners,
    call: 'POST /listeners',
    says: 'Register a listener for jobs and asset tasks',
    body: GivenProviderListener,
    answers: ProviderListener,
    status: 201,
    fails: ['QUOTA_EXCEEDED', 'LISTENER_URI_FORBIDDEN', 'PROVIDER_NOT_FOUND'],
  },
  findProviderListener: {
    ...listener,
    call: 'GET /listeners/{listenerId}',
    says: 'Read a listener',
    fails: ['LISTENER_NOT_FOUND'],
  },
  changeProviderListener: {
    ...listener,
    call: 'PATCH /listeners/{listenerId}',
    says: 'Change, disable or enable a listener, or replace its secret',
    body: GivenProviderListener,
    fails: ['LISTENER_NOT_FOUND', 'LISTENER_URI_FORBIDDEN', 'PROVIDER_NOT_FOUND', 'QUOTA_EXCEEDED'],
  },
  deleteProviderListener: {
    ...listener,
    call: 'DELETE /listeners/{listenerId}',
    says: 'Delete a listener',
    fails: ['LISTENER_NOT_FOUND'],
  },
  listProviderDeliveries: {
    ...listener,
    call: 'GET /listeners/{listenerId}/deliveries',
    says: 'List the deliveries of a listener, with every attempt',
    query: DeliveriesQuery,
    answers: Delivery,
    collection: 'deliveries',
    fails: ['LISTENER_NOT_FOUND'],
  },
  replayProviderDeliveries: {
    ...listener,
    call: 'POST /listeners/{listenerId}/replay',
    says: 'Repeat deliveries',
    body: Replay,
    answers: Replayed,
    status: 202,
    fails: ['LISTENER_NOT_FOUND', 'DELIVERY_NOT_FOUND'],
  },
  testProviderListener: {
    ...listener,
    call: 'POST /listeners/{listenerId}/test',
    says: 'Send a sample to a listener',
    answers: Delivery,
    status: 202,
    fails: ['LISTENER_NOT_FOUND', 'INVALID_REQUEST'],
  },
})
