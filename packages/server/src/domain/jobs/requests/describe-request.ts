/**
 * A request as the API shows it. Absent values are left out (contract, section 4); the door adds
 * aliases.
 */
import { formatTime, type JobRequest } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { extensionOf } from '../../files/media-types.ts'
import { openNote } from '../../files/seals/notes.ts'
import { describeDelivery } from './delivery-facts.ts'
import type { RequestWithFile, WholeRequest } from './request.ts'

export function describeRequest(hub: Hub, row: WholeRequest): JobRequest {
  const request = describeLight(hub, row)
  if (row.extended_metadata !== null) request.extendedMetadata = JSON.parse(row.extended_metadata)
  return request
}

/** Leaves out the metadata. */
export function describeLight(hub: Hub, row: RequestWithFile): JobRequest {
  const createdDate = formatTime(row.created_at)
  const [message, note] = [openNote(hub, row.error_message), openNote(hub, row.reject_note)]
  const request: JobRequest = {
    requestId: row.request_id,
    jobId: row.job_id,
    requestName: row.request_name,
    statusCode: row.status,
    hasError: row.has_error === 1,
    sourceNativeId: row.source_native_id,
    sourceNativeLanguageCode: row.source_language,
    targetNativeLanguageCode: row.target_language,
    createdDate,
    modifiedDate: row.modified_at === row.created_at ? createdDate : formatTime(row.modified_at),
  }
  if (message !== null) request.latestErrorMessage = message
  if (row.target_native_id !== null) request.targetNativeId = row.target_native_id
  if (row.word_count !== null) request.wordCount = row.word_count
  if (row.file_id !== null) request.fileId = row.file_id
  if (row.file_name !== null) {
    request.fileName = row.file_name
    request.fileType = extensionOf(row.file_name)
  }
  if (row.format !== null) request.format = row.format
  if (row.content_id !== null) request.sourcecontentId = row.content_id
  if (row.provider_reference !== null) request.providerReference = row.provider_reference
  if (note !== null) request.rejectNote = note
  if (row.supersedes !== null) request.supersedes = row.supersedes
  if (row.superseded_by !== null) request.supersededBy = row.superseded_by
  if (row.cancel_cause !== null) request.cause = row.cancel_cause
  if (row.warnings !== null || row.forced === 1 || row.last_try !== null)
    Object.assign(request, describeDelivery(row))
  return request
}
