// One writer per blob in this process. The caller's lease keeps several nodes apart.
import { BlobConflict, mustBeBlobId } from './blob-store.ts'

export type Writers = {
  /** Runs a write, or throws BlobConflict if the same blob is already being written. */
  alone<Result>(blobId: string, write: () => Promise<Result>): Promise<Result>
  has(blobId: string): boolean
}

export function oneWriterEach(): Writers {
  const writing = new Set<string>()
  return {
    async alone(blobId, write) {
      mustBeBlobId(blobId)
      if (writing.has(blobId)) throw new BlobConflict('Another call is writing these bytes.')
      writing.add(blobId)
      try {
        return await write()
      } finally {
        writing.delete(blobId)
      }
    },
    has: (blobId) => writing.has(blobId),
  }
}
