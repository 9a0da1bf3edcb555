/**
 * TM updates: files for the translation memory. They can be added until the job is archived. TMX
 * files are also imported into the site's memory, by a task that waits for their bytes.
 */
import { formatTime, HubError, type NewTmUpdate, type TmUpdate } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import { newId } from '../../../store/ids.ts'
import type { Page } from '../../../store/page.ts'
import type { Call } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { mustFit } from '../../access/quota.ts'
import { metadataBytes, storeBytes } from '../../access/site-bytes.ts'
import { mustFindFile } from '../../files/attach.ts'
import { extensionOf } from '../../files/media-types.ts'
import { announce } from '../../listeners/announce.ts'
import { mustAllow } from '../find-job.ts'
import { mustReach, touchJob } from '../job-activity.ts'
import { type Paging, pageSizeOf, readCursor, toPage } from '../lists/position-pages.ts'
import { followSoon } from '../sent-on.ts'
import { importLater, newImport } from './import-tm-update.ts'
import {
  insertTmUpdate,
  measureTmUpdates,
  selectTmUpdate,
  selectTmUpdates,
  type TmUpdateWithFile,
} from './tm-update-rows.ts'

export function createTmUpdate(
  hub: Hub,
  call: Call,
  jobId: string,
  input: NewTmUpdate,
): Promise<TmUpdate> {
  const { siteId } = call.caller
  return once(hub, call, async (tx) => {
    const job = await mustAllow(tx, siteId, jobId, 'addTmUpdate')
    const { count, last } = await measureTmUpdates(tx, siteId, jobId)
    mustFit(call.caller, 'MaxTmUpdatesPerJob', count)
    const file = await mustFindFile(tx, siteId, jobId, input.fmsFileId)
    const row = {
      tmupdate_id: newId(),
      site_id: siteId,
      job_id: jobId,
      position: last + 1,
      file_id: input.fmsFileId,
      source_language: input.sourceNativeLanguageCode,
      target_language: input.targetNativeLanguageCode,
      extended_metadata: input.extendedMetadata ? JSON.stringify(input.extendedMetadata) : null,
      ...newImport(file.name),
      created_at: hub.clock.now(),
      cause_id: call.traceId,
    }
    await storeBytes(hub, tx, call.caller, metadataBytes(row.extended_metadata))
    await insertTmUpdate(tx, row)
    if (row.import_status !== null) await importLater(hub, tx, row, call.traceId)
    await touchJob({ hub, tx }, { site_id: siteId, job_id: jobId })
    await announce({ hub, tx, causeId: call.traceId }, [
      { kind: 'tm-update', job, tmupdateId: row.tmupdate_id },
    ])
    await followSoon({ hub, tx, causeId: call.traceId }, job)
    return describe({ ...row, file_name: file.name })
  })
}

export async function listTmUpdates(
  hub: Hub,
  call: Call,
  jobId: string,
  asked: Paging,
): Promise<Page<TmUpdate>> {
  const { siteId } = call.caller
  const db = hub.db.read
  await mustReach(db, siteId, jobId)
  const of = { siteId, list: `tmupdates:${jobId}` }
  const start = readCursor(hub, of, asked)
  const rows = await selectTmUpdates(db, siteId, jobId, { ...start, limit: pageSizeOf(asked) + 1 })
  return toPage(hub, of, asked, { rows, describe })
}

export async function findTmUpdate(
  hub: Hub,
  call: Call,
  jobId: string,
  tmupdateId: string,
): Promise<TmUpdate> {
  const { siteId } = call.caller
  await mustReach(hub.db.read, siteId, jobId)
  const row = await selectTmUpdate(hub.db.read, siteId, jobId, tmupdateId)
  if (!row) throw new HubError('TM_UPDATE_NOT_FOUND', { tmupdateId })
  return describe(row)
}

const describe = (row: TmUpdateWithFile): TmUpdate => ({
  ...describeImport(row),
  tmupdateId: row.tmupdate_id,
  jobId: row.job_id,
  fileId: row.file_id,
  fileType: extensionOf(row.file_name),
  fileName: row.file_name,
  sourceNativeLanguageCode: row.source_language,
  targetNativeLanguageCode: row.target_language,
  createdDate: formatTime(row.created_at),
  extendedMetadata: row.extended_metadata === null ? {} : JSON.parse(row.extended_metadata),
})

function describeImport(
  row: TmUpdateWithFile,
): Pick<TmUpdate, 'importStatus' | 'importError' | 'units'> {
  if (row.import_status === null) return {}
  return {
    importStatus: row.import_status,
    ...(row.import_error === null ? {} : { importError: row.import_error }),
    units: {
      read: row.units_read,
      added: row.units_added,
      changed: row.units_changed,
      skipped: row.units_skipped,
    },
  }
}
