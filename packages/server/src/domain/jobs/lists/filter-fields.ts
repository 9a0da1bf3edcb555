/**
 * The fields that a filter of jobs may use: those of a job, and those of the job that a provider
 * sees.
 */
import {
  type JobFilterField,
  type JobStatus,
  jobStatuses,
  jobStatusesNamed,
  providerJobStatuses,
} from '@dragoman/contract'
import type { JobRow } from '../../../store/tables.ts'

export type Field = {
  readonly kind: 'text' | 'flag' | 'time'
  /** A column of the jobs table. */
  readonly column: keyof JobRow & string
  readonly nullable?: true
  /** The values that the field can have, if they are known. */
  readonly choices?: readonly string[]
  /** The stored values that one of them stands for, if they are named differently. */
  readonly stored?: (value: string) => readonly JobStatus[]
}
export type Fields = Readonly<Record<string, Field>>

const both = {
  jobId: { kind: 'text', column: 'job_id' },
  providerId: { kind: 'text', column: 'provider_id', nullable: true },
  jobName: { kind: 'text', column: 'job_name' },
  hasError: { kind: 'flag', column: 'has_error' },
  poReference: { kind: 'text', column: 'po_reference', nullable: true },
  connectorName: { kind: 'text', column: 'connector_name', nullable: true },
  globalTrackingId: { kind: 'text', column: 'global_tracking_id', nullable: true },
  createdDate: { kind: 'time', column: 'created_at' },
  modifiedDate: { kind: 'time', column: 'modified_at' },
  submittedDate: { kind: 'time', column: 'submitted_at', nullable: true },
  dueDate: { kind: 'time', column: 'due_at', nullable: true },
} as const satisfies Fields

export const filterFields = {
  statusCode: { kind: 'text', column: 'status', choices: jobStatuses },
  ...both,
  activityDate: { kind: 'time', column: 'activity_at' },
  estimatedArchivalDate: { kind: 'time', column: 'archival_at' },
} as const satisfies Record<JobFilterField, Field>

export const providerFilterFields = {
  statusCode: {
    kind: 'text',
    column: 'status',
    choices: providerJobStatuses,
    stored: jobStatusesNamed,
  },
  ...both,
  creatorId: { kind: 'text', column: 'creator_id' },
  submitterId: { kind: 'text', column: 'submitter_id', nullable: true },
  providerReference: { kind: 'text', column: 'provider_reference', nullable: true },
  connectorVersion: { kind: 'text', column: 'connector_version', nullable: true },
  serviceType: { kind: 'text', column: 'service_type', nullable: true },
  shouldQuote: { kind: 'flag', column: 'should_quote', nullable: true },
  isAcknowledged: { kind: 'flag', column: 'acknowledged' },
} as const satisfies Fields

/** Aliases of fields (contract, section 3, Names). */
const aliases: Readonly<Record<string, string>> = {
  status: 'statusCode',
  estArchivalDate: 'estimatedArchivalDate',
  ConnectorName: 'connectorName',
  ConnectorVersion: 'connectorVersion',
}

export function fieldOf(name: string, fields: Fields = filterFields): Field | undefined {
  const key = aliases[name] ?? name
  return Object.hasOwn(fields, key) ? fields[key] : undefined
}
