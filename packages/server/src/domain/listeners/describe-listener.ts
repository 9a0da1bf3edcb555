/** Listeners and deliveries as the API shows them. The secret is never included. */
import {
  type Delivery,
  formatTime,
  type Listener,
  type ListenerType,
  listenerTypes,
  type ProviderListener,
  providerListenerStatuses,
} from '@dragoman/contract'
import type { ListenerRow } from '../../store/tables.ts'
import type { NewDelivery, ShownAttempt } from './delivery-rows.ts'

const codes = <T>(given: string | null, all: readonly T[]): T[] =>
  given === null ? [...all] : JSON.parse(given)

const shared = (row: ListenerRow) => ({
  onSupportAssetCreate: row.on_support_asset === 1,
  onTmUpdateCreate: row.on_tm_update === 1,
  onComment: row.on_comment === 1,
  authType: row.auth_name ?? row.auth_type,
  disabled: row.disabled === 1,
  ...(row.disabled_reason === null ? {} : { disabledReason: row.disabled_reason }),
})

export function describeListener(row: ListenerRow): Listener {
  const type = row.type as ListenerType
  const isJob = type === 'JOB_STATUS_UPDATED'
  return {
    listenerId: row.listener_id,
    uri: (isJob ? row.job_uri : row.request_uri) ?? '',
    type,
    statusCodes: codes(isJob ? row.job_codes : row.request_codes, listenerTypes[type]),
    ...(isJob ? {} : { acknowledgeStatusUpdate: row.acknowledges === 1 }),
    ...(row.job_id === null ? {} : { jobId: row.job_id }),
    ...shared(row),
  }
}

export function describeProviderListener(row: ListenerRow): ProviderListener {
  return {
    listenerId: row.listener_id,
    ...(row.provider_id === null ? {} : { providerId: row.provider_id }),
    ...(row.job_uri === null ? {} : { jobUri: row.job_uri }),
    jobStatusCodes: codes(row.job_codes, providerListenerStatuses.job),
    ...(row.request_uri === null ? {} : { assetTaskUri: row.request_uri }),
    assetTaskStatusCodes: codes(row.request_codes, providerListenerStatuses.assetTask),
    ...shared(row),
  }
}

export function describeDelivery(
  row: Omit<NewDelivery, 'first_attempt_at'>,
  attempts: readonly ShownAttempt[],
): Delivery {
  return {
    deliveryId: row.delivery_id,
    listenerId: row.listener_id,
    eventType: row.event_type as Delivery['eventType'],
    jobId: row.job_id,
    ...(row.request_ids === null ? {} : { requestIds: JSON.parse(row.request_ids) }),
    ...(row.sequence === null ? {} : { sequence: row.sequence }),
    state: row.state,
    createdTime: formatTime(row.created_at),
    ...(row.state === 'PENDING' && row.next_attempt_at !== null
      ? { nextAttemptTime: formatTime(row.next_attempt_at) }
      : {}),
    attempts: attempts.map((attempt) => ({
      attemptTime: formatTime(attempt.attempted_at),
      durationMs: attempt.duration_ms,
      ...(attempt.response_code === null ? {} : { responseCode: attempt.response_code }),
      ...(attempt.error === null ? {} : { error: attempt.error }),
    })),
  }
}
