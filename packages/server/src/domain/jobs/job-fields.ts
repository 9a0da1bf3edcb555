/**
 * Maps a caller's fields to columns. Fields that are not given are left out, so a change touches
 * only what it names.
 */
import { cutRule, type JobChange, mustParseTime } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { JobRow } from '../../store/tables.ts'
import { sealNote } from '../files/seals/notes.ts'
import type { LabelRow, RowChange } from './job-rows.ts'

/** A job without optional fields. */
export const noFields = {
  description: null,
  error_message: null,
  submitter_id: null,
  provider_id: null,
  chain_id: null,
  routed_by: null,
  hops: null,
  upstream: null,
  provider_reference: null,
  po_reference: null,
  due_at: null,
  submitted_at: null,
  archived_at: null,
  custom_data: null,
  should_quote: null,
  connector_name: null,
  connector_version: null,
  service_type: null,
  extended_metadata: null,
  format_options: null,
  segmentation: null,
  cut_rule: null,
  labels: null,
  global_tracking_id: null,
  source_language: null,
  target_languages: null,
  analysis_codes: null,
} as const satisfies Partial<JobRow>

export function fieldsOf(hub: Hub, input: JobChange): RowChange {
  const change: RowChange = {
    job_name: input.jobName,
    description: sealNote(hub, input.description),
    po_reference: input.poReference,
    due_at: input.dueDate === undefined ? undefined : mustParseTime(input.dueDate),
    custom_data: input.customData,
    should_quote: input.shouldQuote === undefined ? undefined : Number(input.shouldQuote),
    provider_id: input.providerId,
    connector_name: input.connectorName,
    connector_version: input.connectorVersion,
    service_type: input.serviceType,
    extended_metadata: text(input.extendedMetadata),
    format_options: text(input.formatOptions),
    segmentation: input.segmentation,
    cut_rule: input.segmentation && (input.segmentation === 'SENTENCES' ? cutRule : null),
    labels: text(input.labels),
    source_language: input.sourceNativeLanguageCode,
    target_languages: text(input.targetNativeLanguageCodes),
    analysis_codes: text(input.analysisCodes),
  }
  for (const [column, value] of Object.entries(change))
    if (value === undefined) delete change[column as keyof RowChange]
  return change
}

const text = (value: unknown): string | undefined =>
  value === undefined ? undefined : JSON.stringify(value)

/** Labels given as a list have no value. A label named twice counts once. */
export function labelRows(labels: JobChange['labels']): LabelRow[] {
  if (!labels) return []
  if (Array.isArray(labels)) return [...new Set(labels)].map((name) => ({ name, value: null }))
  return Object.entries(labels).map(([name, value]) => ({ name, value: String(value) }))
}
