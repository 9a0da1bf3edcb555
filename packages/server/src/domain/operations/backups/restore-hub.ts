/**
 * Restores a backup into an empty place. Everything that can be wrong is looked for before anything
 * is written; from then on the database is marked as unfinished until its last file is there, and
 * no hub opens it.
 */
import { inBatches } from '../../../blobs/in-batches.ts'
import { openBlobs } from '../../../blobs/open-blobs.ts'
import type { Config } from '../../../config/config.ts'
import { masterKeyFile, readMasterKey } from '../../../config/master-key.ts'
import { closeHub, type Hub, openHub } from '../../../hub.ts'
import { openLog } from '../../../process/log.ts'
import { openClock } from '../../../store/clock.ts'
import { fillDatabase, mustAccept, mustBeUnused } from '../../../store/fill-database.ts'
import { migrations } from '../../../store/migrations/index.ts'
import { Refusal } from '../../../store/refusal.ts'
import { openVault, type Vault } from '../../../store/vault.ts'
import { checkHub, type Report } from '../integrity/check.ts'
import {
  type BackupPlace,
  findBackup,
  noLimit,
  openBackupPlace,
  sizesIn,
  sumPiece,
} from './backup-place.ts'
import type { OnProgress } from './copy-files.ts'
import { finishCopy } from './finish-copy.ts'
import { type Header, isProven, type Manifest, type Piece } from './manifest.ts'

export type RestoreOptions = {
  readonly from: string
  /** The newest by default. */
  readonly backupId?: string
  /** Leaves out damaged and missing files instead of stopping at them. */
  readonly salvage?: boolean
  /** Restores a backup without a valid MAC: of an earlier version, or one that somebody changed. */
  readonly unproven?: boolean
  readonly told?: OnProgress
}

export type RestoreReport = Pick<Header, 'id' | 'at' | 'engine' | 'files' | 'bytes'> & {
  /** Files that could not be restored. */
  readonly leftOut: readonly string[]
  /** Unfinished uploads, which their clients must start again. */
  readonly endedUploads: number
  readonly check: Report
}

export async function restoreHub(config: Config, options: RestoreOptions): Promise<RestoreReport> {
  const { from, backupId, salvage = false, unproven = false, told = () => {} } = options
  const place = await openBackupPlace(from, { clock: openClock().now, reads: true })
  try {
    const manifest = await findBackup(place, backupId)
    const vault = await mustFit(config, manifest.header)
    if (!unproven) mustBeProven(vault, manifest)
    await mustBeEmpty(config)
    const leftOut = await findDamage(place, manifest, salvage)
    try {
      return await fill(config, place, manifest, { leftOut, salvage, told })
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new Refusal(
        `The restore is not complete, and no hub can start on it. ${why} Empty the place (database and files) before you try again.`,
        { cause: error },
      )
    }
  } finally {
    await place.close()
  }
}

async function mustFit(
  config: Config,
  { id, engine, schema, hubVersion, vaultCheck }: Header,
): Promise<Vault> {
  mustAccept(config.databaseUrl, engine)
  if (schema > migrations.length)
    throw new Refusal(
      `Backup ${id} was made by a newer version (${hubVersion}). Restore it with that version.`,
    )
  const key = config.masterKey ?? (await readMasterKey(config.data))
  const where = config.masterKey ? 'DRAGOMAN_MASTER_KEY' : masterKeyFile(config.data)
  if (!key)
    throw new Refusal(
      `The master key is missing. It is not in the backup: set DRAGOMAN_MASTER_KEY, or put the key file of the hub at ${where}.`,
    )
  const vault = openVault(key)
  try {
    vault.open('check', vaultCheck)
    return vault
  } catch {
    throw new Refusal(
      `The master key in ${where} is not that of the hub in backup ${id}. Use the original key.`,
    )
  }
}

function mustBeProven(vault: Vault, manifest: Manifest): void {
  if (isProven(vault, manifest)) return
  const { id } = manifest.header
  const why = manifest.signed
    ? `The manifest of backup ${id} does not match its MAC: somebody changed the backup after it was made.`
    : `Backup ${id} has no MAC: an earlier version made it, or somebody took the MAC off.`
  throw new Refusal(
    `${why} Nothing was restored. --unproven restores it anyway: rows, files, roles and secrets in it may then be those of whoever could write to the place.`,
  )
}

async function mustBeEmpty(config: Config): Promise<void> {
  await mustBeUnused(config.databaseUrl)
  const blobs = await openBlobs(config.blobsUrl, { clock: openClock().now })
  try {
    for await (const { blobId } of blobs.list())
      throw new Refusal(
        `DRAGOMAN_BLOBS_URL names a place with files (${blobId}); give an empty one.`,
      )
  } finally {
    await blobs.close()
  }
}

/**
 * Reads the copy of the database, and compares the sizes of files; their sums are compared while
 * they are copied.
 */
async function findDamage(
  place: BackupPlace,
  { header, files }: Manifest,
  salvage: boolean,
): Promise<string[]> {
  const { database, id } = header
  if ((await sumPiece(place.files, database.blobId))?.sha256 !== database.sha256)
    throw new Refusal(
      `The copy of the database in backup ${id} is damaged. Restore another backup.`,
    )
  const sizes = await sizesIn(place.files)
  const bad = files
    .filter(({ blobId, size }) => sizes.get(blobId) !== size)
    .map(({ blobId }) => blobId)
  if (bad.length > 0 && !salvage)
    throw new Refusal(
      `Backup ${id} is damaged: ${bad.length} of ${files.length} files are missing or incomplete (${bad.slice(0, 3).join(', ')}). Restore another backup, or everything else with --salvage.`,
    )
  return bad
}

type Fill = {
  readonly leftOut: readonly string[]
  readonly salvage: boolean
  readonly told: OnProgress
}

async function fill(
  config: Config,
  place: BackupPlace,
  { header, files }: Manifest,
  { leftOut, salvage, told }: Fill,
): Promise<RestoreReport> {
  const { id, at, engine, bytes, database } = header
  const { stream } = await place.files.open(database.blobId)
  await fillDatabase(config.databaseUrl, stream, { what: 'restore', detail: id })
  const hub = await openHub(config, { as: 'tool', log: openLog('silent'), unfinished: true })
  try {
    const without = new Set(leftOut)
    let done = 0
    await inBatches(files, 8, async (piece) => {
      if (!without.has(piece.blobId) && !(await putBack(hub, place, piece))) {
        if (!salvage)
          throw new Refusal(
            `The file ${piece.blobId} in backup ${id} is damaged. Restore another backup, or everything else with --salvage.`,
          )
        without.add(piece.blobId)
      }
      done += 1
      told(done, files.length)
    })
    const endedUploads = await finishCopy(
      hub,
      { thing: 'hub', verb: 'restored', id },
      'files copied',
    )
    const check = await checkHub(hub)
    return {
      id,
      at,
      engine,
      files: files.length,
      bytes,
      leftOut: [...without],
      endedUploads,
      check,
    }
  } finally {
    await closeHub(hub)
  }
}

/** False if the bytes are not those of the manifest; they are removed again. */
async function putBack(hub: Hub, place: BackupPlace, { blobId, sha256 }: Piece): Promise<boolean> {
  const written = await hub.blobs.put(blobId, (await place.files.open(blobId)).stream, noLimit)
  if (written.sha256 === sha256) return true
  await hub.blobs.remove(blobId)
  return false
}
