/** Files of translations: those that the hub made itself, and those that a provider is to send. */
import type { Change, Hub } from '../../hub.ts'
import type { JobRow } from '../../store/tables.ts'
import { countBytes } from '../access/site-bytes.ts'
import { type NewBlob, placeBlob } from './blob-place.ts'
import { insertFile, selectFiles } from './file-rows.ts'
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

/** Its bytes are already in the blob store. */
export async function insertTranslation(
  { hub, tx, causeId }: Change,
  job: JobRow,
  made: MadeFile,
): Promise<string> {
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
  await countBytes(hub.db, tx, job.site_id, made.size)
  return made.fileId
}

/** Which of these transfers have their bytes, or can still get them. */
export async function selectLiving(
  hub: Hub,
  siteId: string,
  jobId: string,
  fileIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const now = hub.clock.now()
  const files = await selectFiles(hub.db.read, siteId, jobId, fileIds)
  return new Set(
    files
      .filter((file) => file.state === 'stored' || (file.expires_at ?? 0) > now)
      .map(({ file_id }) => file_id),
  )
}
