/** A file of random bytes to upload, with its sha256. Uses little memory at any size. */
import { createHash, randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'

export type SourceFile = { readonly path: string; readonly size: number; readonly sha256: string }

const pieceBytes = 4 * 1024 ** 2

export async function makeSourceFile(path: string, size: number): Promise<SourceFile> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx')
  try {
    for (let left = size; left > 0; left -= pieceBytes) {
      const piece = randomBytes(Math.min(left, pieceBytes))
      hash.update(piece)
      await file.write(piece)
    }
  } finally {
    await file.close()
  }
  return { path, size, sha256: hash.digest('hex') }
}
