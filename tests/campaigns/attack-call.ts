/**
 * One HTTP call, byte by byte as an attacker writes it: whatever stands in path, headers and body goes out as it is. Each on
 * a connection of its own, so that a broken call spoils no other.
 */
import { connect } from 'node:net'

export type AttackCall = {
  readonly method: string
  /** Written as Latin-1: a character below 256 is that byte. */
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: Buffer
}
export type AttackAnswer = {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  readonly ms: number
}

const patienceMs = 30_000

/** The answer; undefined when the connection ended without one. */
export function sendCall(url: string, call: AttackCall): Promise<AttackAnswer | undefined> {
  const { hostname, port, host } = new URL(url)
  const begun = performance.now()
  const head = [
    `${call.method} ${call.path} HTTP/1.1`,
    `host: ${host}`,
    'connection: close',
    ...call.headers.map(([name, value]) => `${name}: ${value}`),
    ...(call.body === undefined ? [] : [`content-length: ${call.body.length}`]),
  ]
  return new Promise((resolve) => {
    const got: Buffer[] = []
    const socket = connect(Number(port), hostname)
    const end = () => {
      socket.destroy()
      resolve(readAnswer(Buffer.concat(got), performance.now() - begun))
    }
    socket.setNoDelay(true).setTimeout(patienceMs, end)
    socket.on('data', (chunk) => got.push(chunk))
    socket.once('end', end).once('error', end)
    socket.write(Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'))
    if (call.body !== undefined) socket.write(call.body)
  })
}

function readAnswer(bytes: Buffer, ms: number): AttackAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(first)?.[1] ?? 0)
  const rest = bytes.subarray(end + 4)
  if (status < 200) return readAnswer(rest, ms)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim())
  }
  const whole = headers.get('transfer-encoding') === 'chunked' ? unchunk(rest) : rest
  return { status, headers, text: whole.toString(), ms }
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

/** For a finding: what was sent, so that a person can send it again. */
export function shownCall({ method, path, headers, body }: AttackCall): string {
  const sent = headers.filter(([name]) => name !== 'authorization').map(([name, value]) => `${name}: ${value}`)
  const bytes =
    body && (body.length > 600 ? `${body.toString('latin1', 0, 600)}… (${body.length} bytes)` : body.toString('latin1'))
  return JSON.stringify([`${method} ${path.slice(0, 400)}`, ...sent.map((line) => line.slice(0, 200)), bytes ?? ''])
}
