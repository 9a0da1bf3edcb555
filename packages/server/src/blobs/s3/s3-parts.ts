// Cuts a stream into parts of 8 MiB with constant memory: one part is sent while the next is
// filled, and the buffers are reused. Parts always end at multiples of 8 MiB of the blob, so a part
// written twice after a crash holds the same bytes.
import type { Hash } from 'node:crypto'
import { BlobTooLarge, type Bytes } from '../blob-store.ts'

export const partBytes = 8 * 1024 * 1024

const spare: Uint8Array[] = []
const maxSpare = 4
const take = (): Uint8Array => spare.pop() ?? Buffer.allocUnsafeSlow(partBytes)
const giveBack = (buffer: Uint8Array): void => {
  if (spare.length < maxSpare) spare.push(buffer)
}

export type Cut<Result> = {
  /** How many bytes the source delivered. */
  readonly received: number
  readonly interrupted?: unknown
  readonly result: Result
}

export type Tail = {
  /** The bytes after the last full part. */
  readonly tail: Uint8Array
  /** The buffer of the tail, with room for a whole part. */
  readonly whole: Uint8Array
  readonly interrupted: boolean
}

export type Cutter<Result> = {
  /**
   * Bytes at the start of the first part that already exist; `onPart` and `onTail` fill them in.
   */
  readonly reserved: number
  readonly maxBytes: number
  readonly hash: Hash | undefined
  /** Called for each full part, one after another. */
  onPart(part: Uint8Array): Promise<void>
  /** Called once, when the source has ended or failed. */
  onTail(end: Tail): Promise<Result>
}

export async function cutParts<Result>(bytes: Bytes, cutter: Cutter<Result>): Promise<Cut<Result>> {
  let buffer = take()
  let filled = cutter.reserved
  let received = 0
  let sending: Promise<void> = Promise.resolve()
  let interrupted: { readonly cause: unknown } | undefined

  const send = async () => {
    await sending
    const part = buffer
    sending = cutter.onPart(part).finally(() => giveBack(part))
    sending.catch(() => {})
    buffer = take()
    filled = 0
  }

  const source = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      const step = await source.next().catch((cause: unknown) => {
        interrupted = { cause }
        return undefined
      })
      if (!step || step.done) break
      received += step.value.byteLength
      if (received > cutter.maxBytes)
        throw new BlobTooLarge('More bytes were sent than are allowed.')
      cutter.hash?.update(step.value)
      for (let chunk = step.value; chunk.byteLength > 0; ) {
        const piece = chunk.subarray(0, partBytes - filled)
        buffer.set(piece, filled)
        filled += piece.byteLength
        chunk = chunk.subarray(piece.byteLength)
        if (filled === partBytes) await send()
      }
    }
    await sending
    const tail = buffer.subarray(0, filled)
    const result = await cutter.onTail({
      tail,
      whole: buffer,
      interrupted: interrupted !== undefined,
    })
    return interrupted ? { received, result, interrupted: interrupted.cause } : { received, result }
  } catch (error) {
    await sending.catch(() => {})
    await source.return?.().catch(() => {})
    throw error
  } finally {
    giveBack(buffer)
  }
}
