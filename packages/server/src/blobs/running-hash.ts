// sha256 of uploads on their way. A running hash cannot be written down, so it stays in this node's memory beside a random mark
// that the committed progress carries; where mark and memory do not meet (restart, other node) finish reads the bytes again.
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

export type RunningHashes<Hash> = {
  /** A hash of the bytes that this mark stands for, to write on with. */
  take(blobId: string, mark: unknown): Hash | undefined
  /** Remembers a hash and answers its new mark. The one before it stays, in case the row of this one is never committed. */
  keep(blobId: string, hash: Hash | undefined): string
  forget(blobId: string): void
}

export function runningHashes<Hash extends { copy(): Hash }>(mostUploads = 1_000): RunningHashes<Hash> {
  const uploads = new LRUCache<string, readonly { readonly mark: string; readonly hash: Hash }[]>({ max: mostUploads })
  return {
    take: (blobId, mark) =>
      uploads
        .get(blobId)
        ?.find((kept) => kept.mark === mark)
        ?.hash.copy(),
    keep(blobId, hash) {
      const mark = randomBytes(12).toString('hex')
      if (!hash) return mark
      const before = uploads.get(blobId) ?? []
      uploads.set(blobId, [...before.slice(-1), { mark, hash }])
      return mark
    },
    forget: (blobId) => void uploads.delete(blobId),
  }
}
