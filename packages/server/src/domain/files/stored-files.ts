/**
 * Every file whose bytes are complete, of a site or of the whole hub: for exports, copies and
 * checks.
 */
import type { Db } from '../../store/database.ts'
import { everyRow } from '../../store/every-row.ts'
import type { FileRow } from '../../store/tables.ts'
import { selectImportBlobs, selectStored } from './file-rows.ts'

const pageSize = 500

export const everyStoredFile = (db: Db, siteId?: string): AsyncGenerator<FileRow> =>
  everyRow(
    pageSize,
    (after, limit) => selectStored(db, siteId, after, limit),
    ({ file_id }) => file_id,
  )

/** The bytes of imports that are under way. */
export const listImportBlobs = (db: Db): Promise<string[]> => selectImportBlobs(db)
