// Bytes on their way through the thread that seals and opens: handed over in batches, one of them ahead of the one that is read.
import type { Bytes } from './blob-store.ts'
import type { ThreadStream } from './seal-thread.ts'
import type { Mark } from './segments.ts'

/** So many are handed over at once: less and the handing over would cost as much as the work, more and memory would. */
const batchBytes = 512 * 1024

export type Flow = {
  /** Called when the first byte is asked for. */
  readonly open: () => ThreadStream
  /** Nobody else holds the pieces: they may be emptied. */
  readonly spends: boolean
  /** Told of every piece before it is handed over; what it throws ends the flow. */
  counted?(bytes: number): void
  /** Told why the source broke off: then it has ended. Without this its error is the flow's. */
  broken?(error: unknown): void
  /** Asked when the source has ended. `tail`: what is left does not go with the rest. */
  mark?(): Mark
  /** What was left. */
  tail?(sealed: Uint8Array): void
}

export async function* flow(source: Bytes, { open, spends, ...told }: Flow): AsyncGenerator<Uint8Array> {
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
