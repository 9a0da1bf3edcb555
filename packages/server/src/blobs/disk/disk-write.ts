// Streams bytes into an open file: large positional writes without a copy, one in flight while the
// next is collected. The caller flushes at the end.
import type { FileHandle } from 'node:fs/promises'
import { BlobTooLarge, type Bytes } from '../blob-store.ts'
import { giveBack } from '../give-back.ts'

const gatherBytes = 1024 * 1024
const writeChunks = 512
/** Flushing early, while bytes still arrive, keeps the final flush short. */
const flushEvery = 32 * 1024 * 1024
/**
 * At most one early flush at a time per process: each one occupies a thread that other files need.
 */
let flushing = false
/**
 * One write at a time per process. It copies into the page cache as fast as one core can; parallel
 * writes are no faster, but take cores from the thread that answers calls.
 */
let lastWrite: Promise<unknown> = Promise.resolve()

export type WrittenBytes = { readonly offset: number; readonly interrupted?: unknown }

export type WriteOptions = {
  readonly offset: number
  readonly maxBytes: number
  /** The chunks are not shared: their memory is freed once they are written. */
  readonly spends: boolean
  /** Called for each range of the file once it is written. */
  onWritten(from: number, to: number): void
}

export async function writeBytes(
  file: FileHandle,
  bytes: Bytes,
  to: WriteOptions,
): Promise<WrittenBytes> {
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  let offset = to.offset
  let flushedAt = to.offset
  let write: Promise<void> = Promise.resolve()
  let flush: Promise<unknown> = Promise.resolve()
  let interrupted: { readonly cause: unknown } | undefined

  const send = async () => {
    await write
    const [from, until] = [offset, offset + gatheredBytes]
    const chunks = gathered
    write = lastWrite
      .then(() => writeAll(file, chunks, from))
      .then(() => {
        to.onWritten(from, until)
        if (to.spends) giveBack(chunks)
      })
    lastWrite = write.catch(() => {})
    offset = until
    gathered = []
    gatheredBytes = 0
    if (offset - flushedAt >= flushEvery && !flushing) flushEarly()
  }
  const flushEarly = () => {
    flushedAt = offset
    flushing = true
    const early = file.datasync().finally(() => {
      flushing = false
    })
    flush = Promise.all([flush, early])
    flush.catch(() => {})
  }

  const source = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      const step = await source.next().catch((cause: unknown) => {
        interrupted = { cause }
        return undefined
      })
      if (!step || step.done) break
      const chunk = step.value
      if (chunk.byteLength === 0) continue
      if (offset + gatheredBytes + chunk.byteLength > to.maxBytes) {
        throw new BlobTooLarge(`More than ${to.maxBytes} bytes were sent.`)
      }
      gathered.push(chunk)
      gatheredBytes += chunk.byteLength
      if (gatheredBytes >= gatherBytes || gathered.length >= writeChunks) await send()
    }
    if (gathered.length > 0) await send()
    await Promise.all([write, flush])
  } catch (error) {
    // The file must not be touched after this function has failed.
    await Promise.allSettled([write, flush])
    await source.return?.().catch(() => {})
    throw error
  }
  return interrupted ? { offset, interrupted: interrupted.cause } : { offset }
}

async function writeAll(file: FileHandle, chunks: Uint8Array[], position: number): Promise<void> {
  let at = position
  for (let left = chunks; left.length > 0; ) {
    const { bytesWritten } = await file.writev(left, at)
    at += bytesWritten
    left = without(left, bytesWritten)
  }
}

/** A write may be short, for example on a nearly full disk; the next one then reports why. */
function without(chunks: Uint8Array[], written: number): Uint8Array[] {
  let drop = written
  for (const [index, chunk] of chunks.entries()) {
    if (drop < chunk.byteLength) return [chunk.subarray(drop), ...chunks.slice(index + 1)]
    drop -= chunk.byteLength
  }
  return []
}
