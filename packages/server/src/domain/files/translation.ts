/** Inserts the file of a translation the hub made itself. Its bytes are already in the blob store. */
import type { Change } from '../../hub.ts'
import type { JobRow } from '../../store/tables.ts'
import { countBytes } from '../access/site-bytes.ts'
import { type NewBlob, placeBlob } from './blob-place.ts'
import { insertFile } from './file-rows.ts'
import { mediaTypeOf } from './media-types.ts'

export type MadeFile = {
  readonly fileId: string
  readonly name: string
  readonly blob: NewBlob
  readonly size: number
  /** The source's media type. If absent, the name decides. */
  readonly contentType?: string
  readonly sha256: string
}

export async function insertTranslation({ hub, tx, causeId }: Change, job: JobRow, made: MadeFile): Promise<string> {
  await insertFile(tx, {
    file_id: made.fileId,
    site_id: job.site_id,
    job_id: job.job_id,
    client_id: job.creator_id,
    name: made.name,
    content_type: made.contentType ?? mediaTypeOf(made.name),
    state: 'stored',
    kind: 'translation',
    holds_bytes: 1,
    ...(await placeBlob(hub, tx, job, made.blob)),
    size: made.size,
    sha256: made.sha256,
    created_at: hub.clock.now(),
    expires_at: null,
    cause_id: causeId,
  })
  await countBytes(hub.engine, tx, job.site_id, made.size)
  return made.fileId
}
