/**
 * Writes a file completely or not at all: to a temporary file, which is flushed and renamed.
 * Readers see the old file or the new one, never half of it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Download } from '../download.ts'
import { cutName } from '../names.ts'
import { placeIn } from './place-in.ts'

/**
 * The caller must trust the path; use `saveDownload` or `safePath` for a name from a hub. With
 * `isWanted`, the file there stays as it is unless the SHA-256 of the new content is wanted.
 */
export async function writeWhole(
  path: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  isWanted: (sha256: string) => boolean = () => true,
): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const beside = join(
    folder,
    `.${cutName(basename(path), 100)}.${randomBytes(6).toString('hex')}.part`,
  )
  try {
    const hash = createHash('sha256')
    const file = await open(beside, 'wx')
    try {
      for await (const piece of pieces) {
        hash.update(piece)
        await file.writeFile(piece)
      }
      await file.sync()
    } finally {
      await file.close()
    }
    if (isWanted(hash.digest('hex'))) await rename(beside, path)
    else await rm(beside)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/**
 * `await saveDownload('translated', request.requestName, await hub.download(request))`: always
 * below the folder. Slashes in the name create folders. Returns the written path.
 */
export async function saveDownload(
  folder: string,
  name: string,
  download: Download,
): Promise<string> {
  const path = await placeIn(folder, name, download.of)
  await writeWhole(path, download.chunks())
  return path
}
