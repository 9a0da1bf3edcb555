// Blobs in a folder. Write to a part file, fsync it, rename, fsync the folder: a resolved promise
// survives a power cut. Modification times are set to the hub's clock, because the sandbox may have
// moved it.
import { constants } from 'node:fs'
import {
  copyFile,
  type FileHandle,
  link,
  open,
  rename,
  stat,
  statfs,
  unlink,
} from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobStore, type Bytes, type Limits, newBlobId, type Written } from '../blob-store.ts'
import { type FileHash, newFileHash, sha256OfFile } from '../file-hash.ts'
import { runningHashes } from '../running-hash.ts'
import { oneWriterEach } from '../writers.ts'
import { appendsOnDisk, type DiskPlace } from './disk-append.ts'
import { asTrouble, missing, onDisk, openFolder, unlessAbsent } from './disk-folder.ts'
import { type WrittenBytes, writeBytes } from './disk-write.ts'

const readBytes = 256 * 1024

export async function openDiskBlobs(
  root: string,
  options: { readonly clock: () => number },
): Promise<BlobStore> {
  const place: DiskPlace = {
    folder: await onDisk(() => openFolder(root)),
    writers: oneWriterEach(),
    hashes: runningHashes<FileHash>(),
    touch(file: FileHandle) {
      const now = new Date(options.clock())
      return file.utimes(now, now)
    },
  }
  const { folder, writers, hashes } = place

  return {
    hasOwnClock: false,
    put: (blobId, bytes, limits) =>
      writers.alone(blobId, async () => {
        const put = await onDisk(() => putOnDisk(place, blobId, bytes, limits))
        if ('sha256' in put) return put
        throw put.interrupted
      }),

    ...appendsOnDisk(place),

    copy: (from, to) => writers.alone(to, () => onDisk(() => copyOnDisk(place, from, to))),

    open: (blobId, range) =>
      onDisk(async () => {
        const file = await open(folder.whole(blobId), 'r').catch(missing)
        try {
          const { ino, size, mtimeMs, ctimeMs } = await file.stat()
          if (range && !(range.start >= 0 && range.start <= range.end && range.end < size)) {
            throw new RangeError(`The blob has ${size} bytes.`)
          }
          const stream = file.createReadStream({ highWaterMark: readBytes, ...range })
          return { size, stamp: `${ino}-${size}-${mtimeMs}-${ctimeMs}`, stream, fd: file.fd }
        } catch (error) {
          await file.close()
          throw error
        }
      }),

    space: () =>
      onDisk(async () => {
        const { bavail, blocks, bsize } = await statfs(root)
        return { free: bavail * bsize, total: blocks * bsize }
      }),

    size: (blobId) => onDisk(async () => (await stat(folder.whole(blobId)).catch(missing)).size),

    remove: (blobId) => onDisk(async () => await unlink(folder.whole(blobId)).catch(unlessAbsent)),

    async *list() {
      try {
        for await (const { blobId, path, whole } of folder.files()) {
          const found = whole && (await stat(path).catch(unlessAbsent))
          if (found) yield { blobId, size: found.size, modifiedAt: Math.round(found.mtimeMs) }
        }
      } catch (error) {
        throw asTrouble(error)
      }
    },

    sweep: (olderThan, inUse) =>
      onDisk(async () => {
        let swept = 0
        for await (const { blobId, path, whole } of folder.files()) {
          const found = whole ? undefined : await stat(path).catch(unlessAbsent)
          if (
            !found ||
            found.mtimeMs >= olderThan ||
            (await inUse?.(blobId)) ||
            writers.has(blobId)
          )
            continue
          await unlink(path).catch(unlessAbsent)
          hashes.forget(blobId)
          swept += 1
        }
        return swept
      }),

    ready: () =>
      onDisk(async () => {
        const path = join(folder.root, `.ready-${newBlobId()}`)
        const file = await open(path, 'wx', 0o600)
        try {
          await file.write('ready\n')
          await file.sync()
        } finally {
          await file.close()
          await unlink(path).catch(() => {})
        }
      }),

    close: async () => {},
  }
}

async function putOnDisk(
  { folder, touch }: DiskPlace,
  blobId: string,
  bytes: Bytes,
  { maxBytes, spends = false, unhashed }: Limits,
): Promise<Written | WrittenBytes> {
  await folder.prepare(blobId)
  const path = folder.part(blobId)
  const file = await open(path, 'wx', 0o600)
  let leftover: string | undefined = path
  try {
    const hash = unhashed ? undefined : newFileHash()
    const onWritten = (from: number, to: number) => hash?.read(path, from, to)
    const written = await writeBytes(file, bytes, { offset: 0, maxBytes, spends, onWritten })
    if ('interrupted' in written) return written
    await touch(file)
    const [digest] = await Promise.all([hash?.digest() ?? '', file.sync()])
    const sha256 = digest ?? (await sha256OfFile(path, written.offset))
    await rename(path, folder.whole(blobId))
    leftover = folder.whole(blobId)
    await folder.flushNames(blobId)
    leftover = undefined
    return { size: written.offset, sha256 }
  } finally {
    await file.close()
    if (leftover !== undefined) await unlink(leftover).catch(() => {})
  }
}

/** By a hard link; a file system that has none takes a copy, of blocks where it can. */
async function copyOnDisk({ folder, touch }: DiskPlace, from: string, to: string): Promise<void> {
  await folder.prepare(to)
  const part = folder.part(to)
  await link(folder.whole(from), part).catch((error: NodeJS.ErrnoException) => {
    if (!noLinks.has(error.code)) return missing(error)
    return copyFile(folder.whole(from), part, constants.COPYFILE_FICLONE).catch(missing)
  })
  const file = await open(part, 'r+')
  try {
    await touch(file)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(part, folder.whole(to))
  await folder.flushNames(to)
}
const noLinks: ReadonlySet<unknown> = new Set(['EXDEV', 'EPERM', 'EMLINK', 'ENOTSUP', 'ENOSYS'])
