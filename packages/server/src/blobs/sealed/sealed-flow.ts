// Passes bytes through the sealing thread in batches, one batch ahead of the reader.
import type { Bytes } from '../blob-store.ts'
import type { Mark } from '../segments.ts'
import type { ThreadStream } from './seal-thread.ts'

/** With smaller batches, passing them would cost as much as the work; larger ones cost memory. */
const batchBytes = 512 * 1024

export type Flow = {
  /** Called when the first byte is requested. */
  readonly open: () => ThreadStream
  /** The pieces are not shared: their memory may be freed. */
  readonly spends: boolean
  /** Called for every piece before it is passed on; an error thrown here ends the flow. */
  counted?(bytes: number): void
  /**
   * Called with the source's error; the flow then ends normally. Without this, the flow fails with
   * that error.
   */
  broken?(error: unknown): void
  /** Called when the source has ended. `tail`: the remaining bytes are kept separately. */
  mark?(): Mark
  /** The remaining bytes, sealed. */
  tail?(sealed: Uint8Array): void
}

export async function* flow(
  source: Bytes,
  { open, spends, ...told }: Flow,
): AsyncGenerator<Uint8Array> {
  const stream = open()
  const pieces = source[Symbol.asyncIterator]()
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  let ahead: Promise<Uint8Array[]> | undefined
  let isOver = false
  let isDone = false
  const next = async () => {
    try {
      const step = await pieces.next()
      isOver = step.done === true
      return step.done ? undefined : step.value
    } catch (error) {
      isOver = true
      if (!told.broken) throw error
      told.broken(error)
      return undefined
    }
  }
  const send = () => {
    const sent = stream.write(gathered)
    sent.catch(() => {})
    gathered = []
    gatheredBytes = 0
    return sent
  }
  try {
    for (let piece = await next(); piece; piece = await next()) {
      told.counted?.(piece.byteLength)
      gathered.push(spends ? piece : new Uint8Array(piece))
      gatheredBytes += piece.byteLength
      if (gatheredBytes < batchBytes) continue
      const before = ahead
      ahead = send()
      if (before) yield* await before
    }
    if (ahead) yield* await ahead
    if (gatheredBytes > 0) yield* await send()
    const mark = told.mark?.()
    const last = await stream.end(mark)
    isDone = true
    if (mark === 'tail') told.tail?.(Buffer.concat(last))
    else yield* last
  } finally {
    if (!isDone) stream.drop()
    if (!isOver) await pieces.return?.()
  }
}
