// The port of the blob stores: bytes at rest under random names, written all or nothing or resumably (TUS), and durable
// when a promise is fulfilled. Two adapters stand behind it, disk.ts and s3.ts, and sealed.ts stands before either; all are held to
// it by tests/blobs.conformance.ts.
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

/**
 * Chunks are written without a copy, so their source must not use them again. A store that fails before the end closes the
 * source; a stream that must live on (to answer on its socket) is handed over as `stream.iterator({ destroyOnReturn: false })`.
 */
export type Bytes = AsyncIterable<Uint8Array>

export type Limits = {
  /** The most bytes that the whole blob may have, those already written included. */
  readonly maxBytes: number
  /** Nobody else holds the chunks: a store may empty them once they are written, and not wait for the collector. */
  readonly spends?: boolean
  /** For `put`: the caller does not want the sha256, and is given an empty one. */
  readonly unhashed?: boolean
  /** An append whose source breaks off keeps nothing of what came. */
  readonly entire?: boolean
}

export type Written = { readonly size: number; readonly sha256: string }

/**
 * What a resumable write must remember between two appends. Opaque and JSON-able: the caller keeps it in its row, in the same
 * commit as the offset, and hands back the committed one. Whatever an append wrote without that commit is overwritten.
 */
export type Progress = Readonly<Record<string, unknown>>

export type Appended = {
  /** How many bytes are durable now, counted from the start of the blob. */
  readonly offset: number
  readonly progress: Progress
  /** Why the source broke off, if it did. The bytes that came before it are counted in `offset`, unless `entire` was asked for. */
  readonly interrupted?: unknown
}

/** Both ends are inclusive, as in an HTTP Range. */
export type ByteRange = { readonly start: number; readonly end: number }

export type OpenBlob = {
  /** Size of the whole blob, also when a range was asked for. */
  readonly size: number
  /** Changes when the stored bytes are touched; equal stamps mean equal bytes unless the medium itself decays. */
  readonly stamp: string
  /** Whoever opened it reads it to its end or destroys it. */
  readonly stream: Readable
  /** Where the stream is a file: its descriptor, for a thread that would rather read it itself, while the stream is not destroyed. */
  readonly fd?: number
}

export type StoredBlob = { readonly blobId: string; readonly size: number; readonly modifiedAt: number }

export type LinkOptions = {
  readonly expiresSeconds: number
  readonly contentType: string
  readonly contentDisposition: string
}

export type BlobStore = {
  /** Whether the store dates its bytes by a clock of its own, and not by the hub's. */
  readonly hasOwnClock: boolean
  /** Writes a whole blob, or nothing. Fails with the source's own error when the source breaks off. */
  put(blobId: string, bytes: Bytes, limits: Limits): Promise<Written>
  /** Begins a resumable write at offset 0. Unhashed, it ends with an empty sha256. */
  begin(blobId: string, options?: { readonly unhashed?: boolean }): Promise<Progress>
  /**
   * Writes on from a committed offset. Flushed to the medium once at the end, also when the source broke off; a store that is
   * in trouble throws, and then nothing of this append counts. One writer at a time: a second one in the same process gets
   * BlobConflict, other nodes are kept away by the caller's lease.
   */
  append(
    blobId: string,
    at: { readonly offset: number; readonly progress: Progress },
    bytes: Bytes,
    limits: Limits,
  ): Promise<Appended>
  /**
   * The progress to commit when a writer is taken for dead and another takes over: whatever the first still writes, should it
   * live after all, is never read.
   */
  fence(progress: Progress): Progress
  /** Turns the appended bytes into a blob. May be repeated with the same arguments after a crash. */
  finish(blobId: string, at: { readonly size: number; readonly progress: Progress }): Promise<Written>
  /** Leaves nothing of a resumable write, finished or not. */
  abandon(blobId: string): Promise<void>
  open(blobId: string, range?: ByteRange): Promise<OpenBlob>
  size(blobId: string): Promise<number>
  /** No error when there is none. */
  remove(blobId: string): Promise<void>
  /** Whole blobs only, in no order. */
  list(): AsyncIterable<StoredBlob>
  /**
   * Removes what interrupted writes left behind and nobody touched since `olderThan` (ms); answers how many. `inUse` keeps the
   * uploads that a row still knows.
   */
  sweep(olderThan: number, inUse?: (blobId: string) => Promise<boolean>): Promise<number>
  /** A URL from which anyone may read the blob until it expires; absent where the store has no such ability. */
  readonly link?: (blobId: string, options: LinkOptions) => Promise<string>
  /** How much more fits in, and how much there is in all, in bytes; absent where there is no end. */
  readonly space?: () => Promise<{ readonly free: number; readonly total: number }>
  /** Really asks the store; throws BlobTrouble when it cannot be used. */
  ready(): Promise<void>
  close(): Promise<void>
}

/** The store cannot do its work now (full, broken, unreachable). The message is a sentence without secrets. */
export class BlobTrouble extends Error {
  override readonly name: string = 'BlobTrouble'
}

/** The bytes are there, and are not what was written. */
export class BlobDamaged extends BlobTrouble {
  override readonly name = 'BlobDamaged'
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing'
}

/** More bytes than the limit allows. Nothing of this write is kept. */
export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge'
}

/** Another writer is at it, or offset and progress do not fit what is stored. */
export class BlobConflict extends Error {
  override readonly name = 'BlobConflict'
}

const blobIdForm = /^[0-9a-f]{32}$/

/** 128 random bits in hex: safe on every file system, also on those that ignore case. */
export const newBlobId = (): string => randomBytes(16).toString('hex')

export const isBlobId = (text: string): boolean => blobIdForm.test(text)

/** Keeps anything but a name made by newBlobId away from paths and keys. */
export function mustBeBlobId(text: string): string {
  if (!isBlobId(text)) throw new TypeError('A blob id is 32 hexadecimal digits.')
  return text
}
