/**
 * Cuts bytes as they arrive, so that a long upload can be made durable in between: after so many
 * bytes, or so much time after the first of them, whichever is first.
 */
import type { Bytes } from '../../blobs/blob-store.ts'

export const sliceBytes = 16 * 1024 ** 2
export const sliceMs = 1_000

export type Slices = {
  /** The next slice; read it to its end before the next one. */
  next(): Bytes
  /** Whether all bytes have been read. */
  hasEnded(): boolean
  /** The rest is not wanted. */
  leave(): void
}

export function slicesOf(bytes: Bytes): Slices {
  const source = bytes[Symbol.asyncIterator]()
  // A read that the end of a slice overtook belongs to the next one.
  let reading: Promise<IteratorResult<Uint8Array>> | undefined
  let ended = false
  const read = () => {
    reading ??= source.next()
    return reading
  }

  async function* slice(): AsyncGenerator<Uint8Array, void> {
    let size = 0
    let timer: NodeJS.Timeout | undefined
    let time: Promise<undefined> | undefined
    try {
      while (size < sliceBytes) {
        const got = await (time ? Promise.race([read(), time]) : read())
        if (!got) return
        reading = undefined
        if (got.done) {
          ended = true
          return
        }
        size += got.value.byteLength
        time ??= new Promise((resolve) => {
          timer = setTimeout(resolve, sliceMs, undefined).unref()
        })
        yield got.value
      }
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    next: slice,
    hasEnded: () => ended,
    leave: () => {
      reading?.catch(() => {})
      if (!ended) source.return?.().catch(() => {})
    },
  }
}
