/**
 * Imports of TMX files into the memory: a file in the body, or one that was uploaded with a
 * transfer object. The bytes of a body are durable before the call is answered; a task imports them
 * (import-memory.ts) and removes them.
 */
import {
  formatTime,
  HubError,
  limits,
  type MemoryImport,
  type MemoryImportQuery,
  type UploadedMemory,
} from '@dragoman/contract'
import { BlobTooLarge, type Bytes } from '../../../blobs/blob-store.ts'
import type { Hub } from '../../../hub.ts'
import { newId } from '../../../store/ids.ts'
import type { MemoryImportRow } from '../../../store/tables.ts'
import { addTasks } from '../../../store/tasks/add-tasks.ts'
import type { Call } from '../../access/caller.ts'
import { once } from '../../access/once.ts'
import { mustFit } from '../../access/quota.ts'
import { mustFitBytes } from '../../access/site-bytes.ts'
import { lockSite } from '../../access/sites.ts'
import { newBlob } from '../../files/blob-place.ts'
import { mustHaveSpace } from '../../files/free-space.ts'
import { awaitsFile } from '../../files/receive.ts'
import { sealNote } from '../../files/seals/notes.ts'
import { findFileOfSite } from '../../files/serve.ts'
import { countOpenImports, insertMemoryImport, selectMemoryImport } from './memory-import-rows.ts'

export const importMemoryTask = 'import-memory'
export type ImportPayload = { readonly siteId: string; readonly importId: string }

export async function createMemoryImport(
  hub: Hub,
  call: Call,
  asked: MemoryImportQuery,
  given: UploadedMemory | Bytes,
): Promise<MemoryImport> {
  const { sourceNativeLanguageCode: source, targetNativeLanguageCode: target } = asked
  if ((source === undefined) !== (target === undefined))
    throw new HubError('INVALID_PARAMETER', {
      because:
        'sourceNativeLanguageCode and targetNativeLanguageCode go together: send both, or neither.',
    })
  const row = newImport(hub, call, asked)
  if (!('fmsFileId' in given)) return storeBody(hub, call, row, given)
  const file = await findFileOfSite(hub, call.caller.siteId, given.fmsFileId)
  if (!file) throw new HubError('FILE_NOT_FOUND', { fmsFileId: given.fmsFileId })
  return begin(hub, call, { ...row, file_id: file.file_id })
}

const newImport = (
  hub: Hub,
  { caller, traceId }: Call,
  asked: MemoryImportQuery,
): MemoryImportRow => ({
  import_id: newId(),
  site_id: caller.siteId,
  source_language: asked.sourceNativeLanguageCode ?? null,
  target_language: asked.targetNativeLanguageCode ?? null,
  state: 'QUEUED',
  error: null,
  file_id: null,
  blob_id: null,
  size: null,
  blob_key: null,
  units_read: 0,
  units_added: 0,
  units_changed: 0,
  units_skipped: 0,
  units_total: null,
  created_at: hub.clock.now(),
  cause_id: traceId,
})

async function storeBody(
  hub: Hub,
  call: Call,
  row: MemoryImportRow,
  bytes: Bytes,
): Promise<MemoryImport> {
  // Again in the transaction: this keeps bytes away that would be refused.
  mustFit(call.caller, 'MaxOpenImportsPerSite', await countOpenImports(hub.db.read, row.site_id))
  await mustHaveSpace(hub)
  const { blobId, store, key } = newBlob(hub)
  const written = await store
    .put(blobId, bytes, { maxBytes: limits.fileBytes, spends: true })
    .catch((error) => {
      throw error instanceof BlobTooLarge
        ? new HubError('FILE_TOO_LARGE', { limit: limits.fileBytes, way: 'an import' })
        : error
    })
  const { size, sha256 } = written
  // A repeated call must have the same bytes.
  const repeated = call.once && {
    once: { ...call.once, bodyHash: `${call.once.bodyHash}.${sha256}` },
  }
  const blob_key = key ? sealNote(hub, key.toString('base64')) : null
  try {
    if (size === 0)
      throw new HubError('INVALID_REQUEST', { because: 'it is empty; send a TMX file.' })
    await mustFitBytes(hub, hub.db.read, call.caller, size)
    const answer = await begin(
      hub,
      { ...call, ...repeated },
      { ...row, blob_id: blobId, size, blob_key },
    )
    if (answer.importId !== row.import_id) await drop(hub, blobId)
    return answer
  } catch (error) {
    // After any other error the row may be there all the same; the sweep removes the bytes if it is
    // not.
    if (error instanceof HubError) await drop(hub, blobId)
    throw error
  }
}

const drop = (hub: Hub, blobId: string): Promise<void> =>
  hub.blobs
    .remove(blobId)
    .catch((trouble) =>
      hub.log.warn(
        { err: trouble },
        'a refused import could not be removed; the sweep will remove it',
      ),
    )

const begin = (hub: Hub, call: Call, row: MemoryImportRow): Promise<MemoryImport> =>
  once(hub, call, async (tx) => {
    // Two calls at once may not both find the last place free.
    await lockSite(tx, row.site_id)
    mustFit(call.caller, 'MaxOpenImportsPerSite', await countOpenImports(tx, row.site_id))
    await insertMemoryImport(tx, row)
    const {
      site_id: siteId,
      import_id: importId,
      file_id: fileId,
      created_at: dueAt,
      cause_id: causeId,
    } = row
    const payload: ImportPayload = { siteId, importId }
    const key = `${fileId === null ? '' : awaitsFile(fileId)}${importId}`
    await addTasks(hub.db, tx, dueAt, [
      { name: importMemoryTask, payload, siteId, key, dueAt, causeId },
    ])
    return describe(row)
  })

export async function findMemoryImport(
  hub: Hub,
  call: Call,
  importId: string,
): Promise<MemoryImport> {
  const row = await selectMemoryImport(hub.db.read, call.caller.siteId, importId)
  if (!row) throw new HubError('MEMORY_IMPORT_NOT_FOUND', { importId })
  return describe(row)
}

const describe = (row: MemoryImportRow): MemoryImport => ({
  importId: row.import_id,
  state: row.state,
  read: row.units_read,
  added: row.units_added,
  changed: row.units_changed,
  skipped: row.units_skipped,
  ...(row.units_total !== null && { total: row.units_total }),
  ...(row.error !== null && { error: row.error }),
  createdTime: formatTime(row.created_at),
})
