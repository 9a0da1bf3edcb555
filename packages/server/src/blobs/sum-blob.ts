/** Reads a whole blob: its size and its sha256; undefined if there is none. */
import { createHash } from 'node:crypto'
import { BlobMissing, type BlobStore, type Written } from './blob-store.ts'

export async function sumBlob(
  store: BlobStore,
  blobId: string,
  onChunk: (bytes: number) => void = () => {},
): Promise<Written | undefined> {
  try {
    const hash = createHash('sha256')
    let size = 0
    for await (const chunk of (await store.open(blobId)).stream as AsyncIterable<Uint8Array>) {
      hash.update(chunk)
      size += chunk.byteLength
      onChunk(chunk.byteLength)
    }
    return { size, sha256: hash.digest('hex') }
  } catch (error) {
    if (error instanceof BlobMissing) return undefined
    throw error
  }
}
