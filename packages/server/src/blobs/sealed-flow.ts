// Bytes on their way through the thread that seals and opens: handed over in batches, one of them ahead of the one that is read.
import type { Bytes } from './blob-store.ts'
import type { ThreadStream } from './seal-thread.ts'
import type { Mark } from './segments.ts'

/** So many are handed over at once: less and the handing over would cost as much as the work, more and memory would. */
const batchBytes = 512 * 1024

export type Flow = {
  readonly stream: ThreadStream
  /** Nobody else holds the pieces: they may be emptied. */
  readonly spends: boolean
  /** Told of every piece before it is handed over; what it throws ends the flow. */
  counted?(bytes: number): void
  /** The source broke off. Without this its error is the flow's. */
  broken?(error: unknown): void
  /** Asked when the source has ended. `tail`: what is left does not go with the rest. */
  mark?(): Mark
  /** What was left. */
  tail?(sealed: Uint8Array): void
}

export async function* flow(source: Bytes, by: Flow): AsyncGenerator<Uint8Array> {
  const { stream, spends, counted, broken, mark, tail } = by
  let gathered: Uint8Array[] = []
  let gatheredBytes = 0
  let ahead: Promise<Uint8Array[]> | undefined
  let isDone = false
  const send = () => {
    const sent = stream.write(gathered)
    sent.catch(() => {})
    gathered = []
    gatheredBytes = 0
    return sent
  }
  try {
    for await (const piece of broken ? unbroken(source, broken) : source) {
      counted?.(piece.byteLength)
      gathered.push(spends ? piece : new Uint8Array(piece))
      gatheredBytes += piece.byteLength
      if (gatheredBytes < batchBytes) continue
      const before = ahead
      ahead = send()
      if (before) yield* await before
    }
    if (ahead) yield* await ahead
    if (gatheredBytes > 0) yield* await send()
    const as = mark?.()
    const last = await stream.end(as)
    isDone = true
    if (as === 'tail') tail?.(Buffer.concat(last))
    else yield* last
  } finally {
    if (!isDone) stream.drop()
  }
}

/** Where the source breaks off it ends. */
async function* unbroken(source: Bytes, broken: (error: unknown) => void): AsyncGenerator<Uint8Array> {
  const pieces = source[Symbol.asyncIterator]()
  let isOver = false
  try {
    for (;;) {
      const step = await pieces.next().catch((error: unknown) => {
        isOver = true
        broken(error)
      })
      isOver ||= !step || step.done === true
      if (!step || step.done) return
      yield step.value
    }
  } finally {
    if (!isOver) await pieces.return?.()
  }
}
