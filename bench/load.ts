/**
 * The load generator: plain HTTP/1.1 over keep-alive sockets, one call at a time on each, each
 * response read to its last byte. Uses bare sockets, because a slow client would hide how fast the
 * anchor is.
 */
import { connect, type Socket } from 'node:net'

export type Load = {
  readonly port: number
  readonly connections: number
  readonly method: string
  /** Several paths are called in turn. */
  readonly path: string | readonly string[]
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Limits: no call begins after this time, or beyond this number. */
  readonly milliseconds: number
  readonly most?: number
}

export type Loaded = {
  readonly calls: number
  readonly seconds: number
  readonly medianMs: number
  readonly p99Ms: number
}

export async function makeCalls(load: Load): Promise<Loaded> {
  const bytes = [load.path].flat().map((path) => callBytes(load, path))
  const took: number[] = []
  const most = load.most ?? 10_000_000
  const lines = await Promise.all(
    Array.from({ length: load.connections }, () => openLine(load.port)),
  )
  const begun = performance.now()
  const until = begun + load.milliseconds
  let begunCalls = 0
  await Promise.all(
    lines.map(async (line) => {
      while (performance.now() < until && begunCalls < most) {
        const call = bytes[begunCalls % bytes.length] ?? Buffer.alloc(0)
        begunCalls += 1
        const at = performance.now()
        const { status } = await line.call(call)
        took.push(performance.now() - at)
        if (status < 200 || status > 299)
          throw new Error(`${call.toString().split('\r', 1)} answered ${status}`)
      }
    }),
  ).finally(() => {
    for (const line of lines) line.end()
  })
  const seconds = (performance.now() - begun) / 1_000
  took.sort((a, b) => a - b)
  const at = (part: number): number =>
    took[Math.min(took.length - 1, Math.floor(took.length * part))] ?? Number.NaN
  return { calls: took.length, seconds, medianMs: at(0.5), p99Ms: at(0.99) }
}

function callBytes({ method, headers, body = '' }: Load, path: string): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (body) lines.push(`content-length: ${Buffer.byteLength(body)}`)
  if (body && !headers['content-type']) lines.push('content-type: application/json')
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`)
}

type Line = { call(bytes: Buffer): Promise<{ status: number }>; end(): void }

function openLine(port: number): Promise<Line> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let head = Buffer.alloc(0)
    let left = -1
    let status = 0
    let answered = (_: { status: number }): void => {}
    let failed: (error: Error) => void = reject

    socket.on('data', (chunk) => {
      if (left < 0) {
        head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        const text = head.toString('latin1', 0, end)
        const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
        if (length === undefined)
          return void socket.destroy(new Error(`An answer without a length: ${text}`))
        status = Number(text.slice(9, 12))
        left = Number(length) - (head.length - end - 4)
        head = Buffer.alloc(0)
      } else left -= chunk.length
      if (left > 0) return
      left = -1
      answered({ status })
    })
    socket.on('error', (error) => failed(error))
    socket.on('close', () => failed(new Error('The server closed the connection.')))
    socket.once('connect', () =>
      resolve({
        call: (bytes) =>
          new Promise((done, fail) => {
            answered = done
            failed = fail
            socket.write(bytes)
          }),
        end: () => {
          failed = () => {}
          socket.destroy()
        },
      }),
    )
  })
}
