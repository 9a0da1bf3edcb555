/**
 * Moves a hub from SQLite to PostgreSQL: all rows, and on demand all files. The source is only
 * read, and no hub may run on it meanwhile. The target is marked as unfinished until everything was
 * compared; a move that was killed starts over.
 */
import { BlobMissing, type BlobStore } from '../../../blobs/blob-store.ts'
import { inBatches } from '../../../blobs/in-batches.ts'
import { openBlobs } from '../../../blobs/open-blobs.ts'
import type { Config } from '../../../config/config.ts'
import { closeHub, type Hub, openHub } from '../../../hub.ts'
import { openLog } from '../../../process/log.ts'
import type { Database } from '../../../store/database.ts'
import { mustBeMovable, mustHaveNoTables } from '../../../store/fill-database.ts'
import { newId } from '../../../store/ids.ts'
import { migrate } from '../../../store/migrate.ts'
import { openDatabase } from '../../../store/open-database.ts'
import { type FilledTable, fillTables } from '../../../store/postgres/postgres-from-sqlite.ts'
import { Refusal } from '../../../store/refusal.ts'
import { markUnfinished, readUnfinished } from '../../../store/unfinished.ts'
import { listCompleteUploads } from '../../files/settle-uploads.ts'
import { checkHub, type Report } from '../integrity/check.ts'
import { noLimit, sizesIn } from './backup-place.ts'
import { type Needed, neededFiles, type OnProgress } from './copy-files.ts'
import { finishCopy } from './finish-copy.ts'

export type MoveOptions = {
  /** The URL of an empty PostgreSQL database. */
  readonly to: string
  /** As in DRAGOMAN_BLOBS_URL. Without it the files stay where they are. */
  readonly blobs?: string
  readonly told?: OnProgress
  readonly toldTable?: (table: string) => void
}

export type MoveReport = {
  readonly id: string
  readonly tables: readonly FilledTable[]
  readonly rows: number
  readonly files: number
  readonly endedUploads: number
  readonly check: Report
}

export async function moveHub(config: Config, options: MoveOptions): Promise<MoveReport> {
  mustBeMovable(config.databaseUrl)
  const blobsUrl = options.blobs ?? config.blobsUrl
  const isMovingFiles = blobsUrl !== config.blobsUrl
  const source = await openAlone(config)
  try {
    if (isMovingFiles) await mustHaveNoParts(source)
    const target = await openDatabase(options.to)
    const moved = await fillTarget(
      source,
      target,
      isMovingFiles ? blobsUrl : undefined,
      options,
    ).finally(() => target.close())
    const hub = await openHub(
      { ...config, databaseUrl: options.to, blobsUrl },
      { as: 'tool', log: openLog('silent'), unfinished: true },
    )
    try {
      const id = newId()
      const act = { thing: 'hub', verb: 'moved', id } as const
      const endedUploads = await finishCopy(hub, act, isMovingFiles ? 'files copied' : 'same files')
      return { id, ...moved, endedUploads, check: await checkHub(hub) }
    } finally {
      await closeHub(hub)
    }
  } finally {
    await closeHub(source)
  }
}

/** On SQLite a hub holds a lock for as long as it lives, so this knows better than a heartbeat. */
async function openAlone(config: Config): Promise<Hub> {
  try {
    return await openHub(config, { as: 'tool', alone: true, log: openLog('silent') })
  } catch (error) {
    if (error instanceof Error && error.name === 'FileInUse')
      throw new Refusal('The hub is running. Stop it, then move it.', { cause: error })
    throw error
  }
}

async function fillTarget(
  source: Hub,
  target: Database,
  blobsUrl: string | undefined,
  { told = () => {}, toldTable = () => {} }: MoveOptions,
): Promise<Pick<MoveReport, 'tables' | 'rows' | 'files'>> {
  const blobs =
    blobsUrl === undefined ? undefined : await openBlobs(blobsUrl, { clock: source.clock.now })
  try {
    await begin(target, blobs, blobsUrl ?? '')
    await migrate(target, source.clock.now())
    const { tables, needed } = await source.db.withCopy(async ({ rows }) => ({
      needed: blobs ? await neededFiles(rows) : [],
      tables: await fillTables(rows, target, toldTable),
    }))
    if (blobs) await moveFiles(source.blobs, blobs, needed, told)
    return { tables, rows: tables.reduce((sum, { rows }) => sum + rows, 0), files: needed.length }
  } finally {
    await blobs?.close()
  }
}

/**
 * Marks an empty target. One that an earlier run has marked is filled again: its rows are removed
 * first.
 */
async function begin(
  target: Database,
  blobs: BlobStore | undefined,
  blobsUrl: string,
): Promise<void> {
  const unfinished = await readUnfinished(target)
  if (unfinished?.what === 'move' && unfinished.detail === blobsUrl) {
    await blobs?.sweep(Number.POSITIVE_INFINITY)
    return
  }
  await mustHaveNoTables(target)
  for await (const { blobId } of blobs?.list() ?? [])
    throw new Refusal(`--blobs names a place with files (${blobId}); give an empty one.`)
  await target.transact((tx) => markUnfinished(tx, { what: 'move', detail: blobsUrl }))
}

/** Only the hub itself can turn the parts of an upload into a file. */
async function mustHaveNoParts({ db }: Hub): Promise<void> {
  if ((await listCompleteUploads(db.read)).length > 0)
    throw new Refusal(
      'An upload is complete, but not yet stored as a file. Start the hub for a minute, stop it, and move it then.',
    )
}

/**
 * A file that an interrupted move has copied is whole. The check at the end reads all of them, and
 * finds what is missing.
 */
async function moveFiles(
  from: BlobStore,
  to: BlobStore,
  needed: readonly Needed[],
  told: OnProgress,
): Promise<void> {
  const there = await sizesIn(to)
  let done = 0
  await inBatches(needed, 8, async ({ blobId }) => {
    try {
      if (!there.has(blobId)) await to.put(blobId, (await from.open(blobId)).stream, noLimit)
    } catch (error) {
      if (!(error instanceof BlobMissing)) throw error
    }
    done += 1
    told(done, needed.length)
  })
}
