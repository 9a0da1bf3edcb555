/**
 * Streams a download into its response: shares the event loop with other files and frees memory as
 * soon as bytes are sent.
 */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { giveBack } from '../../blobs/give-back.ts'
import { yieldForBytes } from '../../turns/pauses.ts'

/** The pieces must not be shared; their memory is freed once the system has accepted them. */
export function downloadStream(
  pieces: AsyncIterable<Uint8Array>,
  answer: ServerResponse,
): Readable {
  const out: Uint8Array[] = []
  let outBytes = 0
  /**
   * Bytes leave in order, so the ones still buffered are the last ones. Layers in between may hold
   * others.
   */
  const freeSent = () => {
    const waiting = stream.readableLength + answer.writableLength
    const sent: Uint8Array[] = []
    for (let [first] = out; first && outBytes - first.byteLength >= waiting; [first] = out) {
      outBytes -= first.byteLength
      sent.push(first)
      out.shift()
    }
    if (isDirect) giveBack(sent)
  }
  async function* inTurns() {
    for await (const piece of pieces) {
      freeSent()
      out.push(piece)
      outBytes += piece.byteLength
      yield piece
      await yieldForBytes(piece.byteLength)
    }
  }
  let isDirect = false
  const stream = Readable.from(inTurns(), { objectMode: false })
  answer.once('pipe', (source) => {
    isDirect = source === stream
  })
  return stream
}
