// Resumable writes on disk: into `<blob>.part`, flushed at the end of every append, truncated to
// the committed offset by the next one, renamed when finished. A writer that takes over from one
// that may still be alive works on a copy.
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, rename, unlink } from 'node:fs/promises'
import {
  BlobConflict,
  BlobMissing,
  type BlobStore,
  BlobTrouble,
  type Progress,
  type Written,
} from '../blob-store.ts'
import { type FileHash, newFileHash, sha256OfFile } from '../file-hash.ts'
import type { RunningHashes } from '../running-hash.ts'
import type { Writers } from '../writers.ts'
import { type Folder, missing, onDisk, unlessAbsent } from './disk-folder.ts'
import { writeBytes } from './disk-write.ts'

/** The progress of a write on disk. */
type State = {
  readonly mark: string
  readonly offset: number
  /** Which part file holds the bytes; the first one has no tag. */
  readonly part?: string
  /**
   * A part file that this state no longer needs. The next call removes it, because that call proves
   * that this state was committed.
   */
  readonly spent?: string
  /**
   * The previous writer may still be alive: it keeps its part file, and the committed bytes are
   * copied.
   */
  readonly fenced?: true
  /** The sha256 is not needed. */
  readonly unhashed?: true
}

export type DiskPlace = {
  readonly folder: Folder
  readonly writers: Writers
  readonly hashes: RunningHashes<FileHash>
  /** Sets the modification time to the hub's clock, which the sandbox may have moved. */
  touch(file: FileHandle): Promise<void>
}

export function appendsOnDisk(
  place: DiskPlace,
): Pick<BlobStore, 'begin' | 'append' | 'fence' | 'finish' | 'abandon'> {
  const { folder, writers, hashes, touch } = place
  const openPart = (blobId: string, tag?: string) =>
    open(folder.part(blobId, tag), 'r+').catch(missing)
  const dropPart = (blobId: string, tag?: string) =>
    unlink(folder.part(blobId, tag)).catch(unlessAbsent)

  async function copyPart(blobId: string, tag?: string): Promise<string> {
    const fresh = randomBytes(6).toString('hex')
    const mode = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE
    await copyFile(folder.part(blobId, tag), folder.part(blobId, fresh), mode).catch(missing)
    return fresh
  }

  /** An earlier finish did the rename, but its caller died before it could record that. */
  async function alreadyFinished(blobId: string, size: number, unhashed = false): Promise<Written> {
    const file = await open(folder.whole(blobId), 'r').catch(missing)
    try {
      if ((await file.stat()).size !== size)
        throw new BlobConflict('The finished blob has another size.')
      await file.sync()
      await folder.flushNames(blobId)
      return { size, sha256: unhashed ? '' : await sha256OfFile(folder.whole(blobId), size) }
    } finally {
      await file.close()
    }
  }

  return {
    begin: (blobId, { unhashed } = {}) =>
      writers.alone(blobId, () =>
        onDisk(async () => {
          await folder.prepare(blobId)
          const file = await open(folder.part(blobId), 'wx', 0o600)
          await touch(file).finally(() => file.close())
          await folder.flushNames(blobId)
          const mark = hashes.keep(blobId, unhashed ? undefined : newFileHash())
          return { mark, offset: 0, ...(unhashed && { unhashed }) } satisfies State
        }),
      ),

    append: (blobId, { offset, progress }, bytes, { maxBytes, spends = false, entire = false }) =>
      writers.alone(blobId, () =>
        onDisk(async () => {
          const { mark, part, spent, fenced, unhashed } = stateOf(progress, offset)
          if (spent !== undefined) await dropPart(blobId, spent)
          const tag = fenced ? await copyPart(blobId, part) : part
          const file = await openPart(blobId, tag)
          let cut = false
          let grown = false
          try {
            await cutTo(file, offset)
            cut = true
            const hash = hashes.take(blobId, mark)
            const onWritten = (from: number, to: number) =>
              hash?.read(folder.part(blobId, tag), from, to)
            const written = await writeBytes(file, bytes, { offset, maxBytes, spends, onWritten })
            if (entire && 'interrupted' in written) {
              await file.truncate(offset)
              return { ...written, offset, progress }
            }
            if (written.offset === offset) return { ...written, progress }
            await Promise.all([touch(file), file.datasync()])
            if (fenced) await folder.flushNames(blobId)
            grown = true
            const next: State = {
              mark: hashes.keep(blobId, hash),
              offset: written.offset,
              ...(tag && { part: tag }),
              ...(fenced && { spent: part ?? '' }),
              ...(unhashed && { unhashed }),
            }
            return { ...written, progress: next }
          } catch (error) {
            // Frees the space at once if the disk is full; the next append would truncate it
            // anyway.
            if (cut) await file.truncate(offset).catch(() => {})
            throw error
          } finally {
            await file.close()
            if (fenced && !grown) await dropPart(blobId, tag)
          }
        }),
      ),

    fence: (progress) => ({ ...progress, fenced: true }),

    finish: (blobId, { size, progress }) =>
      writers.alone(blobId, () =>
        onDisk(async () => {
          const { mark, part, spent, unhashed } = stateOf(progress, size)
          const file = await openPart(blobId, part).catch((error: unknown) => {
            if (error instanceof BlobMissing) return undefined
            throw error
          })
          if (!file) return alreadyFinished(blobId, size, unhashed)
          let sha256 = ''
          try {
            await cutTo(file, size)
            if (!unhashed) {
              const known = hashes.take(blobId, mark)?.digest()
              sha256 = (await known) ?? (await sha256OfFile(folder.part(blobId, part), size))
            }
            await touch(file)
            await file.sync()
          } finally {
            await file.close()
          }
          await rename(folder.part(blobId, part), folder.whole(blobId))
          await folder.flushNames(blobId)
          if (spent !== undefined) await dropPart(blobId, spent)
          hashes.forget(blobId)
          return { size, sha256 }
        }),
      ),

    abandon: (blobId) =>
      onDisk(async () => {
        hashes.forget(blobId)
        for (const path of await folder.parts(blobId)) await unlink(path).catch(unlessAbsent)
        await unlink(folder.whole(blobId)).catch(unlessAbsent)
      }),
  }
}

function stateOf(progress: Progress, offset: number): State {
  const state = progress as State
  if (state.offset === offset) return state
  throw new BlobConflict(`This upload is not at byte ${offset}.`)
}

/** Truncates bytes that were appended but never committed. */
async function cutTo(file: FileHandle, offset: number): Promise<void> {
  const { size } = await file.stat()
  if (size < offset)
    throw new BlobTrouble(`Only ${size} of ${offset} acknowledged bytes are on the disk.`)
  if (size > offset) await file.truncate(offset)
}
