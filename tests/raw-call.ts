/**
 * A call written to the socket byte by byte, for what no client library lets through: broken forms, lying lengths, odd
 * headers. Answers what came back, or why nothing did.
 */
import { connect } from 'node:net'

export type RawCall = {
  readonly method: string
  /** Path and query as they stand on the request line. */
  readonly path: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array | string
  /** The length that the head tells; `false` tells none. Left out: the length of the body. */
  readonly length?: number | string | false
  /** Chunked, in pieces of so many bytes, in place of a length. */
  readonly chunked?: number
  /** Ends the sending side after the body (`half`), or the whole connection (`reset`). */
  readonly ends?: 'half' | 'reset'
}

export type RawAnswer = {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}
export type NoAnswer = 'closed' | 'silent'

const ourHeaders = ['host', 'connection']

export function rawCall(base: string, call: RawCall, patienceMs = 10_000): Promise<RawAnswer | NoAnswer> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const got: Buffer[] = []
    const end = (answer: RawAnswer | NoAnswer) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(() => end('silent'), patienceMs)
    socket.on('connect', () => {
      socket.write(headOf(call, `${hostname}:${port}`))
      socket.write(bodyOf(call), () => {
        if (call.ends === 'half') socket.end()
        if (call.ends === 'reset') socket.resetAndDestroy()
      })
    })
    socket.on('data', (piece) => {
      got.push(piece)
      const answer = readAnswer(Buffer.concat(got), call.method)
      if (answer) end(answer)
    })
    socket.on('error', () => {})
    socket.on('close', () => end(readAnswer(Buffer.concat(got), call.method) ?? 'closed'))
  })
}

function headOf({ method, path, headers = [], body = '', length, chunked }: RawCall, host: string): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`, 'connection: close']
  for (const [name, value] of headers) if (!ourHeaders.includes(name.toLowerCase())) lines.push(`${name}: ${value}`)
  if (chunked !== undefined) lines.push('transfer-encoding: chunked')
  else if (length !== false) lines.push(`content-length: ${length ?? Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
}

function bodyOf({ body = '', chunked }: RawCall): Buffer {
  const bytes = Buffer.from(body)
  if (chunked === undefined) return bytes
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += chunked) {
    const piece = bytes.subarray(at, at + chunked)
    parts.push(Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n'))
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')])
}

/** Undefined until the answer is whole; what comes before it (100 Continue) is passed over. */
function readAnswer(bytes: Buffer, method: string): RawAnswer | undefined {
  const text = bytes.toString('latin1')
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [first = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1])
  if (status < 200) return readAnswer(bytes.subarray(headEnd + 4), method)
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    }),
  )
  const body = bytes.subarray(headEnd + 4).toString('utf8')
  const length = Number(headers.get('content-length') ?? 0)
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304
  if (hasBody && Buffer.byteLength(body) < length) return undefined
  return { status, headers, body }
}
