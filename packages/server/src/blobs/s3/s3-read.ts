// Reads an object to its end even if connections break: the read resumes where it stopped, and only
// on the very same object.
import { Readable } from 'node:stream'
import { BlobTrouble, type ByteRange, type OpenBlob } from '../blob-store.ts'
import type { Calls, Got } from './s3-calls.ts'
import { asFault } from './s3-faults.ts'

/** A read fails after this many breaks in a row without a single byte. */
const maxBreaks = 4

export async function openObject(calls: Calls, key: string, range?: ByteRange): Promise<OpenBlob> {
  if (range && !(range.start >= 0 && range.start <= range.end))
    throw new RangeError('The range is not in order.')
  const first = await calls.get(key, range)
  if (range && range.end >= first.size) {
    first.body.destroy()
    throw new RangeError(`The blob has ${first.size} bytes.`)
  }
  const whole = range ?? { start: 0, end: first.size - 1 }
  const stream = Readable.from(readOn(calls, key, first, whole), {
    objectMode: false,
    highWaterMark: 256 * 1024,
  })
  // A reader that never starts must still release the connection.
  stream.once('close', () => first.body.destroy())
  return { size: first.size, stamp: first.etag, stream }
}

async function* readOn(
  calls: Calls,
  key: string,
  first: Got,
  range: ByteRange,
): AsyncGenerator<Uint8Array> {
  let { body } = first
  let at = range.start
  let breaks = 0
  while (at <= range.end) {
    try {
      for await (const chunk of body) {
        at += chunk.byteLength
        breaks = 0
        yield chunk
      }
      if (at > range.end) return
      throw new BlobTrouble('The object store broke off in the middle of an object.')
    } catch (error) {
      breaks += 1
      if (breaks >= maxBreaks) throw asFault(error)
      body = (await calls.get(key, { start: at, end: range.end }, first.etag)).body
    }
  }
}

/** Reads a small object into a buffer of exactly its size. */
export async function readInto(calls: Calls, key: string, buffer: Uint8Array): Promise<void> {
  const { size, stream } = await openObject(calls, key)
  if (size !== buffer.byteLength) {
    stream.destroy()
    throw new BlobTrouble('An object of the store has another size than it was written with.')
  }
  let at = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    buffer.set(chunk, at)
    at += chunk.byteLength
  }
}
