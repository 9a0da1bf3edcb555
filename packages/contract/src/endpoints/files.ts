/** Contract, section 4: source files, source content, support assets and TM updates of a job. */
import { FileQuery, FmsTransferObject, NewSourceContent, SourceContent } from '../schemas/file.ts'
import { PageQuery, path, Redirect } from '../schemas/parts.ts'
import { AddedSupportAsset, NewSupportAsset, SupportAsset } from '../schemas/support-asset.ts'
import { NewTmUpdate, TmUpdate } from '../schemas/tm-update.ts'
import { rows } from './row.ts'

const files = { tag: 'FileTransfer', scope: 'content' } as const
const memory = { tag: 'TranslationMemory', scope: 'content' } as const
const assets = { tag: 'SupportAssets', scope: 'content' } as const
const contentPath = path('jobId', 'sourcecontentId')
const assetPath = path('jobId', 'supportassetId')

export const fileEndpoints = rows({
  createSourceFile: {
    ...files,
    call: 'POST /jobs/{jobId}/sourcefiles',
    says: 'Request a transfer object for uploading a file',
    params: path('jobId'),
    query: FileQuery,
    answers: FmsTransferObject,
    status: 201,
    fails: ['JOB_NOT_FOUND', 'JOB_ARCHIVED', 'QUOTA_EXCEEDED', 'FMS_UNAVAILABLE'],
  },
  findSourceFile: {
    work: true,
    ...files,
    call: 'GET /jobs/{jobId}/sourcefiles/{fmsFileId}',
    says: 'Download a source file',
    params: path('jobId', 'fmsFileId'),
    answers: Redirect,
    redirects: true,
    fails: ['JOB_NOT_FOUND', 'FILE_NOT_FOUND', 'FILE_NOT_UPLOADED', 'JOB_ARCHIVED', 'FMS_UNAVAILABLE'],
  },
  retrieveSourceFile: {
    work: true,
    ...files,
    call: 'GET /jobs/{jobId}/sourcefiles/{fileId}/retrieve',
    says: 'Download a source file',
    params: path('jobId', 'fileId'),
    answers: Redirect,
    redirects: true,
    fails: ['JOB_NOT_FOUND', 'FILE_NOT_FOUND', 'FILE_NOT_UPLOADED', 'JOB_ARCHIVED', 'FMS_UNAVAILABLE'],
    deprecated: 'GET /jobs/{jobId}/sourcefiles/{fmsFileId}',
  },
  createSourceContent: {
    ...files,
    call: 'POST /jobs/{jobId}/sourcecontent',
    says: 'Store key-value content that requests can refer to',
    params: path('jobId'),
    body: NewSourceContent,
    answers: SourceContent,
    status: 201,
    fails: ['JOB_NOT_FOUND', 'JOB_ALREADY_SUBMITTED', 'JOB_ARCHIVED', 'QUOTA_EXCEEDED'],
  },
  findSourceContent: {
    work: true,
    ...files,
    call: 'GET /jobs/{jobId}/sourcecontent/{sourcecontentId}',
    says: 'Read source content',
    params: contentPath,
    answers: SourceContent,
    fails: ['JOB_NOT_FOUND', 'SOURCE_CONTENT_NOT_FOUND', 'JOB_ARCHIVED'],
  },
  replaceSourceContent: {
    ...files,
    call: 'PUT /jobs/{jobId}/sourcecontent/{sourcecontentId}',
    says: 'Replace source content',
    params: contentPath,
    body: NewSourceContent,
    answers: SourceContent,
    fails: ['JOB_NOT_FOUND', 'SOURCE_CONTENT_NOT_FOUND', 'JOB_ALREADY_SUBMITTED', 'JOB_ARCHIVED', 'QUOTA_EXCEEDED'],
  },
  createSupportAsset: {
    ...assets,
    call: 'POST /jobs/{jobId}/supportassets',
    says: 'Add a support asset to a job',
    params: path('jobId'),
    body: NewSupportAsset,
    answers: AddedSupportAsset,
    status: 201,
    fails: [
      'JOB_NOT_FOUND',
      'FILE_NOT_FOUND',
      'JOB_ALREADY_SUBMITTED',
      'JOB_ARCHIVED',
      'QUOTA_EXCEEDED',
      'INVALID_LANGUAGE',
    ],
  },
  listSupportAssets: {
    work: true,
    ...assets,
    call: 'GET /jobs/{jobId}/supportassets',
    says: 'List the support assets of a job',
    params: path('jobId'),
    query: PageQuery,
    answers: SupportAsset,
    collection: 'supportassets',
    fails: ['JOB_NOT_FOUND', 'JOB_ARCHIVED'],
  },
  findSupportAsset: {
    work: true,
    ...assets,
    call: 'GET /jobs/{jobId}/supportassets/{supportassetId}',
    says: 'Read a support asset',
    params: assetPath,
    answers: SupportAsset,
    fails: ['JOB_NOT_FOUND', 'SUPPORT_ASSET_NOT_FOUND', 'JOB_ARCHIVED'],
  },
  deleteSupportAsset: {
    ...assets,
    call: 'DELETE /jobs/{jobId}/supportassets/{supportassetId}',
    says: 'Delete a support asset of a job that has not been submitted',
    params: assetPath,
    answers: SupportAsset,
    fails: ['JOB_NOT_FOUND', 'SUPPORT_ASSET_NOT_FOUND', 'JOB_ALREADY_SUBMITTED', 'JOB_ARCHIVED'],
  },
  createTmUpdate: {
    ...memory,
    call: 'POST /jobs/{jobId}/tmupdates',
    says: 'Add a file to the translation memory',
    params: path('jobId'),
    body: NewTmUpdate,
    answers: TmUpdate,
    status: 201,
    fails: ['JOB_NOT_FOUND', 'FILE_NOT_FOUND', 'JOB_ARCHIVED', 'INVALID_LANGUAGE', 'QUOTA_EXCEEDED'],
  },
  listTmUpdates: {
    ...memory,
    call: 'GET /jobs/{jobId}/tmupdates',
    says: 'List the TM updates of a job',
    params: path('jobId'),
    query: PageQuery,
    answers: TmUpdate,
    collection: 'tmupdates',
    fails: ['JOB_NOT_FOUND', 'JOB_ARCHIVED'],
  },
  findTmUpdate: {
    ...memory,
    call: 'GET /jobs/{jobId}/tmupdates/{tmupdateId}',
    says: 'Read a TM update',
    params: path('jobId', 'tmupdateId'),
    answers: TmUpdate,
    fails: ['JOB_NOT_FOUND', 'TM_UPDATE_NOT_FOUND', 'JOB_ARCHIVED'],
  },
})
