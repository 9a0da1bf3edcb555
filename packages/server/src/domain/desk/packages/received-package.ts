/**
 * A package on its way in: its bytes go to the blob store as they arrive and are read from there,
 * so that its size does not matter. They are sealed where the hub seals content, and removed when
 * the call ends; the sweep takes those of a hub that died.
 */
import { HubError, limits } from '@dragoman/contract'
import type { ZipSource } from '@dragoman/text/formats'
import { type BlobStore, BlobTooLarge } from '../../../blobs/blob-store.ts'
import type { Hub } from '../../../hub.ts'
import { newBlob } from '../../files/blob-place.ts'
import { mustHaveSpace } from '../../files/free-space.ts'

export type ReceivedPackage = ZipSource & { readonly sha256: string }

export async function withReceived<T>(
  hub: Hub,
  bytes: AsyncIterable<Uint8Array>,
  act: (received: ReceivedPackage) => Promise<T>,
): Promise<T> {
  await mustHaveSpace(hub)
  const { blobId, store } = newBlob(hub)
  const limit = limits.packageBytes
  const { size, sha256 } = await store
    .put(blobId, bytes, { maxBytes: limit, spends: true })
    .catch((error) => {
      throw error instanceof BlobTooLarge
        ? new HubError('CONTENT_TOO_LARGE', { what: 'The package', limit })
        : error
    })
  try {
    return await act({ size, sha256, read: (from, to) => readBlob(store, blobId, from, to) })
  } finally {
    await hub.blobs
      .remove(blobId)
      .catch((trouble) =>
        hub.log.warn({ err: trouble }, 'a package could not be removed; the sweep will remove it'),
      )
  }
}

async function* readBlob(
  store: BlobStore,
  blobId: string,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array, void> {
  const { stream } = await store.open(blobId, { start: from, end: to - 1 })
  yield* stream
}
