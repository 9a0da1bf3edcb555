/**
 * One HTTP call, written to the socket byte by byte, for what no client library sends (malformed
 * forms, wrong lengths, odd headers, truncated bodies). Each has its own connection, so that a
 * broken call affects no other.
 */
import { connect } from 'node:net'

export type RawCall = {
  readonly method: string
  /**
   * Path and query as on the request line. Written as Latin-1: a character below 256 is that byte.
   */
  readonly path: string
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: Uint8Array | string
  /** The declared length, if it differs from the body's. */
  readonly length?: number | string
  /** Chunked, in pieces of this many bytes, instead of a length. */
  readonly chunked?: number
  /** How many bytes of the response are kept at most; all by default. */
  readonly keeps?: number
  /** Closes the sending side after the body (`half`), or the whole connection (`reset`). */
  readonly ends?: 'half' | 'reset'
}

export type RawAnswer = {
  readonly status: number
  /** By lower-case name. */
  readonly headers: ReadonlyMap<string, string>
  readonly bytes: Buffer
  readonly text: string
  readonly ms: number
}

/**
 * Far longer than the hub ever waits: on any machine, a call that takes this long is never
 * answered.
 */
const patienceMs = 300_000

/** The response; undefined if there is none, and `tell` is called with the reason. */
export function rawCall(
  url: string,
  call: RawCall,
  tell: (why: string) => void = () => {},
): Promise<RawAnswer | undefined> {
  const { hostname, port, host } = new URL(url)
  const begun = performance.now()
  return new Promise((resolve) => {
    const got: Buffer[] = []
    const socket = connect(Number(port), hostname)
    const end = (why: string) => () => {
      socket.destroy()
      const ms = performance.now() - begun
      const answer = readAnswer(Buffer.concat(got), ms)
      if (!answer) tell(`${why} after ${ms.toFixed(0)} ms`)
      resolve(answer)
    }
    socket.setNoDelay(true).setTimeout(patienceMs, end('the connection stayed silent'))
    let left = call.keeps ?? Number.POSITIVE_INFINITY
    socket.on('data', (piece) => {
      if (left > 0) got.push(piece)
      left -= piece.length
    })
    socket
      .once('end', end('the hub closed the connection'))
      .once('close', end('the connection was closed'))
    socket.once('error', (error) => end(`the connection failed (${error.message})`)())
    socket.write(headOf(call, host))
    socket.write(bodyOf(call), () => {
      if (call.ends === 'half') socket.end()
      if (call.ends === 'reset') socket.resetAndDestroy()
    })
  })
}

function headOf(
  { method, path, headers = [], body, length, chunked }: RawCall,
  host: string,
): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`, 'connection: close']
  for (const [name, value] of headers) lines.push(`${name}: ${value}`)
  if (chunked !== undefined) lines.push('transfer-encoding: chunked')
  else if (body !== undefined) lines.push(`content-length: ${length ?? Buffer.byteLength(body)}`)
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

function readAnswer(bytes: Buffer, ms: number): RawAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0)
  const rest = bytes.subarray(end + 4)
  // 100 Continue comes before the response.
  if (status < 200) return readAnswer(rest, ms)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  // Anything after the response answers bytes that were not a call.
  const length = headers.get('content-length')
  const sized = length === undefined ? rest : rest.subarray(0, Number(length))
  const whole = headers.get('transfer-encoding') === 'chunked' ? unchunk(rest) : sized
  return { status, headers, bytes: whole, text: whole.toString(), ms }
}

function unchunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const line = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    if (!(size > 0)) break
    parts.push(bytes.subarray(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
  return Buffer.concat(parts)
}
