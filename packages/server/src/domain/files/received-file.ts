/**
 * A body on its way in: its bytes go to the blob store as they arrive and are read from there, so
 * that neither its size nor a slow sender takes memory. They are sealed where the hub seals
 * content, and removed when the call ends; the sweep takes those of a hub that died.
 */
import { HubError } from '@dragoman/contract'
import { type BlobStore, BlobTooLarge } from '../../blobs/blob-store.ts'
import type { Hub } from '../../hub.ts'
import { newBlob } from './blob-place.ts'
import { mustHaveSpace } from './free-space.ts'

export type ReceivedFile = {
  readonly size: number
  readonly sha256: string
  read(from: number, to: number): AsyncIterable<Uint8Array>
}

/** `what` names the body in the error of one that is too large. */
export async function withReceived<T>(
  hub: Hub,
  bytes: AsyncIterable<Uint8Array>,
  { what, limit }: { readonly what: string; readonly limit: number },
  act: (received: ReceivedFile) => Promise<T>,
): Promise<T> {
  await mustHaveSpace(hub)
  const { blobId, store } = newBlob(hub)
  const { size, sha256 } = await store
    .put(blobId, bytes, { maxBytes: limit, spends: true })
    .catch((error) => {
      throw error instanceof BlobTooLarge
        ? new HubError('CONTENT_TOO_LARGE', { what, limit })
        : error
    })
  try {
    return await act({ size, sha256, read: (from, to) => readBlob(store, blobId, from, to) })
  } finally {
    await hub.blobs
      .remove(blobId)
      .catch((trouble) =>
        hub.log.warn({ err: trouble }, 'a body could not be removed; the sweep will remove it'),
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

/** All of it, in memory of its own. */
export async function wholeOf({ size, read }: ReceivedFile): Promise<Uint8Array> {
  const whole = new Uint8Array(size)
  let at = 0
  if (size > 0)
    for await (const chunk of read(0, size)) {
      whole.set(chunk, at)
      at += chunk.length
    }
  return whole
}
