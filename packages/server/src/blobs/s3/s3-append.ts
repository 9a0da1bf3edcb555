// Resumable writes on an object store. Each append is stored as separate objects,
// `<blob>.part.<random>`, of 8 MiB or less at the end: every acknowledged byte is durable, and no
// name is written twice, so objects of a crashed or late writer are never read. Finishing joins
// them inside the store, as the parts of one multipart upload.
import { createHash, type Hash, randomBytes } from 'node:crypto'
import {
  type Appended,
  BlobConflict,
  BlobMissing,
  type Bytes,
  type Limits,
  type Progress,
  type Written,
} from '../blob-store.ts'
import { inBatches } from '../in-batches.ts'
import type { RunningHashes } from '../running-hash.ts'
import type { Calls, UploadedPart } from './s3-calls.ts'
import { cutParts, partBytes } from './s3-parts.ts'
import { readInto } from './s3-read.ts'

type Piece = { readonly name: string; readonly size: number }

type State = {
  readonly mark: string
  /** Full pieces of 8 MiB first, then smaller ones that add up to less than one. */
  readonly pieces: readonly Piece[]
  /**
   * Pieces that this state no longer needs. The next call removes them, because that call proves
   * that this state was committed.
   */
  readonly spent: readonly string[]
  /** The sha256 is not needed. */
  readonly unhashed?: true
}

/** A blob of one bucket, and what this node knows of its uploads. */
export type S3Blob = {
  readonly calls: Calls
  readonly hashes: RunningHashes<Hash>
  readonly blobId: string
  readonly key: string
}

/** With more small pieces than this, they are joined into one. */
const maxSmall = 16
const atOnce = 8

export const piecesOf = (key: string): string => `${key}.part.`

export function beginS3({ blobId, hashes }: S3Blob, unhashed = false): Progress {
  const mark = hashes.keep(blobId, unhashed ? undefined : createHash('sha256'))
  return { mark, pieces: [], spent: [], ...(unhashed && { unhashed }) } satisfies State
}

export async function appendS3(
  { calls, hashes, key, blobId }: S3Blob,
  at: { readonly offset: number; readonly progress: Progress },
  bytes: Bytes,
  { maxBytes, entire = false }: Limits,
): Promise<Appended> {
  const before = stateOf(at.progress, at.offset)
  await removePieces(calls, key, before.spent)
  const hash = hashes.take(blobId, before.mark)
  const full = before.pieces.filter(isFull)
  let small = before.pieces.filter((piece) => !isFull(piece))

  const store = async (body: Uint8Array): Promise<Piece> => {
    const piece = { name: randomBytes(8).toString('hex'), size: body.byteLength }
    await calls.put(piecesOf(key) + piece.name, body)
    return piece
  }
  const cut = await cutParts(bytes, {
    reserved: sizeOf(small),
    maxBytes: maxBytes - at.offset,
    hash,
    async onPart(part) {
      await fill(calls, key, small, part)
      small = []
      full.push(await store(part))
    },
    async onTail({ tail, whole, interrupted }) {
      const fresh = tail.subarray(sizeOf(small))
      if (fresh.byteLength === 0 || (entire && interrupted)) return
      if (small.length < maxSmall) {
        small = [...small, await store(fresh)]
      } else {
        await fill(calls, key, small, whole)
        small = [await store(tail)]
      }
    },
  })

  const broken = 'interrupted' in cut ? { interrupted: cut.interrupted } : {}
  const pieces = [...full, ...small]
  if (entire && 'interrupted' in cut) {
    const fresh = pieces
      .filter((piece) => !before.pieces.includes(piece))
      .map((piece) => piece.name)
    await removePieces(calls, key, fresh)
    return { offset: at.offset, progress: at.progress, ...broken }
  }
  if (cut.received === 0) return { offset: at.offset, progress: at.progress, ...broken }
  const spent = before.pieces.filter((piece) => !pieces.includes(piece)).map((piece) => piece.name)
  const { unhashed } = before
  const progress: State = {
    mark: hashes.keep(blobId, hash),
    pieces,
    spent,
    ...(unhashed && { unhashed }),
  }
  return { offset: at.offset + cut.received, progress, ...broken }
}

/** Returns the sha256 if this node knows it; otherwise the caller must read the finished object. */
export async function finishS3(
  { calls, hashes, key, blobId }: S3Blob,
  at: { readonly size: number; readonly progress: Progress },
): Promise<Partial<Written>> {
  const { mark, pieces, unhashed } = stateOf(at.progress, at.size)
  try {
    await putTogether(calls, key, pieces)
  } catch (error) {
    // An earlier finish succeeded, but its caller died before it could record that.
    const done = error instanceof BlobMissing && (await calls.head(key).catch(() => undefined))
    if (!done || done.size !== at.size) throw error
  }
  // Includes pieces of writers that never committed. The sweep removes what fails here.
  await removeAllPieces(calls, key).catch(() => {})
  if (unhashed) return { sha256: '' }
  const sha256 = hashes.take(blobId, mark)?.digest('hex')
  hashes.forget(blobId)
  return sha256 === undefined ? {} : { sha256 }
}

async function putTogether(calls: Calls, key: string, pieces: readonly Piece[]): Promise<void> {
  const full = pieces.filter(isFull)
  const small = pieces.filter((piece) => !isFull(piece))
  const rest = Buffer.allocUnsafeSlow(sizeOf(small))
  await fill(calls, key, small, rest)
  if (full.length === 0) return calls.put(key, rest)

  const uploadId = await calls.beginUpload(key)
  try {
    const parts = await inBatches(full, atOnce, async ({ name }, index): Promise<UploadedPart> => {
      const number = index + 1
      return { number, etag: await calls.copyPart(key, uploadId, number, piecesOf(key) + name) }
    })
    const number = full.length + 1
    if (rest.byteLength > 0)
      parts.push({ number, etag: await calls.uploadPart(key, uploadId, number, rest) })
    await calls.completeUpload(key, uploadId, parts, sizeOf(pieces))
  } catch (error) {
    await calls.abortUpload(key, uploadId).catch(() => {})
    throw error
  }
}

function stateOf(progress: Progress, offset: number): State {
  const { mark, pieces, spent, unhashed } = progress as Partial<State>
  if (typeof mark !== 'string' || !Array.isArray(pieces) || !Array.isArray(spent)) {
    throw new BlobConflict('The progress of this upload was not made by the object store.')
  }
  if (sizeOf(pieces) !== offset) throw new BlobConflict(`This upload is not at byte ${offset}.`)
  return { mark, pieces, spent, ...(unhashed && { unhashed }) }
}

const isFull = (piece: Piece): boolean => piece.size === partBytes
const sizeOf = (pieces: readonly Piece[]): number =>
  pieces.reduce((sum, piece) => sum + piece.size, 0)

/** Reads consecutive pieces into the start of a buffer. */
async function fill(
  calls: Calls,
  key: string,
  pieces: readonly Piece[],
  buffer: Uint8Array,
): Promise<void> {
  let start = 0
  const places = pieces.map(({ name, size }) => {
    const place = { name, room: buffer.subarray(start, start + size) }
    start += size
    return place
  })
  await inBatches(places, atOnce, ({ name, room }) => readInto(calls, piecesOf(key) + name, room))
}

async function removePieces(calls: Calls, key: string, names: readonly string[]): Promise<void> {
  await inBatches(names, atOnce, (name) => calls.remove(piecesOf(key) + name).catch(() => {}))
}

export async function removeAllPieces(calls: Calls, key: string): Promise<void> {
  const keys: string[] = []
  for await (const object of calls.objects(piecesOf(key))) keys.push(object.key)
  await inBatches(keys, atOnce, calls.remove)
}
