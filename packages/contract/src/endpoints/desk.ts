/** Contract, section 13: work on the segments of asset tasks. */
import { limits } from '../limits.ts'
import { PackageDelivery, PackageDeliveryQuery, PackageQuery } from '../schemas/desk/package.ts'
import { ReviewPlan, ReviewPlanQuery } from '../schemas/desk/review-plan.ts'
import {
  Claim,
  Fill,
  Filling,
  FillQuery,
  ReviewedSegment,
  Segment,
  SegmentChange,
  SegmentChanges,
  SegmentCorrection,
  SegmentDelivery,
  SegmentReview,
  SegmentsQuery,
} from '../schemas/desk/segment.ts'
import { GivenShares, HandOver, TeamWork, TeamWorkQuery } from '../schemas/desk/team.ts'
import { FileBytes, path } from '../schemas/parts.ts'
import { AssetTask } from '../schemas/provider-side.ts'
import { JobRequest } from '../schemas/request.ts'
import { rows } from './row.ts'

const desk = { tag: 'Desk', scope: 'provider', work: true } as const
const task = { ...desk, params: path('providerId', 'jobId', 'assetTaskId') } as const
const at = '/providers/{providerId}/jobs/{jobId}/assetTasks/{assetTaskId}'
const taskFails = [
  'PROVIDER_NOT_FOUND',
  'JOB_NOT_FOUND',
  'JOB_ARCHIVED',
  'REQUEST_NOT_FOUND',
] as const
const readFails = [...taskFails, 'NO_SEGMENTS', 'FMS_UNAVAILABLE'] as const
const openFails = ['JOB_NOT_SUBMITTED', 'JOB_COMPLETED'] as const
const writeFails = [...openFails, 'ALREADY_CLAIMED', 'NOT_IN_SHARE'] as const
const managing = ['provider-manager', 'admin'] as const
const putFails = [
  ...readFails,
  ...writeFails,
  'INVALID_TRANSITION',
  'VERSION_CONFLICT',
  'SEGMENT_NOT_FOUND',
] as const
const job = { ...desk, params: path('providerId', 'jobId') } as const
const jobFails = ['PROVIDER_NOT_FOUND', 'JOB_NOT_FOUND', 'JOB_ARCHIVED', 'FMS_UNAVAILABLE'] as const
const packageType = 'application/zip'
const review = {
  tag: 'Desk',
  scope: 'content',
  work: true,
  params: path('jobId', 'requestId'),
} as const

const reviewFails = [
  'JOB_NOT_FOUND',
  'JOB_ARCHIVED',
  'REQUEST_NOT_FOUND',
  'NO_SEGMENTS',
  'REQUEST_NOT_IN_REVIEW',
  'VERSION_CONFLICT',
  'FMS_UNAVAILABLE',
] as const

export const deskEndpoints = rows({
  listSegments: {
    ...task,
    call: `GET ${at}/segments`,
    says: 'List the segments of an asset task, with their targets',
    query: SegmentsQuery,
    answers: Segment,
    collection: 'segments',
    fails: readFails,
  },
  changeSegments: {
    ...task,
    call: `PUT ${at}/segments`,
    says: 'Write the targets of several segments; all are written or none',
    body: SegmentChanges,
    bodyBytes: limits.requestsJsonBytes,
    answers: Segment,
    collection: 'segments',
    paged: false,
    fails: [...putFails, 'QUOTA_EXCEEDED'],
  },
  changeSegment: {
    ...task,
    params: path('providerId', 'jobId', 'assetTaskId', 'segmentId'),
    call: `PUT ${at}/segments/{segmentId}`,
    says: 'Write the target of a segment',
    body: SegmentChange,
    answers: Segment,
    fails: [...putFails, 'QUOTA_EXCEEDED'],
  },
  deliverSegments: {
    ...task,
    call: `POST ${at}/segments/deliver`,
    says: 'Join the segments into the translation and deliver it',
    body: SegmentDelivery,
    bodyOptional: true,
    answers: AssetTask,
    fails: [
      ...readFails,
      ...writeFails,
      'INVALID_TRANSITION',
      'SEGMENTS_OPEN',
      'CHECKS_FAILED',
      'VERSION_CONFLICT',
      'QUOTA_EXCEEDED',
    ],
  },
  fillSegments: {
    ...task,
    call: `POST ${at}/segments/fill`,
    says: 'Fill in the segments without a target, from the memory, repetitions and an engine',
    query: FillQuery,
    body: Fill,
    answers: Filling,
    fails: [...readFails, ...writeFails, 'INVALID_TRANSITION', 'QUOTA_EXCEEDED'],
  },
  shareAssetTask: {
    ...task,
    roles: managing,
    call: `POST ${at}/shares`,
    says: 'Share the segments of an asset task between people',
    body: GivenShares,
    answers: AssetTask,
    fails: [...readFails, ...openFails, 'PERSON_NOT_FOUND'],
  },
  listProviderWork: {
    ...desk,
    params: path('providerId'),
    call: 'GET /providers/{providerId}/work',
    says: 'List the work of a provider, with who has it and how far it is',
    query: TeamWorkQuery,
    answers: TeamWork,
    collection: 'work',
    fails: ['PROVIDER_NOT_FOUND', 'INVALID_LANGUAGE'],
  },
  handOverTasks: {
    ...desk,
    roles: managing,
    params: path('providerId'),
    call: 'POST /providers/{providerId}/claims',
    says: 'Hand over several asset tasks to a person; all of them or none',
    body: HandOver,
    answers: AssetTask,
    collection: 'assetTasks',
    paged: false,
    fails: [...taskFails, ...openFails, 'PERSON_NOT_FOUND'],
  },
  previewTranslation: {
    ...task,
    call: `GET ${at}/preview`,
    says: 'Download the translation as it would be delivered now',
    answers: FileBytes,
    gives: ['application/octet-stream'],
    fails: readFails,
  },
  claimAssetTask: {
    ...task,
    call: `POST ${at}/claim`,
    says: 'Claim an asset task for yourself or for a person',
    body: Claim,
    bodyOptional: true,
    answers: AssetTask,
    fails: [...taskFails, ...writeFails, 'PERSON_NOT_FOUND'],
  },
  releaseAssetTask: {
    ...task,
    call: `POST ${at}/release`,
    says: 'Release a claimed asset task',
    answers: AssetTask,
    fails: [...taskFails, ...writeFails],
  },
  downloadPackage: {
    ...job,
    call: 'GET /providers/{providerId}/jobs/{jobId}/package',
    says: "Download the work of a job as one ZIP for a translator's own tool",
    query: PackageQuery,
    answers: FileBytes,
    gives: [packageType],
    fails: [...jobFails, 'CONTENT_TOO_LARGE', 'INVALID_LANGUAGE'],
  },
  deliverPackage: {
    ...job,
    roles: ['translator', 'provider-manager', 'admin'],
    call: 'POST /providers/{providerId}/jobs/{jobId}/package',
    says: 'Deliver a translated package: all of it or nothing',
    query: PackageDeliveryQuery,
    takes: [packageType, 'application/x-zip-compressed'],
    answers: PackageDelivery,
    fails: [
      ...jobFails,
      ...writeFails,
      'INVALID_TRANSITION',
      'VERSION_CONFLICT',
      'PACKAGE_INVALID',
      'QUOTA_EXCEEDED',
    ],
  },
  listRequestSegments: {
    ...review,
    call: 'GET /jobs/{jobId}/requests/{requestId}/segments',
    says: 'List the segments of a request with their delivered targets',
    query: SegmentsQuery,
    answers: ReviewedSegment,
    collection: 'segments',
    fails: ['JOB_NOT_FOUND', 'JOB_ARCHIVED', 'REQUEST_NOT_FOUND', 'NO_SEGMENTS', 'FMS_UNAVAILABLE'],
  },
  findReviewPlan: {
    ...review,
    params: path('jobId'),
    call: 'GET /jobs/{jobId}/review-plan',
    says: 'Find which segments to review, until a promise about major errors is proved or broken',
    query: ReviewPlanQuery,
    answers: ReviewPlan,
    fails: ['JOB_NOT_FOUND', 'JOB_ARCHIVED', 'NO_SEGMENTS', 'FMS_UNAVAILABLE'],
  },
  reviewSegment: {
    ...review,
    params: path('jobId', 'requestId', 'segmentId'),
    roles: ['reviewer', 'manager', 'admin'],
    call: 'PUT /jobs/{jobId}/requests/{requestId}/segments/{segmentId}/review',
    says: 'Review the translation of a segment',
    body: SegmentReview,
    answers: ReviewedSegment,
    fails: [...reviewFails, 'SEGMENT_NOT_FOUND'],
  },
  correctSegment: {
    ...review,
    params: path('jobId', 'requestId', 'segmentId'),
    roles: ['reviewer', 'manager', 'admin'],
    call: 'PUT /jobs/{jobId}/requests/{requestId}/segments/{segmentId}',
    says: 'Correct the translation of a segment in review',
    body: SegmentCorrection,
    answers: ReviewedSegment,
    fails: [...reviewFails, 'SEGMENT_NOT_FOUND', 'QUOTA_EXCEEDED'],
  },
  deliverCorrections: {
    ...review,
    roles: ['reviewer', 'manager', 'admin'],
    call: 'POST /jobs/{jobId}/requests/{requestId}/segments/deliver',
    says: 'Deliver the corrections of a request; it stays in review',
    body: SegmentDelivery,
    bodyOptional: true,
    answers: JobRequest,
    fails: [
      ...reviewFails,
      'CHECKS_FAILED',
      'QUOTA_EXCEEDED',
      'JOB_NOT_SUBMITTED',
      'JOB_COMPLETED',
    ],
  },
})
