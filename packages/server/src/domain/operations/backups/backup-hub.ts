/**
 * Backs up a hub beside running nodes: the database first, at one moment, then the files that its
 * rows need. A file that the hub removes meanwhile is missing: then the database is copied again,
 * and no longer needs it. The manifest is written last.
 */
import { newBlobId } from '../../../blobs/blob-store.ts'
import type { Hub } from '../../../hub.ts'
import { version } from '../../../process/version.ts'
import {
  readHubState,
  vaultCheckName,
  writeHubState,
  writeHubStateOnce,
} from '../../../store/hub-state.ts'
import { newId } from '../../../store/ids.ts'
import { migrations } from '../../../store/migrations/index.ts'
import { Refusal } from '../../../store/refusal.ts'
import { commandLine, recordActs } from '../../access/audit/record-acts.ts'
import {
  type BackupPlace,
  listBackups,
  loadManifest,
  newBackupId,
  openBackupPlace,
  putPiece,
} from './backup-place.ts'
import { takeTurn } from './backup-turn.ts'
import { type Copied, copyFiles, neededFiles, type OnProgress } from './copy-files.ts'
import { type Header, isProven, manifestVersion, type Piece, writeManifest } from './manifest.ts'
import { pruneBackups } from './prune-backups.ts'

export type BackupOptions = {
  readonly to: string
  /** How many backups stay; all by default. */
  readonly keep?: number
  readonly told?: OnProgress
}

export type BackupReport = Pick<Header, 'id' | 'at' | 'engine' | 'files' | 'bytes' | 'missing'> &
  Pick<Copied, 'copied' | 'damaged'> & {
    readonly to: string
    readonly databaseBytes: number
    /** The ids of backups that were removed. */
    readonly removed: readonly string[]
  }

export async function backupHub(
  hub: Hub,
  { to, keep, told = () => {} }: BackupOptions,
): Promise<BackupReport> {
  const place = await openBackupPlace(to, { clock: hub.clock.now })
  try {
    const endTurn = await takeTurn(hub)
    try {
      return await backUp(hub, place, { keep, told })
    } finally {
      await endTurn()
    }
  } finally {
    await place.close()
  }
}

async function backUp(
  hub: Hub,
  place: BackupPlace,
  { keep, told }: { keep: number | undefined; told: OnProgress },
): Promise<BackupReport> {
  const hubId = await writeHubStateOnce(hub.db, 'hub_id', newId())
  const known = await knownPieces(hub, place, hubId)
  // A killed backup may have left half a file.
  for (const store of [place.files, place.manifests]) await store.sweep(Number.POSITIVE_INFINITY)
  const at = hub.clock.now()
  const { engine, database, vaultCheck, files } = await copyUntilWhole(hub, place, known, told)
  const { pieces, missing, damaged, copied } = files
  const header: Header = {
    format: 'dragoman-backup',
    version: manifestVersion,
    id: newBackupId(at),
    at,
    hubId,
    hubVersion: version,
    engine,
    schema: migrations.length,
    database,
    files: pieces.length,
    bytes: pieces.reduce((sum, { size }) => sum + size, database.size),
    missing,
    vaultCheck,
  }
  const { id, bytes } = header
  await putPiece(place.manifests, id, inOne(writeManifest(hub.vault, { header, files: pieces })))
  await hub.db.transact(async (tx) => {
    await writeHubState(tx, 'last_backup', JSON.stringify({ at, to: place.name, bytes }))
    await recordActs(hub, tx, commandLine(), [{ thing: 'hub', verb: 'backed up', id }])
  })
  const removed = await pruneBackups(hub, place, keep)
  const counts = {
    files: header.files,
    bytes,
    databaseBytes: database.size,
    copied,
    missing,
    damaged,
  }
  return { id, at, to: place.name, engine, ...counts, removed }
}

/** The sums in the newest backup that nobody has changed. */
async function knownPieces(
  { vault }: Hub,
  place: BackupPlace,
  hubId: string,
): Promise<Map<string, Piece>> {
  const listed = await listBackups(place)
  const other = listed.find((one) => 'header' in one && one.header.hubId !== hubId)
  if (other)
    throw new Refusal(
      `${place.name} has backups of another hub (${other.id}). Give each hub its own place.`,
    )
  for (const { id } of listed) {
    const manifest = await loadManifest(place, id).catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error
    })
    if (manifest && isProven(vault, manifest))
      return new Map(manifest.files.map((piece) => [piece.blobId, piece]))
  }
  return new Map()
}

const maxCopies = 5

async function copyUntilWhole(
  hub: Hub,
  place: BackupPlace,
  known: ReadonlyMap<string, Piece>,
  told: OnProgress,
) {
  let before = new Set<string>()
  for (let tried = 1; ; tried += 1) {
    const copy = await hub.db.withCopy(async ({ format, rows, bytes }) => ({
      engine: format,
      database: await putPiece(place.files, newBlobId(), bytes()),
      vaultCheck: (await readHubState(rows, vaultCheckName)) ?? '',
      needed: await neededFiles(rows),
    }))
    const files = await copyFiles(hub, place, { needed: copy.needed, known, told })
    // Missing a second time: the hub itself has lost it.
    if (files.missing.every((blobId) => before.has(blobId))) return { ...copy, files }
    before = new Set(files.missing)
    await place.files.remove(copy.database.blobId)
    if (tried >= maxCopies)
      throw new Refusal(
        'Files were removed from the hub faster than they could be copied. Run the backup again.',
      )
  }
}

async function* inOne(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}
