/** Checks that files of requests, support assets and TM updates belong to their job. */
import { HubError } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import type { FileRow } from '../../store/tables.ts'
import { selectFiles } from './file-rows.ts'

/**
 * Finds files of this job by id, or throws FILE_NOT_FOUND, also for files of other jobs and sites.
 * Their bytes may still be on the way.
 */
export async function mustFindFiles(
  db: Db,
  siteId: string,
  jobId: string,
  fileIds: readonly string[],
): Promise<Map<string, FileRow>> {
  const wanted = [...new Set(fileIds)]
  const found = new Map<string, FileRow>()
  // In batches, because a statement can bind only so many values.
  for (let from = 0; from < wanted.length; from += 500)
    for (const file of await selectFiles(db, siteId, jobId, wanted.slice(from, from + 500)))
      if (file.kind === 'source') found.set(file.file_id, file)
  const missing = wanted.find((id) => !found.has(id))
  if (missing !== undefined) throw new HubError('FILE_NOT_FOUND', { fmsFileId: missing })
  return found
}

/** The same for one file. */
export async function mustFindFile(
  db: Db,
  siteId: string,
  jobId: string,
  fileId: string,
): Promise<FileRow> {
  const file = (await mustFindFiles(db, siteId, jobId, [fileId])).get(fileId)
  if (!file) throw new HubError('FILE_NOT_FOUND', { fmsFileId: fileId })
  return file
}
