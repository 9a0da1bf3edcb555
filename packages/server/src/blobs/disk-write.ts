// Streams bytes into an open file: large positional writes without a copy, one in flight while the next is gathered.
// It does not make them durable: the caller flushes at the end.
import type { FileHandle } from 'node:fs/promises'
import { BlobTooLarge, type Bytes } from './blob-store.ts'
import { giveBack } from './give-back.ts'

const gatherBytes = 1024 * 1024
const writeChunks = 512
/** Beginning to flush while bytes still arrive makes the flush at the end short. */
const flushEvery = 32 * 1024 * 1024
/** At most one early flush at a time in the process: each holds a thread that other files need. */
let flushing = false
/**
 * One write at a time in the process. It goes into the system's cache as fast as one core can copy; several at once are no
 * faster, but take the cores from the thread that answers calls.
 */
let lastWrite: Promise<unknown> = Promise.resolve()

export type WrittenBytes = { readonly offset: number; readonly interrupted?: unknown }

export type WriteOptions = {
  readonly offset: number
  readonly maxBytes: number
  /** Nobody else holds the chunks: their memory is free once they are written. */
  readonly spends: boolean
  /** Told about each stretch of the file once it is written. */
  onWritten(from: number, to: number): void
}

export async function writeBytes(file: FileHandle, bytes: Bytes, to: WriteOptions): Promise<WrittenBytes> {
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
    // The file must not be touched any more once this function has failed.
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

/** A write may be short, on a disk that is nearly full for one; the next one then says why. */
function without(chunks: Uint8Array[], written: number): Uint8Array[] {
  let drop = written
  for (const [index, chunk] of chunks.entries()) {
    if (drop < chunk.byteLength) return [chunk.subarray(drop), ...chunks.slice(index + 1)]
    drop -= chunk.byteLength
  }
  return []
}
