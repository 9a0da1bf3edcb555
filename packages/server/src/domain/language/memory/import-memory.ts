/**
 * The task that imports a TMX file into the site's memory, as one of a TM update is imported: it
 * reads the whole file first, so that nothing of a broken one stays, then adds units in batches
 * with its progress. Its bytes go with the last batch.
 */

import { TmxError } from '@dragoman/text/likeness'
import { BlobMissing, BlobTrouble } from '../../../blobs/blob-store.ts'
import { sealBlobs } from '../../../blobs/sealed/sealed.ts'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { MemoryImportRow } from '../../../store/tables.ts'
import { finishTask, keepTask, type Task } from '../../../store/tasks/hold-tasks.ts'
import { removeBlobsLater } from '../../files/expire.ts'
import { openNote } from '../../files/seals/notes.ts'
import { findFileOfSite, isStored, streamStored } from '../../files/serve.ts'
import { holdContent } from '../worker/in-flight.ts'
import { countTmx, importTmx, maxImportBytes } from './import-tmx.ts'
import { selectMemoryImport, updateMemoryImport } from './memory-import-rows.ts'
import type { ImportPayload } from './memory-imports.ts'
import type { TmxPair } from './read-tmx.ts'

type Outcome = 'done' | 'settled' | { retryAt: number; because: string }
type Source = { readonly size: number; open(): Promise<AsyncIterable<Uint8Array>> }

export async function importMemory(hub: Hub, task: Task): Promise<Outcome> {
  const { siteId, importId } = task.payload as ImportPayload
  const row = await selectMemoryImport(hub.db.read, siteId, importId)
  if (!row || row.state === 'DONE' || row.state === 'FAILED') return 'done'
  const source = await sourceOf(hub, row)
  if ('retryAt' in source) return source
  if ('error' in source) return fail(hub, task, row, source.error)
  try {
    await holdContent('here', siteId, Math.min(source.size, maxImportBytes), async () => {
      const pair = pairIn(row)
      if (row.state === 'QUEUED')
        await count(hub, task, row, await countTmx(await source.open(), pair))
      await importUnits(hub, task, row, await source.open())
    })
    return 'settled'
  } catch (error) {
    if (error instanceof TmxError)
      return fail(
        hub,
        task,
        row,
        `The file cannot be imported: ${error.message}. Nothing was imported.`,
      )
    if (error instanceof BlobMissing)
      return fail(hub, task, row, 'The bytes of the file are missing; import it again.')
    throw error
  }
}

/** No try is left. */
export async function giveUpMemory(hub: Hub, task: Task): Promise<Outcome> {
  const { siteId, importId } = task.payload as ImportPayload
  const row = await selectMemoryImport(hub.db.read, siteId, importId)
  return row
    ? fail(hub, task, row, 'The hub could not import this file; its log says why.')
    : 'done'
}

async function sourceOf(
  hub: Hub,
  { site_id, file_id, blob_id, blob_key, size }: MemoryImportRow,
): Promise<Source | { retryAt: number; because: string } | { error: string }> {
  if (file_id !== null) {
    const file = await findFileOfSite(hub, site_id, file_id)
    if (!file)
      return {
        error:
          'The uploaded file is gone, with its job or because it never arrived; send it again.',
      }
    if (isStored(file)) return { size: file.size, open: () => streamStored(hub, file) }
    return {
      retryAt: (file.expires_at ?? hub.clock.now()) + 1_000,
      because: 'the file is still being uploaded',
    }
  }
  const key = blob_key === null ? undefined : openNote(hub, blob_key)
  if (blob_id === null || key === null)
    return { error: 'The bytes of the file cannot be opened; import it again.' }
  const store = key === undefined ? hub.blobs : sealBlobs(hub.blobs, Buffer.from(key, 'base64'))
  return {
    size: size ?? 0,
    open: async () => {
      const opened = await store.open(blob_id)
      if (opened.size === size) return opened.stream
      opened.stream.destroy()
      throw new BlobTrouble('the bytes of an import have another size than they had.')
    },
  }
}

const pairIn = ({ source_language, target_language }: MemoryImportRow): TmxPair | undefined =>
  source_language === null || target_language === null
    ? undefined
    : { sourceLanguage: source_language, targetLanguage: target_language }

const count = (hub: Hub, task: Task, row: MemoryImportRow, total: number): Promise<boolean> =>
  hub.db.transact(async (tx) => {
    await keepTask(tx, task)
    return updateMemoryImport(tx, row, { state: 'RUNNING', units_total: total })
  })

const importUnits = (
  hub: Hub,
  task: Task,
  row: MemoryImportRow,
  bytes: AsyncIterable<Uint8Array>,
): Promise<void> =>
  importTmx(hub, {
    siteId: row.site_id,
    origin: row.import_id,
    pair: pairIn(row),
    done: {
      read: row.units_read,
      added: row.units_added,
      changed: row.units_changed,
      skipped: row.units_skipped,
    },
    bytes,
    keep: (tx) => keepTask(tx, task),
    save: async (tx, before, { read, added, changed, skipped, isLast }) => {
      const isMine = await updateMemoryImport(
        tx,
        { ...row, units_read: before.read },
        {
          units_read: read,
          units_added: added,
          units_changed: changed,
          units_skipped: skipped,
          ...(isLast && { state: 'DONE', blob_id: null, blob_key: null }),
        },
      )
      if (isMine) await (isLast ? end(hub, tx, task, row) : keepTask(tx, task))
      return isMine
    },
  })

async function end(
  hub: Hub,
  tx: Db,
  task: Task,
  { blob_id, cause_id: causeId }: MemoryImportRow,
): Promise<void> {
  await finishTask(tx, task)
  if (blob_id !== null) await removeBlobsLater({ hub, tx, causeId }, [blob_id])
}

async function fail(hub: Hub, task: Task, row: MemoryImportRow, error: string): Promise<'settled'> {
  await hub.db.transact(async (tx) => {
    const { site_id, import_id } = row
    const now = (await selectMemoryImport(tx, site_id, import_id)) ?? row
    await updateMemoryImport(tx, now, { state: 'FAILED', error, blob_id: null, blob_key: null })
    await end(hub, tx, task, row)
  })
  return 'settled'
}
