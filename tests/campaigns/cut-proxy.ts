/**
 * A TCP proxy that can cut the connection: it forwards bytes to and from the hub, counts the
 * request bodies, and after a given number of bytes forwards the last one and then acts, by default
 * by resetting both ends.
 */
import { connect, createServer, type Socket } from 'node:net'

export type CutProxy = {
  readonly url: string
  /** Request body bytes forwarded to the hub so far. */
  passed(): number
  /** Acts after this many more bytes. One plan at a time. */
  cutAfter(bytes: number, act: () => void): void
  /** Resets every connection. */
  reset(): void
  close(): Promise<void>
}

export async function openCutProxy(port: number): Promise<CutProxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let passed = 0
  let plan: { at: number; act: () => void } | undefined
  const reset = () => {
    for (const pair of pairs) for (const socket of pair) socket.resetAndDestroy()
  }

  const server = createServer((client) => {
    const hub = connect(port, '127.0.0.1')
    const pair = [client, hub] as const
    pairs.add(pair)
    const bodyOf = countBody()
    let cut = false
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        pairs.delete(pair)
        for (const other of pair) other.destroy()
      })
    }
    client.on('data', (piece: Buffer) => {
      // Bytes after a cut must never arrive: they would follow a gap.
      if (cut) return
      const body = bodyOf(piece)
      const left = plan ? plan.at - passed : Infinity
      if (body < left) {
        passed += body
        if (!hub.write(piece)) client.pause()
        return
      }
      const act = plan?.act
      plan = undefined
      cut = true
      passed += left
      hub.write(piece.subarray(0, piece.length - body + left), () => act?.())
    })
    hub.on('drain', () => client.resume())
    hub.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    passed: () => passed,
    cutAfter: (bytes, act) => {
      plan = { at: passed + bytes, act }
    },
    reset,
    close: async () => {
      reset()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/**
 * How many bytes of a piece belong to the body. Supports one call per connection; the client must
 * ensure that.
 */
function countBody(): (piece: Buffer) => number {
  let head: Buffer | undefined = Buffer.alloc(0)
  return (piece) => {
    if (!head) return piece.length
    const before = head.length
    head = Buffer.concat([head, piece])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return 0
    head = undefined
    return piece.length - (end + 4 - before)
  }
}
