/** What requests, support assets and TM updates ask of files: that they belong to the same job. */
import { HubError } from '@dragoman/contract'
import type { Db } from '../../store/engine.ts'
import type { FileRow } from '../../store/tables.ts'
import { selectFiles } from './file-rows.ts'

/**
 * The files of this job by their ids, each of them or FILE_NOT_FOUND: another job's and another site's are as unknown as
 * none. Their bytes may still be on the way.
 */
export async function mustFindFiles(
  db: Db,
  siteId: string,
  jobId: string,
  fileIds: readonly string[],
): Promise<Map<string, FileRow>> {
  const wanted = [...new Set(fileIds)]
  const found = new Map<string, FileRow>()
  // In pieces, so that a call with thousands of files stays within what a statement may bind.
  for (let from = 0; from < wanted.length; from += 500)
    for (const file of await selectFiles(db, siteId, jobId, wanted.slice(from, from + 500)))
      if (file.kind === 'source') found.set(file.file_id, file)
  const missing = wanted.find((id) => !found.has(id))
  if (missing !== undefined) throw new HubError('FILE_NOT_FOUND', { fmsFileId: missing })
  return found
}
