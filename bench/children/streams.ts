/** Browsers that follow the hub: open event streams, read and thrown away, in their own process. */
import { connect, type Socket } from 'node:net'
import { answer } from '../child.ts'

type StreamsWanted = { readonly port: number; readonly count: number }
const open: Socket[] = []

/** Resolves when each has begun. A browser has a session of its own. */
const openStreams = async ({ port, count }: StreamsWanted): Promise<number> => {
  for (let from = 0; from < count; from += 100)
    await Promise.all(
      Array.from({ length: Math.min(100, count - from) }, (_, at) => openOne(port, from + at)),
    )
  return open.length
}

const openOne = (port: number, number: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    open.push(socket)
    socket.once('error', reject)
    socket.once('data', (bytes: Buffer) => {
      if (!bytes.toString().startsWith('HTTP/1.1 200')) return reject(new Error(bytes.toString()))
      socket.resume()
      resolve()
    })
    socket.write(
      `GET /console/stream HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncookie: browser=${number}\r\n\r\n`,
    )
  })

const verbs = { open: openStreams }
export type StreamVerbs = typeof verbs
answer(verbs, () => {
  for (const socket of open) socket.destroy()
})
