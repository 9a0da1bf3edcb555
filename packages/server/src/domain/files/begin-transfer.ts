/**
 * Creates a transfer object: the row of a file whose bytes are still to come, and the tokens to
 * upload them.
 */
import { randomUUID } from 'node:crypto'
import { addDuration, HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { Call } from '../access/caller.ts'
import { mustFit } from '../access/quota.ts'
import { countSources, insertFile } from './file-rows.ts'
import { mediaTypeOf } from './media-types.ts'
import { newTransferToken } from './sas.ts'

export type Transfer = {
  readonly fileId: string
  readonly sasToken: string
  readonly multipartToken: string
}

/** Runs in the caller's transaction, which has locked the job. */
export async function beginTransfer(
  hub: Hub,
  tx: Db,
  call: Call,
  file: { jobId: string; name: string; kind: 'source' | 'translation' },
): Promise<Transfer> {
  const { siteId, clientId, since } = call.caller
  // Translations need no quota: a job has at most two per request.
  if (file.kind === 'source') {
    mustFit(
      call.caller,
      'MaxFilesPerJob',
      await countSources(tx, siteId, file.jobId, { holds_bytes: 1 }),
    )
    mustFit(
      call.caller,
      'MaxOpenTransfersPerJob',
      await countSources(tx, siteId, file.jobId, { state: 'expected' }),
    )
  }
  const fileId = randomUUID()
  const now = hub.clock.now()
  await insertFile(tx, {
    file_id: fileId,
    site_id: siteId,
    job_id: file.jobId,
    client_id: clientId,
    name: file.name,
    content_type: mediaTypeOf(file.name),
    state: 'expected',
    kind: file.kind,
    holds_bytes: 0,
    created_at: now,
    expires_at: addDuration(now, hub.config.transferLife),
    cause_id: call.traceId,
  })
  return {
    fileId,
    sasToken: newTransferToken(hub.vault, 'tus', fileId, since),
    multipartToken: newTransferToken(hub.vault, 'multipart', fileId, since),
  }
}

/**
 * Refuses invalid file names. Names are never used on disk, but appear in headers and on screens.
 */
export function mustBeFileName(name: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\x00-\x1f\x7f]/.test(name)) refuse('it contains a control character, such as a line break')
  if (/[/\\]/.test(name)) refuse('it contains a slash; send the file name without a path')
  if (!/[^.\s]/.test(name)) refuse('it contains only dots and spaces')
}

function refuse(message: string): never {
  throw new HubError(
    'INVALID_PARAMETER',
    { because: `fileName: ${message}.` },
    { details: [{ path: 'fileName', message }] },
  )
}
