/** The bytes of a download on their way into its answer: in turns with all other files, their memory free when they are sent. */
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { giveBack } from '../../blobs/give-back.ts'
import { yieldForBytes } from '../../yield-for-bytes.ts'

/** The pieces must be nobody else's; they are emptied once the system has taken them. */
export function downloadStream(pieces: AsyncIterable<Uint8Array>, answer: ServerResponse): Readable {
  const out: Uint8Array[] = []
  let outBytes = 0
  /** Bytes leave in order, so those that still wait here are the last ones. Whoever stands in between may hold others. */
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
