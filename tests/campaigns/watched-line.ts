/**
 * A proxy to a hub that counts every call, every response, and now and then a piece of a body. At a
 * chosen moment it first runs an action: bytes sent by then still reach the hub, which acts on
 * them, but the response comes too late. This is where a dying client leaves things half known.
 */
import { connect, createServer, type Socket } from 'node:net'

export type WatchedLine = {
  readonly url: string
  /** Moments so far. */
  count(): number
  /**
   * Counts from 1 again. Calls `act` at the n-th moment, or at the response to the first matching
   * call.
   */
  watch(at: number | RegExp, act: () => void): void
  close(): Promise<void>
}

const call = /^(GET|HEAD|POST|PUT|PATCH|DELETE) \S+/
/** Every n-th piece of a large body is a moment. */
const everyPiece = 16

export async function openWatchedLine(hubUrl: string): Promise<WatchedLine> {
  const { port, hostname } = new URL(hubUrl)
  const sockets = new Set<Socket>()
  let [count, seen] = [0, 0]
  let at: number | RegExp = Number.POSITIVE_INFINITY
  let act = () => {}
  const moment = (answered?: string) => {
    count += 1
    if (typeof at === 'number' ? count !== at : answered === undefined || !at.test(answered)) return
    at = Number.POSITIVE_INFINITY
    act()
  }
  /** The head of a call or response is a moment; so are a few of the pieces between. */
  const look = (bytes: Buffer, isOurs: boolean, last: { call: string }) => {
    const head = bytes.toString('latin1', 0, 200)
    const begun = isOurs ? call.exec(head)?.[0] : undefined
    if (begun !== undefined) {
      last.call = begun
      moment()
    } else if (!isOurs && head.startsWith('HTTP/1.1 ')) moment(last.call)
    else {
      seen += 1
      if (seen % everyPiece === 0) moment()
    }
  }
  const server = createServer((socket) => {
    const there = connect(Number(port), hostname)
    const last = { call: '' }
    const join = (from: Socket, to: Socket, isOurs: boolean) => {
      sockets.add(from)
      from.on('data', (bytes: Buffer) => {
        look(bytes, isOurs, last)
        if (to.writable) to.write(bytes)
      })
      from.on('end', () => to.end())
      // The client was killed: the hub still gets what was sent.
      from.on('error', () => to.end())
      from.on('close', () => {
        sockets.delete(from)
        to.end()
      })
    }
    join(socket, there, true)
    join(there, socket, false)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    count: () => count,
    watch: (n, then) => {
      count = 0
      at = n
      act = then
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
