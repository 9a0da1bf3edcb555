// The port of the blob stores: bytes under random names, written all or nothing or resumably (TUS),
// and durable when a promise resolves. It has two adapters, disk.ts and s3.ts; sealed.ts wraps
// either. tests/blobs.conformance.ts tests all of them.
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'

/**
 * Chunks are written without a copy, so the source must not reuse them. A store that fails before
 * the end closes the source; a stream that must stay open (to answer on its socket) is passed as
 * `stream.iterator({ destroyOnReturn: false })`.
 */
export type Bytes = AsyncIterable<Uint8Array>

export type Limits = {
  /** Maximum size of the whole blob, including bytes already written. */
  readonly maxBytes: number
  /**
   * The chunks are not shared: a store may free their memory once they are written, without waiting
   * for garbage collection.
   */
  readonly spends?: boolean
  /** For `put`: the caller does not need the sha256; it is returned empty. */
  readonly unhashed?: boolean
  /** If the source fails, the append keeps none of its bytes. */
  readonly entire?: boolean
}

export type Written = { readonly size: number; readonly sha256: string }

/**
 * What a resumable write must remember between two appends. Opaque and serialisable as JSON: the
 * caller stores it in its row, in the same commit as the offset, and passes back the committed one.
 * Bytes appended without that commit are overwritten.
 */
export type Progress = Readonly<Record<string, unknown>>

export type Appended = {
  /** How many bytes are durable, counted from the start of the blob. */
  readonly offset: number
  readonly progress: Progress
  /**
   * Why the source failed, if it did. The bytes before the failure are counted in `offset`, unless
   * `entire` was set.
   */
  readonly interrupted?: unknown
}

/** Both ends are inclusive, as in an HTTP Range. */
export type ByteRange = { readonly start: number; readonly end: number }

export type OpenBlob = {
  /** Size of the whole blob, even for a range. */
  readonly size: number
  /**
   * Changes when the stored bytes change; equal stamps mean equal bytes, unless the medium itself
   * decays.
   */
  readonly stamp: string
  /** The caller must read it to the end or destroy it. */
  readonly stream: Readable
  /**
   * The descriptor, if the stream is a file: a thread can read from it until the stream is
   * destroyed.
   */
  readonly fd?: number
}

export type StoredBlob = {
  readonly blobId: string
  readonly size: number
  readonly modifiedAt: number
}

export type LinkOptions = {
  readonly expiresSeconds: number
  readonly contentType: string
  readonly contentDisposition: string
}

export type BlobStore = {
  /** Whether the store dates blobs by its own clock instead of the hub's. */
  readonly hasOwnClock: boolean
  /** Writes a whole blob, or nothing. Fails with the source's own error if the source fails. */
  put(blobId: string, bytes: Bytes, limits: Limits): Promise<Written>
  /** Begins a resumable write at offset 0. With `unhashed`, it ends with an empty sha256. */
  begin(blobId: string, options?: { readonly unhashed?: boolean }): Promise<Progress>
  /**
   * Continues at a committed offset. Flushes once at the end, even if the source failed; if the
   * store itself fails it throws, and nothing of this append counts. One writer at a time: a second
   * one in the same process gets BlobConflict; the caller's lease keeps other nodes out.
   */
  append(
    blobId: string,
    at: { readonly offset: number; readonly progress: Progress },
    bytes: Bytes,
    limits: Limits,
  ): Promise<Appended>
  /**
   * The progress to commit when another writer takes over from one that seems dead: anything the
   * first still writes is never read.
   */
  fence(progress: Progress): Progress
  /**
   * Turns the appended bytes into a blob. May be repeated with the same arguments after a crash.
   */
  finish(
    blobId: string,
    at: { readonly size: number; readonly progress: Progress },
  ): Promise<Written>
  /** Removes everything of a resumable write, finished or not. */
  abandon(blobId: string): Promise<void>
  /**
   * A second name for the bytes of a whole blob; each of the two can be removed by itself. Dated
   * like a new blob. A sealed blob has none: its bytes open under one name only.
   */
  readonly copy?: (from: string, to: string) => Promise<void>
  open(blobId: string, range?: ByteRange): Promise<OpenBlob>
  size(blobId: string): Promise<number>
  /** Does nothing if there is no such blob. */
  remove(blobId: string): Promise<void>
  /** Whole blobs only, in no order. */
  list(): AsyncIterable<StoredBlob>
  /**
   * Removes the remains of interrupted writes that were last touched before `olderThan` (ms);
   * returns how many. `inUse` protects uploads that still have a row.
   */
  sweep(olderThan: number, inUse?: (blobId: string) => Promise<boolean>): Promise<number>
  /**
   * A URL from which anyone can read the blob until it expires; absent if the store does not
   * support it.
   */
  readonly link?: (blobId: string, options: LinkOptions) => Promise<string>
  /** Free and total bytes; absent if the store has no limit. */
  readonly space?: () => Promise<{ readonly free: number; readonly total: number }>
  /** Makes a real call to the store; throws BlobTrouble if it is not usable. */
  ready(): Promise<void>
  close(): Promise<void>
}

/**
 * The store does not work now (full, broken, unreachable). The message is a sentence without
 * secrets.
 */
export class BlobTrouble extends Error {
  override readonly name: string = 'BlobTrouble'
}

/** The bytes exist but differ from what was written. */
export class BlobDamaged extends BlobTrouble {
  override readonly name = 'BlobDamaged'
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing'
}

/** More bytes than the limit. Nothing of this write is kept. */
export class BlobTooLarge extends Error {
  override readonly name = 'BlobTooLarge'
}

/** Another writer is active, or offset and progress do not match the stored bytes. */
export class BlobConflict extends Error {
  override readonly name = 'BlobConflict'
}

const blobIdForm = /^[0-9a-f]{32}$/

/** 128 random bits in hex: safe on every file system, even a case-insensitive one. */
export const newBlobId = (): string => randomBytes(16).toString('hex')

export const isBlobId = (text: string): boolean => blobIdForm.test(text)

/** Lets only names made by newBlobId into paths and keys. */
export function mustBeBlobId(text: string): string {
  if (!isBlobId(text)) throw new TypeError('A blob id is 32 hexadecimal digits.')
  return text
}
