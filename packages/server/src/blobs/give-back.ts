// Frees the memory of large buffers at once. It lies outside the JavaScript heap: without this,
// streaming makes the collector stop the process often to find a few buffers, or find them late.
import { MessageChannel } from 'node:worker_threads'

/** Smaller ones are not worth it, and may share memory with others. */
const minBytes = 16 * 1024

const { port1: nowhere } = new MessageChannel()
nowhere.close()

/**
 * The pieces must not be used any more: those that span their whole buffer are empty after this.
 */
export function giveBack(pieces: readonly Uint8Array[]): void {
  const buffers = new Set<ArrayBuffer>()
  for (const { buffer, byteLength } of pieces)
    if (byteLength >= minBytes && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
      buffers.add(buffer)
  // Transferring detaches a buffer, and a closed port drops it.
  if (buffers.size > 0) nowhere.postMessage(null, [...buffers])
}
