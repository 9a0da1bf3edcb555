/**
 * The body of a call as it comes from the socket, sharing the event loop with other files. It can
 * end early; the unread rest is drained and discarded, so that the sender gets to read the
 * response.
 */
import type { IncomingMessage } from 'node:http'
import { HubError } from '@dragoman/contract'
import { yieldForBytes } from '../../turns/pauses.ts'

/** The most that one read of a socket returns. */
const pieceBytes = 64 * 1024

export type Inflow = {
  readonly bytes: AsyncIterable<Uint8Array>
  /** Ends the bytes at the current position, or fails there. */
  stop(because?: Error): void
  /** Discards the rest. */
  leave(): void
}

export function inflow(raw: IncomingMessage): Inflow {
  const waiting: Buffer[] = []
  let ended = raw.readableEnded
  let stopped = false
  let left = false
  let failure: Error | undefined
  let wake = () => {}
  raw.on('data', (piece: Buffer) => {
    if (left) return
    raw.pause()
    waiting.push(piece)
    wake()
  })
  raw.once('end', () => {
    ended = true
    wake()
  })
  const fail = (cause?: Error) => {
    failure ??= new HubError(
      'INVALID_REQUEST',
      { because: 'it did not arrive completely.' },
      { cause },
    )
    wake()
  }
  raw.on('error', fail)
  raw.once('close', () => ended || fail())
  if (raw.destroyed && !ended) fail()
  raw.pause()

  async function* bytes(): AsyncGenerator<Uint8Array, void> {
    for (;;) {
      await yieldForBytes(pieceBytes)
      if (!stopped && !ended && !failure && waiting.length === 0) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve
        })
        raw.resume()
        await woken
      }
      if (stopped) return
      const piece = waiting.shift()
      if (piece) yield piece
      else if (failure) throw failure
      else if (ended) return
    }
  }
  return {
    bytes: bytes(),
    stop: (because) => {
      if (because) failure ??= because
      else stopped = true
      wake()
    },
    leave: () => {
      left = true
      waiting.length = 0
      raw.resume()
    },
  }
}
