// Gives the memory of large buffers back at once. It lies outside of the collector's heap: bytes that pass through make it stop
// the process again and again to look for a few buffers, or find them late.
import { MessageChannel } from 'node:worker_threads'

/** Smaller ones are not worth it, and may lie in memory that others share. */
const leastBytes = 16 * 1024

const { port1: nowhere } = new MessageChannel()
nowhere.close()

/** Nobody may hold the pieces any more: those that are the whole of their buffer are empty after this. */
export function giveBack(pieces: readonly Uint8Array[]): void {
  const buffers = new Set<ArrayBuffer>()
  for (const { buffer, byteLength } of pieces)
    if (byteLength >= leastBytes && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
      buffers.add(buffer)
  // What is transferred leaves its holder, and a port that is closed drops it.
  if (buffers.size > 0) nowhere.postMessage(null, [...buffers])
}
