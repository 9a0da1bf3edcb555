/**
 * What `dragoman trigger` can cause: every status of a job and of a request, and every event that a
 * listener receives.
 */
import type { JobStatus, RequestStatus } from '@dragoman/contract/wire'
import type { steps } from './trigger-steps.ts'

type StepName = keyof typeof steps
type EventType =
  | 'JOB_UPDATE'
  | 'REQUEST_UPDATE'
  | 'ASSET_TASK_UPDATE'
  | 'SUPPORT_ASSET_CREATE'
  | 'TM_UPDATE_CREATE'
  | 'COMMENT_CREATED'
  | 'COMMENT_ANSWERED'

export type Trigger = {
  readonly name: string
  readonly says: string
  /** The resulting states and event. */
  readonly job?: JobStatus
  readonly request?: RequestStatus
  readonly event?: EventType
  readonly steps: readonly StepName[]
  /** Keeps the job in SENDING. */
  readonly stuck?: true
}

const job = (status: JobStatus, says: string, ...steps: StepName[]): Trigger => ({
  name: `job.${spelled(status)}`,
  says,
  job: status,
  steps,
})
const request = (status: RequestStatus, says: string, ...steps: StepName[]): Trigger => ({
  name: `request.${spelled(status)}`,
  says,
  request: status,
  steps,
})
const event = (type: EventType, says: string, ...steps: StepName[]): Trigger => ({
  name: type,
  says,
  event: type,
  steps,
})
const spelled = (status: string): string => status.toLowerCase().replaceAll('_', '-')

export const triggers: readonly Trigger[] = [
  job('CREATED', 'a draft with two requests'),
  {
    ...job(
      'SENDING',
      'a job that is being sent, held there by a fault for 5 minutes',
      'submitOnly',
    ),
    stuck: true,
  },
  job('SENT_TO_PROVIDER', 'a job that waits for its provider', 'submit'),
  job('IN_TRANSLATION', 'a job whose translation has begun', 'submit', 'start'),
  job(
    'COMPLETED',
    'a job translated, approved and completed',
    'submit',
    'start',
    'deliver',
    'approve',
    'complete',
  ),
  job('CANCELLED', 'a job that the provider cancelled', 'submit', 'cancelJob'),
  {
    name: 'job.archived',
    says: 'a completed job in the archive',
    job: 'COMPLETED',
    steps: ['submit', 'start', 'deliver', 'approve', 'complete', 'archive'],
  },
  {
    name: 'job.failed',
    says: 'a job with an error of the provider',
    job: 'SENT_TO_PROVIDER',
    steps: ['submit', 'failJob'],
  },
  request('CREATED', 'requests of a draft'),
  {
    ...request('SENDING', 'requests that are being sent, held there for 5 minutes', 'submitOnly'),
    stuck: true,
  },
  request('SENT_TO_PROVIDER', 'requests that wait for the provider', 'submit'),
  request('IN_TRANSLATION', 'requests whose translation has begun', 'submit', 'start'),
  request(
    'REVIEW_TRANSLATION',
    'translations to download and review',
    'submit',
    'start',
    'deliver',
  ),
  request('TRANSLATION_APPROVED', 'approved translations', 'submit', 'start', 'deliver', 'approve'),
  request('TRANSLATION_REJECTED', 'rejected translations', 'submit', 'start', 'deliver', 'reject'),
  request('CANCELLED', 'a request that the provider cancelled', 'submit', 'cancelRequest'),
  {
    name: 'request.failed',
    says: 'a request with an error of the provider',
    request: 'SENT_TO_PROVIDER',
    steps: ['submit', 'failRequest'],
  },
  event('JOB_UPDATE', 'a job is sent to its provider and cancelled', 'submit', 'cancelJob'),
  event('REQUEST_UPDATE', 'translations arrive', 'submit', 'start', 'deliver'),
  event(
    'ASSET_TASK_UPDATE',
    'for listeners of the provider: translations are rejected',
    'submit',
    'start',
    'deliver',
    'reject',
  ),
  event('SUPPORT_ASSET_CREATE', 'a support asset is added to a draft', 'addSupportAsset'),
  event('TM_UPDATE_CREATE', 'a TM update is added to a job', 'submit', 'addTmUpdate'),
  event('COMMENT_CREATED', 'the provider asks the connector a question', 'submit', 'ask'),
  event('COMMENT_ANSWERED', 'the connector answers a question', 'submit', 'ask', 'answer'),
]

/** Finds a trigger by name, ignoring case, with `_` or `-`. */
export function findTrigger(given: string): Trigger | undefined {
  const same = (text: string) => text.toLowerCase().replaceAll('_', '-')
  return triggers.find(({ name }) => same(name) === same(given))
}
