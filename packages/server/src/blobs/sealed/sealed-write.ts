// Sealed writes, whole and resumable. The bytes after the last full segment of a resumable write
// are sealed in its progress, so the store below only gets whole segments. The append that reaches
// the maximum size also writes the last segment: finishing then writes nothing and may run twice at
// the same time.
import {
  BlobConflict,
  BlobMissing,
  type BlobStore,
  BlobTooLarge,
  type Bytes,
  type Limits,
  mustBeBlobId,
  type Progress,
} from '../blob-store.ts'
import type { RunningHashes } from '../running-hash.ts'
import { type Mark, sealedSegmentBytes, sealedSize, segmentOf } from '../segments.ts'
import { type ByteHash, newByteHash, sealStream } from './seal-thread.ts'
import { flow } from './sealed-flow.ts'

type State = {
  readonly mark: string
  readonly offset: number
  /** Base64 of the sealed bytes after the last full segment. */
  readonly tail?: string
  /** The last segment is written. */
  readonly ended?: true
  /** The progress of the store below. */
  readonly below: Progress
}

export type SealedStore = {
  readonly store: BlobStore
  readonly key: Uint8Array
  readonly hashes: RunningHashes<ByteHash>
  /** Reads a whole blob for its sha256. */
  sha256(blobId: string): Promise<string>
}

const below: Limits = { maxBytes: Number.MAX_SAFE_INTEGER, spends: true, unhashed: true }

export function sealedWrites(
  place: SealedStore,
): Pick<BlobStore, 'put' | 'begin' | 'append' | 'fence' | 'finish' | 'abandon'> {
  const { store, key, hashes, sha256 } = place
  const blobOf = (blobId: string) => ({ blobId: mustBeBlobId(blobId), key })
  const startOf = (blobId: string, { offset, tail }: State) => ({
    blob: blobOf(blobId),
    index: segmentOf(offset),
    ...(tail && { tail: Buffer.from(tail, 'base64') }),
  })
  /** Where the store below continues. */
  const positionBelow = (state: State) => ({
    offset: segmentOf(state.offset) * sealedSegmentBytes,
    progress: state.below,
  })

  async function writeEnd(blobId: string, state: State): Promise<Progress> {
    const last = flow(nothing(), { open: () => sealStream(startOf(blobId, state)), spends: true })
    const written = await store.append(blobId, positionBelow(state), last, below)
    if ('interrupted' in written) throw written.interrupted
    return written.progress
  }

  return {
    async put(blobId, bytes, { maxBytes, spends = false }) {
      const hash = newByteHash()
      const count = openCount(0, maxBytes)
      const open = () => sealStream({ blob: blobOf(blobId), index: 0 }, hash)
      await store.put(blobId, flow(bytes, { open, spends, counted: count.add }), below)
      return { size: count.size(), sha256: (await hash.digest()) ?? (await sha256(blobId)) }
    },

    async begin(blobId) {
      const progress = await store.begin(mustBeBlobId(blobId), { unhashed: true })
      return {
        mark: hashes.keep(blobId, newByteHash()),
        offset: 0,
        below: progress,
      } satisfies State
    },

    async append(
      blobId,
      { offset, progress },
      bytes,
      { maxBytes, spends = false, entire = false },
    ) {
      const state = stateOf(progress, offset)
      const hash = hashes.take(blobId, state.mark)
      const count = openCount(offset, state.ended ? offset : maxBytes)
      const end: { mark: Mark; tail?: string; interrupted?: unknown } = { mark: 'tail' }
      const sealed = flow(bytes, {
        open: () => sealStream(startOf(blobId, state), hash),
        spends,
        counted: count.add,
        broken: (error) => {
          end.interrupted = error
          if (entire) throw error
        },
        mark: () => {
          if (count.size() === maxBytes && count.size() > offset) end.mark = 'last'
          return end.mark
        },
        tail: (left) => {
          end.tail = Buffer.from(left).toString('base64')
        },
      })
      const written = await store.append(blobId, positionBelow(state), sealed, { ...below, entire })
      const broken = 'interrupted' in end && { interrupted: end.interrupted }
      // Otherwise the source failed because of a limit or an error of ours: nothing counts.
      if ('interrupted' in written && !(entire && broken)) throw written.interrupted
      if (count.size() === offset || 'interrupted' in written)
        return { offset, progress, ...broken }
      const next: State = {
        mark: hashes.keep(blobId, hash),
        offset: count.size(),
        ...(end.mark === 'last' ? { ended: true } : end.tail !== undefined && { tail: end.tail }),
        below: written.progress,
      }
      return { offset: next.offset, progress: next, ...broken }
    },

    fence: (progress) => fenceSealed(store, progress) ?? progress,

    async finish(blobId, { size, progress }) {
      const state = stateOf(progress, size)
      try {
        const last = state.ended ? state.below : await writeEnd(blobId, state)
        await store.finish(blobId, { size: sealedSize(size), progress: last })
      } catch (error) {
        // An earlier finish succeeded, but its caller died before it could record that.
        if (!(error instanceof BlobMissing)) throw error
        if ((await store.size(blobId)) !== sealedSize(size))
          throw new BlobConflict('The finished blob has another size.')
      }
      const known = await hashes.take(blobId, state.mark)?.digest()
      hashes.forget(blobId)
      return { size, sha256: known ?? (await sha256(blobId)) }
    },

    async abandon(blobId) {
      hashes.forget(blobId)
      await store.abandon(blobId)
    },
  }
}

/** Needs no key; undefined if the progress is not that of a sealed blob. */
export function fenceSealed(store: BlobStore, progress: Progress): Progress | undefined {
  const { below } = progress as Partial<State>
  return below && { ...progress, below: store.fence(below) }
}

async function* nothing(): Bytes & AsyncGenerator<never> {}

function openCount(from: number, maxBytes: number) {
  let size = from
  return {
    size: () => size,
    add: (bytes: number) => {
      size += bytes
      if (size > maxBytes) throw new BlobTooLarge(`More than ${maxBytes} bytes were sent.`)
    },
  }
}

function stateOf(progress: Progress, offset: number): State {
  const state = progress as Partial<State>
  if (typeof state.mark !== 'string' || state.below === undefined || state.offset === undefined)
    throw new BlobConflict('The progress of this upload was not made for a sealed blob.')
  if (state.offset !== offset) throw new BlobConflict(`This upload is not at byte ${offset}.`)
  return state as State
}
