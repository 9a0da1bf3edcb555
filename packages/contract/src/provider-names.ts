/**
 * Providers' names for the states, and the moves they request by naming a state (contract, section
 * 8).
 */
import type { JobMove, JobStatus, RequestMove, RequestStatus } from './lifecycle.ts'

export const providerJobNames = {
  CREATED: 'CREATED',
  SENDING: 'SENDING',
  SENT_TO_PROVIDER: 'SENDING_READY_FOR_RETRIEVE',
  IN_TRANSLATION: 'IN_TRANSLATION',
  COMPLETED: 'COMPLETED',
  CANCELLED: 'CANCELLED',
} as const satisfies Record<JobStatus, string>

export const assetTaskNames = {
  CREATED: 'SENDING',
  SENDING: 'SENDING',
  SENT_TO_PROVIDER: 'SENDING',
  IN_TRANSLATION: 'IN_TRANSLATION',
  REVIEW_TRANSLATION: 'TRANSLATION_SUBMITTED',
  TRANSLATION_APPROVED: 'TRANSLATION_APPROVED',
  TRANSLATION_REJECTED: 'TRANSLATION_REJECTED',
  CANCELLED: 'CANCELLED',
} as const satisfies Record<RequestStatus, string>

export type ProviderJobStatus = (typeof providerJobNames)[JobStatus]
export type AssetTaskStatus = (typeof assetTaskNames)[RequestStatus]

/** Only these, because a provider never sees a job before it is sent. */
export const providerJobStatuses = [
  'SENDING_READY_FOR_RETRIEVE',
  'IN_TRANSLATION',
  'COMPLETED',
  'CANCELLED',
] as const satisfies readonly ProviderJobStatus[]

export const assetTaskStatuses = [
  'SENDING',
  'IN_TRANSLATION',
  'TRANSLATION_SUBMITTED',
  'TRANSLATION_APPROVED',
  'TRANSLATION_REJECTED',
  'CANCELLED',
] as const satisfies readonly AssetTaskStatus[]

/**
 * What a provider may write into `statusCode`; SENT_TO_TRANSLATOR is an old name that deployed
 * providers send.
 */
export const providerJobAsks = {
  IN_TRANSLATION: 'start',
  SENT_TO_TRANSLATOR: 'start',
  CANCELLED: 'cancel',
} as const satisfies Record<string, JobMove>

export const assetTaskAsks = {
  IN_TRANSLATION: 'start',
  TRANSLATION_SUBMITTED: 'deliver',
  CANCELLED: 'cancel',
} as const satisfies Record<string, RequestMove>

/** The job states that a name in a provider's `statusCode` filter stands for. */
export function jobStatusesNamed(name: string): JobStatus[] {
  return (Object.keys(providerJobNames) as JobStatus[]).filter(
    (status) => providerJobNames[status] === name,
  )
}

/** The request states that a name in a provider's `statusCode` filter stands for. */
export function requestStatusesNamed(name: string): RequestStatus[] {
  return (Object.keys(assetTaskNames) as RequestStatus[]).filter(
    (status) => assetTaskNames[status] === name,
  )
}
