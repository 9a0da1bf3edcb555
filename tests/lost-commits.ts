/**
 * A proxy in front of PostgreSQL that loses the response to a commit: the server has committed, and
 * the hub only sees its connection break. What the hub does next must be correct in either case.
 */
import { connect, createServer, type Socket } from 'node:net'

export type LostCommits = {
  /** The database's URL through the proxy. */
  url(databaseUrl: string): string
  /**
   * From now on, loses the response to every commit after the first `commits`; Infinity loses none.
   */
  loseAfter(commits: number): void
  close(): Promise<void>
}

/** A simple query `commit`, as the hub sends it: type, length, text, zero. */
const commit = Buffer.from('Q\0\0\0\x0bcommit\0')

export async function openLostCommits(databaseUrl: string): Promise<LostCommits> {
  const { hostname, port } = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let left = Number.POSITIVE_INFINITY
  const server = createServer((hub) => {
    const database = connect(Number(port), hostname)
    let isLosing = false
    for (const socket of [hub, database]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        hub.destroy()
        database.destroy()
      })
    }
    hub.on('data', (piece: Buffer) => {
      if (piece.includes(commit)) {
        isLosing = left <= 0
        left -= 1
      }
      database.write(piece)
    })
    database.on('data', (piece: Buffer) => {
      if (!isLosing) return void hub.write(piece)
      hub.resetAndDestroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: (of) => {
      const through = new URL(of)
      through.port = String(typeof address === 'object' && address ? address.port : 0)
      return through.href
    },
    loseAfter: (commits) => {
      left = commits
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
