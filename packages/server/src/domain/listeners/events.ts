/**
 * The events listeners receive, whom each one concerns, and the body of the call (contract,
 * sections 7 and 11). Job events go to JOB listeners and request events to REQUEST listeners;
 * provider listeners get both under the provider's names. Pure.
 */
import { randomUUID } from 'node:crypto'
import {
  assetTaskNames,
  formatTime,
  isSentToProvider,
  type JobStatus,
  listenerTypes,
  providerJobNames,
  providerListenerStatuses,
  type RequestStatus,
} from '@dragoman/contract'
import type { JobRow, ListenerRow } from '../../store/tables.ts'

export type JobEvent = {
  readonly kind: 'job'
  readonly job: JobRow
  readonly status: JobStatus
  readonly isError?: boolean
  readonly message?: string
  /** True if the job was archived or deleted. */
  readonly archived: boolean
  readonly deleted: boolean
  readonly sequence?: number
  readonly only?: ListenerRow['side']
  /** Of a job whose plan has changed. */
  readonly dueDate?: string
}
export type RequestsEvent = {
  readonly kind: 'requests'
  readonly job: JobRow
  readonly requestIds: readonly string[]
  /** The status of the requests, or of the job if an error concerns the whole job. */
  readonly status: RequestStatus | JobStatus
  readonly isError: boolean
  readonly message?: string
  readonly rejectNote?: string
  readonly sequence?: number
  readonly only?: ListenerRow['side']
}
/**
 * `only` restricts an event to one side: a provider learns of support assets when the job is sent
 * to it.
 */
export type AssetEvent = { readonly job: JobRow; readonly only?: ListenerRow['side'] } & (
  | { readonly kind: 'support-asset'; readonly supportassetId: string }
  | { readonly kind: 'tm-update'; readonly tmupdateId: string }
)
/** A question, or its answer; `only` keeps those of a team among it. */
export type CommentEvent = {
  readonly kind: 'comment'
  readonly what: 'asked' | 'answered'
  readonly job: JobRow
  readonly commentId: string
  readonly requestId?: string
  readonly segmentId?: string
  readonly only?: ListenerRow['side']
}
export type ListenerEvent = CommentEvent | JobEvent | RequestsEvent | AssetEvent

/** The columns of a listener that decide whether it receives an event. */
export type Recipient = Pick<
  ListenerRow,
  | 'listener_id'
  | 'client_id'
  | 'side'
  | 'type'
  | 'provider_id'
  | 'job_id'
  | 'job_uri'
  | 'job_codes'
  | 'request_uri'
  | 'request_codes'
  | 'on_support_asset'
  | 'on_tm_update'
  | 'on_comment'
>

const codesOf = (given: string | null, all: readonly string[]): readonly string[] =>
  given === null ? all : (JSON.parse(given) as string[])

const all = {
  job: providerListenerStatuses.job as readonly string[],
  requests: providerListenerStatuses.assetTask as readonly string[],
}

/** The status name that a listener sees. Asset events have none. */
function stateFor({ side }: Recipient, event: JobEvent | RequestsEvent): string {
  if (side === 'connector') return event.status
  return event.kind === 'job'
    ? providerJobNames[event.status]
    : assetTaskNames[event.status as RequestStatus]
}

/**
 * The event as this listener sees it. A job event can carry a status update that names no request;
 * REQUEST listeners receive that update.
 */
export function viewFor(listener: Recipient, event: ListenerEvent): ListenerEvent {
  if (
    event.kind !== 'job' ||
    event.sequence === undefined ||
    listener.type !== 'REQUEST_STATUS_UPDATED'
  )
    return event
  const { job, status, isError = false, message, sequence } = event
  return {
    kind: 'requests',
    job,
    requestIds: [],
    status,
    isError,
    sequence,
    ...(message !== undefined && { message }),
  }
}

export function concerns(listener: Recipient, event: ListenerEvent): boolean {
  const { job } = event
  if (listener.job_id !== null && listener.job_id !== job.job_id) return false
  if (event.only && event.only !== listener.side) return false
  if (event.kind === 'support-asset' || event.kind === 'tm-update' || event.kind === 'comment') {
    // A job that was not sent yet does not concern the provider.
    if (listener.side === 'provider' && !isSentToProvider(job.status)) return false
    return listener[wantedBy[event.kind]] === 1
  }
  return listener.side === 'connector'
    ? concernsConnector(listener, event)
    : concernsProvider(listener, event)
}

const wantedBy = {
  'support-asset': 'on_support_asset',
  'tm-update': 'on_tm_update',
  comment: 'on_comment',
} as const

function concernsConnector(listener: Recipient, event: JobEvent | RequestsEvent): boolean {
  if (event.kind === 'job')
    return (
      listener.type === 'JOB_STATUS_UPDATED' &&
      (event.archived ||
        event.deleted ||
        codesOf(listener.job_codes, listenerTypes.JOB_STATUS_UPDATED).includes(event.status))
    )
  return (
    listener.type === 'REQUEST_STATUS_UPDATED' &&
    (event.isError ||
      codesOf(listener.request_codes, listenerTypes.REQUEST_STATUS_UPDATED).includes(event.status))
  )
}

/** A provider does not receive its own errors, nor that a job was archived or deleted. */
function concernsProvider(listener: Recipient, event: JobEvent | RequestsEvent): boolean {
  if (event.isError || (event.kind === 'job' && (event.archived || event.deleted))) return false
  const codes = event.kind === 'job' ? listener.job_codes : listener.request_codes
  return codesOf(codes, all[event.kind]).includes(stateFor(listener, event))
}

export const eventTypeOf = (listener: Recipient, event: ListenerEvent): string => {
  if (event.kind === 'support-asset') return 'SUPPORT_ASSET_CREATE'
  if (event.kind === 'tm-update') return 'TM_UPDATE_CREATE'
  if (event.kind === 'comment')
    return event.what === 'asked' ? 'COMMENT_CREATED' : 'COMMENT_ANSWERED'
  if (event.kind === 'job') return 'JOB_UPDATE'
  return listener.side === 'provider' ? 'ASSET_TASK_UPDATE' : 'REQUEST_UPDATE'
}

/** A provider listener has two addresses, a connector listener one. */
export function uriFor(
  listener: Pick<ListenerRow, 'job_uri' | 'request_uri'>,
  eventType: string,
): string | undefined {
  const { job_uri, request_uri } = listener
  return (eventType === 'ASSET_TASK_UPDATE' ? request_uri : (job_uri ?? request_uri)) ?? undefined
}

export function bodyFor(
  listener: Recipient,
  event: ListenerEvent,
  now: number,
  more: object = {},
): string {
  const { job } = event
  const side =
    listener.side === 'provider' && job.provider_id !== null ? { providerId: job.provider_id } : {}
  const head = {
    eventType: eventTypeOf(listener, event),
    listenerId: listener.listener_id,
    payloadUuid: randomUUID(),
  }
  const body = {
    ...head,
    ...side,
    jobId: job.job_id,
    ...factsOf(listener, event),
    updateTime: formatTime(now),
    ...more,
  }
  return JSON.stringify(body)
}

function factsOf(listener: Recipient, event: ListenerEvent): object {
  if (event.kind === 'support-asset') return { supportassetId: event.supportassetId }
  if (event.kind === 'tm-update') return { tmupdateId: event.tmupdateId }
  if (event.kind === 'comment') {
    const { commentId, requestId, segmentId } = event
    const about = listener.side === 'provider' ? { assetTaskId: requestId } : { requestId }
    return { commentId, ...(requestId !== undefined && about), ...(segmentId && { segmentId }) }
  }
  const statusCode = stateFor(listener, event)
  // Sequences number the connector's updates and mean nothing to a provider.
  const updateFields = {
    ...(event.isError && event.message !== undefined && { message: event.message }),
    ...(event.sequence !== undefined &&
      listener.side === 'connector' && { sequence: event.sequence }),
  }
  if (event.kind === 'job') {
    const { archived, deleted, isError = false } = event
    const { dueDate } = event
    return { statusCode, archived, deleted, isError, ...(dueDate && { dueDate }), ...updateFields }
  }
  const { requestIds, isError, rejectNote } = event
  if (listener.side === 'connector') return { requestIds, statusCode, isError, ...updateFields }
  const note =
    statusCode === 'TRANSLATION_REJECTED' && rejectNote !== undefined ? { rejectNote } : {}
  return { assetTaskIds: requestIds, statusCode, ...note }
}
