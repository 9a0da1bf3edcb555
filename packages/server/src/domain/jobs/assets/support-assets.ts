/**
 * Support assets: files that help the translator. They can be added and deleted until the job is
 * submitted.
 */
import { formatTime, HubError, type NewSupportAsset, type SupportAsset } from '@dragoman/contract'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { newId } from '../../../store/ids.ts'
import type { Page } from '../../../store/page.ts'
import type { Call } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { mustFit } from '../../access/quota.ts'
import { countBytes, metadataBytes, storeBytes } from '../../access/site-bytes.ts'
import { mustFindFile } from '../../files/attach.ts'
import { extensionOf } from '../../files/media-types.ts'
import { openNote, sealNote } from '../../files/seals/notes.ts'
import { announce } from '../../listeners/announce.ts'
import { mustAllow } from '../find-job.ts'
import { mustReach, touchJob } from '../job-activity.ts'
import { type Paging, pageSizeOf, readCursor, toPage } from '../lists/position-pages.ts'
import {
  type AssetWithFile,
  insertAsset,
  measureAssets,
  removeAsset,
  selectAsset,
  selectAssets,
} from './asset-rows.ts'

export function createSupportAsset(
  hub: Hub,
  call: Call,
  jobId: string,
  input: NewSupportAsset,
): Promise<SupportAsset> {
  const { siteId } = call.caller
  return once(hub, call, async (tx) => {
    const job = await mustAllow(tx, siteId, jobId, 'addSupportAsset')
    const { count, last } = await measureAssets(tx, siteId, jobId)
    mustFit(call.caller, 'MaxSupportAssetsPerJob', count)
    const file = await mustFindFile(tx, siteId, jobId, input.fmsFileId)
    const row = {
      asset_id: newId(),
      site_id: siteId,
      job_id: jobId,
      position: last + 1,
      file_id: input.fmsFileId,
      description: sealNote(hub, input.description ?? null),
      source_native_ids: text(input.sourceNativeIds),
      source_language: input.sourceNativeLanguageCode ?? null,
      target_languages: text(input.targetNativeLanguageCodes),
      extended_metadata: text(input.extendedMetadata),
      created_at: hub.clock.now(),
      cause_id: call.traceId,
    }
    await storeBytes(hub, tx, call.caller, metadataBytes(row.extended_metadata))
    await insertAsset(tx, row)
    await touchJob({ hub, tx }, { site_id: siteId, job_id: jobId })
    await announce({ hub, tx, causeId: call.traceId }, [
      { kind: 'support-asset', job, supportassetId: row.asset_id },
    ])
    return describe(hub, { ...row, file_name: file.name })
  })
}

export async function listSupportAssets(
  hub: Hub,
  call: Call,
  jobId: string,
  asked: Paging,
): Promise<Page<SupportAsset>> {
  const { siteId } = call.caller
  const db = hub.db.read
  await mustReach(db, siteId, jobId)
  const of = { siteId, list: `supportassets:${jobId}` }
  const start = readCursor(hub, of, asked)
  const rows = await selectAssets(db, siteId, jobId, { ...start, limit: pageSizeOf(asked) + 1 })
  return toPage(hub, of, asked, { rows, describe: (row) => describe(hub, row) })
}

export async function findSupportAsset(
  hub: Hub,
  call: Call,
  jobId: string,
  assetId: string,
): Promise<SupportAsset> {
  const { siteId } = call.caller
  await mustReach(hub.db.read, siteId, jobId)
  return describe(hub, await mustFindAsset(hub.db.read, siteId, jobId, assetId))
}

export function deleteSupportAsset(
  hub: Hub,
  call: Call,
  jobId: string,
  assetId: string,
): Promise<SupportAsset> {
  const { siteId } = call.caller
  return hub.db.transact(async (tx) => {
    await mustAllow(tx, siteId, jobId, 'deleteSupportAsset')
    const row = await mustFindAsset(tx, siteId, jobId, assetId)
    await removeAsset(tx, siteId, jobId, assetId)
    await countBytes(hub.db, tx, siteId, -metadataBytes(row.extended_metadata))
    await touchJob({ hub, tx }, { site_id: siteId, job_id: jobId })
    return describe(hub, row)
  })
}

async function mustFindAsset(
  db: Db,
  siteId: string,
  jobId: string,
  supportassetId: string,
): Promise<AssetWithFile> {
  const row = await selectAsset(db, siteId, jobId, supportassetId)
  if (!row) throw new HubError('SUPPORT_ASSET_NOT_FOUND', { supportassetId })
  return row
}

const text = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

function describe(hub: Hub, row: AssetWithFile): SupportAsset {
  const description = openNote(hub, row.description)
  const asset: SupportAsset = {
    supportassetId: row.asset_id,
    fileId: row.file_id,
    jobId: row.job_id,
    filename: row.file_name,
    filetype: extensionOf(row.file_name),
    createdDate: formatTime(row.created_at),
    extendedMetadata: row.extended_metadata === null ? {} : JSON.parse(row.extended_metadata),
  }
  if (description !== null) asset.description = description
  if (row.source_native_ids !== null) asset.sourceNativeIds = JSON.parse(row.source_native_ids)
  if (row.source_language !== null) asset.sourceNativeLanguageCode = row.source_language
  if (row.target_languages !== null)
    asset.targetNativeLanguageCodes = JSON.parse(row.target_languages)
  return asset
}
