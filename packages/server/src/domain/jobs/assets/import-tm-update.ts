/**
 * The task that imports a TMX file into the site's memory. It reads the whole file before it writes
 * anything, so that a broken file leaves nothing behind. It then adds units in batches and saves
 * its progress in the same transaction; after an interruption it continues from there (decision
 * 0023).
 */

import { TmxError } from '@dragoman/text/likeness'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import type { TmUpdateRow } from '../../../store/tables.ts'
import { addTasks } from '../../../store/tasks/add-tasks.ts'
import { finishTask, keepTask, type Task } from '../../../store/tasks/hold-tasks.ts'
import { extensionOf } from '../../files/media-types.ts'
import { awaitsFile } from '../../files/receive.ts'
import { findFile, mustBeStored, type StoredFile, streamStored } from '../../files/serve.ts'
import { countTmx, importTmx, maxImportBytes } from '../../language/memory/import-tmx.ts'
import type { TmxPair } from '../../language/memory/read-tmx.ts'
import { holdContent } from '../../language/worker/in-flight.ts'
import {
  type ImportChange,
  selectTmUpdate,
  type TmUpdateWithFile,
  updateImport,
} from './tm-update-rows.ts'

export const importTask = 'import-tm-update'

type Payload = { siteId: string; jobId: string; tmupdateId: string }
type Import = Pick<TmUpdateRow, keyof ImportChange>

/** The columns of a TM update before its import. */
export const newImport = (fileName: string): Pick<TmUpdateRow, keyof Import> => ({
  import_status: extensionOf(fileName) === 'tmx' ? 'WAITING' : null,
  import_error: null,
  units_read: 0,
  units_added: 0,
  units_changed: 0,
  units_skipped: 0,
})

type ImportRef = Pick<TmUpdateRow, 'site_id' | 'job_id' | 'tmupdate_id' | 'file_id'>

/** Runs in the transaction that creates the TM update. */
export async function importLater(
  hub: Hub,
  tx: Db,
  row: ImportRef,
  causeId: string,
): Promise<void> {
  const payload: Payload = { siteId: row.site_id, jobId: row.job_id, tmupdateId: row.tmupdate_id }
  const key = `${awaitsFile(row.file_id)}${row.tmupdate_id}`
  const now = hub.clock.now()
  await addTasks(hub.db, tx, now, [
    { name: importTask, payload, siteId: row.site_id, key, dueAt: now, causeId },
  ])
}

type Outcome = 'done' | 'settled' | { retryAt: number; because: string }

export async function importTmUpdate(hub: Hub, task: Task): Promise<Outcome> {
  const { siteId, jobId, tmupdateId } = task.payload as Payload
  const row = await selectTmUpdate(hub.db.read, siteId, jobId, tmupdateId)
  if (!row || row.import_status === 'IMPORTED' || row.import_status === 'FAILED') return 'done'
  const found = await findFile(hub, siteId, jobId, row.file_id)
  if (!found) return fail(hub, task, row, `${row.file_name} was never uploaded; send it again.`)
  if (found.state !== 'stored')
    return {
      retryAt: (found.expires_at ?? hub.clock.now()) + 1_000,
      because: 'the file is still being uploaded',
    }
  const file = await mustBeStored(hub, siteId, jobId, row.file_id)
  try {
    return await holdContent('here', siteId, Math.min(file.size, maxImportBytes), async () => {
      if (row.import_status === 'WAITING') await readThrough(hub, task, file, row)
      return importUnits(hub, task, file, row)
    })
  } catch (error) {
    if (!(error instanceof TmxError)) throw error
    return fail(
      hub,
      task,
      row,
      `${row.file_name} cannot be imported: ${error.message}. Nothing was imported.`,
    )
  }
}

/** No try is left. */
export function giveUpImport(hub: Hub, task: Task): Promise<Outcome> {
  const { siteId, jobId, tmupdateId } = task.payload as Payload
  return selectTmUpdate(hub.db.read, siteId, jobId, tmupdateId).then((row) =>
    row ? fail(hub, task, row, 'The hub could not import this file; its log says why.') : 'done',
  )
}

const pairIn = (row: TmUpdateRow): TmxPair => ({
  sourceLanguage: row.source_language,
  targetLanguage: row.target_language,
})

async function readThrough(
  hub: Hub,
  task: Task,
  file: StoredFile,
  row: TmUpdateRow,
): Promise<void> {
  await countTmx(await streamStored(hub, file), pairIn(row))
  await hub.db.transact(async (tx) => {
    await keepTask(tx, task)
    await updateImport(tx, row, { import_status: 'IMPORTING' })
  })
}

async function importUnits(
  hub: Hub,
  task: Task,
  file: StoredFile,
  row: TmUpdateWithFile,
): Promise<'settled'> {
  await importTmx(hub, {
    siteId: row.site_id,
    origin: row.tmupdate_id,
    pair: pairIn(row),
    done: {
      read: row.units_read,
      added: row.units_added,
      changed: row.units_changed,
      skipped: row.units_skipped,
    },
    bytes: await streamStored(hub, file),
    keep: (tx) => keepTask(tx, task),
    save: async (tx, before, { read, added, changed, skipped, isLast }) => {
      const isMine = await updateImport(
        tx,
        { ...row, units_read: before.read },
        {
          import_status: isLast ? 'IMPORTED' : 'IMPORTING',
          import_error: null,
          units_read: read,
          units_added: added,
          units_changed: changed,
          units_skipped: skipped,
        },
      )
      if (isMine) await (isLast ? finishTask : keepTask)(tx, task)
      return isMine
    },
  })
  return 'settled'
}

async function fail(hub: Hub, task: Task, row: TmUpdateRow, error: string): Promise<'settled'> {
  await hub.db.transact(async (tx) => {
    await finishTask(tx, task)
    const change = { import_status: 'FAILED', import_error: error } as const
    await updateImport(tx, row, change)
  })
  return 'settled'
}
