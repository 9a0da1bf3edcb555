// sha256 of uploads in progress. A running hash cannot be serialised, so it stays in this node's
// memory under a random mark that the committed progress carries. If the mark is unknown here
// (after a restart, on another node), finish reads the bytes again.
import { randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'

export type RunningHashes<Hash> = {
  /** A hash of the bytes that this mark stands for, to continue with. */
  take(blobId: string, mark: unknown): Hash | undefined
  /**
   * Stores a hash and returns its new mark. The previous one stays, in case this one's row is never
   * committed.
   */
  keep(blobId: string, hash: Hash | undefined): string
  forget(blobId: string): void
}

export function runningHashes<Hash extends { copy(): Hash }>(): RunningHashes<Hash> {
  const uploads = new LRUCache<string, readonly { readonly mark: string; readonly hash: Hash }[]>({
    max: 1_000,
  })
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
