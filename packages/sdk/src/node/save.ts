/**
 * A file as a whole or not at all: the bytes go beside its place, are flushed, and are moved there. Whoever looks sees
 * the old file or the new one, never half of it.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Download } from '../download.ts'

export async function writeWhole(
  path: string,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<void> {
  const folder = dirname(path)
  await mkdir(folder, { recursive: true })
  const beside = join(folder, `.${basename(path).slice(0, 100)}.${randomBytes(6).toString('hex')}.part`)
  try {
    const file = await open(beside, 'wx')
    try {
      for await (const piece of pieces) await file.writeFile(piece)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/** `await saveDownload('de-DE/page.html', await hub.download(request))`. */
export const saveDownload = (path: string, download: Download): Promise<void> => writeWhole(path, download.chunks())
