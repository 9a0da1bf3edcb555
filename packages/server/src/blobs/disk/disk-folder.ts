// Where blobs are on a disk: <folder>/<first two digits>/<blob id>, with the suffix `.part` while
// being written, and `.<tag>.part` once a second writer has taken over. Makes folders and renames
// survive a power cut, and explains disk errors.
import { constants } from 'node:fs'
import { mkdir, open, opendir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { BlobMissing, BlobTrouble, isBlobId, mustBeBlobId } from '../blob-store.ts'

const partForm = /^([0-9a-f]{32})(?:\.[0-9a-f]+)?\.part$/

export type BlobFile = { readonly blobId: string; readonly path: string; readonly whole: boolean }

export type Folder = {
  readonly root: string
  whole(blobId: string): string
  part(blobId: string, tag?: string): string
  /** Every existing part file of the blob. */
  parts(blobId: string): Promise<string[]>
  /** Creates the folder for this blob, durably. */
  prepare(blobId: string): Promise<void>
  /** Makes names in the blob's folder durable. */
  flushNames(blobId: string): Promise<void>
  files(): AsyncIterable<BlobFile>
}

export async function openFolder(root: string): Promise<Folder> {
  const made = await mkdir(root, { recursive: true, mode: 0o700 })
  for (let path = root; made !== undefined && path.length >= made.length; path = dirname(path)) {
    await flushFolder(dirname(path))
  }
  const prepared = new Set<string>()
  const shard = (blobId: string) => join(root, mustBeBlobId(blobId).slice(0, 2))
  const whole = (blobId: string) => join(shard(blobId), blobId)

  return {
    root,
    whole,
    part: (blobId, tag = '') => `${whole(blobId)}${tag && `.${tag}`}.part`,
    async parts(blobId) {
      const names = await readdir(shard(blobId)).catch((error: unknown) => {
        if (isAbsent(error)) return []
        throw error
      })
      return names
        .filter((name) => partForm.exec(name)?.[1] === blobId)
        .map((name) => join(shard(blobId), name))
    },
    async prepare(blobId) {
      const folder = shard(blobId)
      if (prepared.has(folder)) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await flushFolder(root)
      prepared.add(folder)
    },
    flushNames: (blobId) => flushFolder(shard(blobId)),
    async *files() {
      for await (const entry of await opendir(root)) {
        if (!entry.isDirectory() || !/^[0-9a-f]{2}$/.test(entry.name)) continue
        for await (const file of await opendir(join(root, entry.name))) {
          const blobId = partForm.exec(file.name)?.[1] ?? file.name
          if (!file.isFile() || !isBlobId(blobId)) continue
          yield { blobId, path: join(root, entry.name, file.name), whole: file.name === blobId }
        }
      }
    },
  }
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const sentences: Record<string, string> = {
  ENOSPC: 'The disk of the blob folder is full.',
  EDQUOT: 'The disk quota of the blob folder is used up.',
  EFBIG: 'The file system of the blob folder does not support files of this size.',
  EIO: 'The disk of the blob folder reports an input/output error.',
  EROFS: 'The blob folder is on a read-only file system.',
  EACCES: 'The hub has no permission to use the blob folder.',
  EPERM: 'The hub has no permission to use the blob folder.',
  EMFILE: 'The hub has too many open files to reach the blob folder.',
  ENFILE: 'The machine has too many open files to reach the blob folder.',
  ENOENT: 'A part of the blob folder is missing.',
  ENOTDIR: 'The blob folder is not a folder.',
}

const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined

const isAbsent = (error: unknown): boolean => codeOf(error) === 'ENOENT'

export function missing(error: unknown): never {
  if (isAbsent(error)) throw new BlobMissing('There is no such blob.', { cause: error })
  throw error
}

export function unlessAbsent(error: unknown): undefined {
  if (!isAbsent(error)) throw error
}

/** Runs disk work; disk errors become BlobTrouble, others pass through. */
export async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw asTrouble(error)
  }
}

export function asTrouble(error: unknown): unknown {
  const code = codeOf(error)
  if (!(error instanceof Error) || code === undefined || !('syscall' in error)) return error
  return new BlobTrouble(sentences[code] ?? `The blob folder cannot be used (${code}).`, {
    cause: error,
  })
}
