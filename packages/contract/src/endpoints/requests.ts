/** Contract, section 4: the requests of a job. */
import { limits } from '../limits.ts'
import { KnownContents, KnownQuestion } from '../schemas/known-content.ts'
import { FileBytes, path, Redirect } from '../schemas/parts.ts'
import {
  Approval,
  FileContentUpdate,
  JobRequest,
  NewRequests,
  Rejection,
  RequestChange,
  RequestChanges,
  RequestsQuery,
  TranslationContent,
  TranslationsQuery,
} from '../schemas/request.ts'
import { rows } from './row.ts'

const ofJob = {
  tag: 'Requests',
  scope: 'content',
  params: path('jobId'),
  answers: JobRequest,
} as const
const wholeList = { ...ofJob, collection: 'requests', paged: false } as const
const one = { ...ofJob, params: path('jobId', 'requestId') } as const

const contentFails = ['FILE_NOT_FOUND', 'SOURCE_CONTENT_NOT_FOUND', 'INVALID_LANGUAGE'] as const

const supersedeFails = ['REQUEST_NOT_FOUND', 'ALREADY_SUPERSEDED'] as const

export const requestEndpoints = rows({
  listRequests: {
    work: true,
    ...ofJob,
    call: 'GET /jobs/{jobId}/requests',
    says: 'List the requests of a job',
    query: RequestsQuery,
    collection: 'requests',
    fails: ['JOB_NOT_FOUND', 'JOB_ARCHIVED', 'INVALID_LANGUAGE'],
  },
  addRequests: {
    ...wholeList,
    call: 'POST /jobs/{jobId}/requests/add',
    says: 'Add files and inline content to a job; creates one request per target language',
    body: NewRequests,
    bodyBytes: limits.requestsJsonBytes,
    status: 201,
    fails: [
      'JOB_NOT_FOUND',
      'JOB_ALREADY_SUBMITTED',
      'JOB_ARCHIVED',
      'QUOTA_EXCEEDED',
      ...supersedeFails,
      ...contentFails,
    ],
  },
  findKnownContent: {
    tag: 'Requests',
    scope: 'content',
    call: 'POST /content/known',
    says: 'Ask which contents the hub already has, by the hashes of their sources',
    body: KnownQuestion,
    bodyBytes: limits.requestsJsonBytes,
    answers: KnownContents,
    asks: true,
    fails: ['INVALID_LANGUAGE'],
  },
  addFileRequests: {
    ...wholeList,
    call: 'POST /jobs/{jobId}/requests/addfile',
    says: 'Add files to a job',
    body: NewRequests,
    bodyBytes: limits.requestsJsonBytes,
    status: 201,
    fails: [
      'JOB_NOT_FOUND',
      'JOB_ALREADY_SUBMITTED',
      'JOB_ARCHIVED',
      'QUOTA_EXCEEDED',
      ...supersedeFails,
      ...contentFails,
    ],
    deprecated: 'POST /jobs/{jobId}/requests/add',
  },
  changeRequests: {
    ...wholeList,
    call: 'PATCH /jobs/{jobId}/requests',
    says: 'Change several requests; all succeed or none do',
    body: RequestChanges,
    bodyBytes: limits.requestsJsonBytes,
    fails: [
      'JOB_NOT_FOUND',
      'REQUEST_NOT_FOUND',
      'JOB_ALREADY_SUBMITTED',
      'JOB_ARCHIVED',
      'QUOTA_EXCEEDED',
      ...contentFails,
    ],
  },
  updateFileContent: {
    ...wholeList,
    call: 'PUT /jobs/{jobId}/requests/updatefilecontent',
    says: 'Replace the file of several requests',
    body: FileContentUpdate,
    fails: [
      'JOB_NOT_FOUND',
      'REQUEST_NOT_FOUND',
      'JOB_ALREADY_SUBMITTED',
      'JOB_ARCHIVED',
      'FILE_NOT_FOUND',
    ],
    deprecated: 'PATCH /jobs/{jobId}/requests',
  },
  approveRequests: {
    work: true,
    ...wholeList,
    roles: ['reviewer', 'manager', 'admin'],
    call: 'PUT /jobs/{jobId}/requests/approve',
    says: 'Approve translations in review; all succeed or none do',
    body: Approval,
    fails: ['JOB_NOT_FOUND', 'REQUEST_NOT_FOUND', 'REQUEST_NOT_IN_REVIEW', 'JOB_ARCHIVED'],
  },
  rejectRequests: {
    work: true,
    ...wholeList,
    roles: ['reviewer', 'manager', 'admin'],
    call: 'PUT /jobs/{jobId}/requests/reject',
    says: 'Reject translations in review; all succeed or none do',
    body: Rejection,
    fails: ['JOB_NOT_FOUND', 'REQUEST_NOT_FOUND', 'REQUEST_NOT_IN_REVIEW', 'JOB_ARCHIVED'],
  },
  findRequest: {
    work: true,
    ...one,
    call: 'GET /jobs/{jobId}/requests/{requestId}',
    says: 'Read a request',
    fails: ['JOB_NOT_FOUND', 'REQUEST_NOT_FOUND', 'JOB_ARCHIVED'],
  },
  changeRequest: {
    ...one,
    call: 'PATCH /jobs/{jobId}/requests/{requestId}',
    says: 'Change a request that has not been submitted',
    body: RequestChange,
    bodyBytes: limits.requestsJsonBytes,
    fails: [
      'JOB_NOT_FOUND',
      'REQUEST_NOT_FOUND',
      'JOB_ALREADY_SUBMITTED',
      'JOB_ARCHIVED',
      'QUOTA_EXCEEDED',
      ...contentFails,
    ],
  },
  deleteRequest: {
    ...one,
    call: 'DELETE /jobs/{jobId}/requests/{requestId}',
    says: 'Delete a request that has not been submitted',
    fails: ['JOB_NOT_FOUND', 'REQUEST_NOT_FOUND', 'JOB_ALREADY_SUBMITTED', 'JOB_ARCHIVED'],
  },
  retrieveFile: {
    work: true,
    ...one,
    call: 'GET /jobs/{jobId}/requests/{requestId}/retrievefile',
    says: 'Download the translation of a request as a file',
    answers: Redirect,
    redirects: true,
    fails: [
      'JOB_NOT_FOUND',
      'REQUEST_NOT_FOUND',
      'TRANSLATION_NOT_READY',
      'JOB_ARCHIVED',
      'FMS_UNAVAILABLE',
    ],
  },
  downloadTranslations: {
    work: true,
    ...ofJob,
    call: 'GET /jobs/{jobId}/translations',
    says: 'Download the translations of a job that are ready as one ZIP, with a folder for each language',
    query: TranslationsQuery,
    answers: FileBytes,
    gives: ['application/zip'],
    fails: ['JOB_NOT_FOUND', 'JOB_ARCHIVED', 'CONTENT_TOO_LARGE', 'INVALID_LANGUAGE'],
  },
  retrieveContent: {
    work: true,
    ...one,
    call: 'GET /jobs/{jobId}/requests/{requestId}/retrieve',
    says: 'Read the translation of a request as key-value content',
    answers: TranslationContent,
    collection: 'translationContent',
    paged: false,
    fails: [
      'JOB_NOT_FOUND',
      'REQUEST_NOT_FOUND',
      'TRANSLATION_NOT_READY',
      'TRANSLATION_IS_FILE',
      'JOB_ARCHIVED',
      'FMS_UNAVAILABLE',
    ],
  },
})
