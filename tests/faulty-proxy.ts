/**
 * A proxy between a client and an HTTP server on loopback. It forwards calls unchanged (signatures
 * stay valid) and breaks those that a test picks: refused, cut off, or carried out with their
 * response lost.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * `refuse`: 503. `reset`: the connection breaks before the call gets through. `lose`: the call is
 * carried out, its response lost. `cut`: half of the response, then a reset.
 */
export type Spoil = 'refuse' | 'reset' | 'lose' | 'cut'
export type Seen = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly size: number
}

export type FaultyProxy = {
  readonly endpoint: string
  /** Every call, in order. */
  readonly seen: Seen[]
  /** Called for each call: how to break it; undefined lets it pass. */
  spoil: (call: Seen) => Spoil | undefined
  stop(): Promise<void>
}

export async function startFaultyProxy(target: string): Promise<FaultyProxy> {
  const to = new URL(target)
  const server = createServer((call, answer) => {
    const url = new URL(call.url ?? '/', target)
    const seen: Seen = {
      method: call.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      size: Number(call.headers['content-length'] ?? 0),
    }
    proxy.seen.push(seen)
    pass(call, answer, to, proxy.spoil(seen))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const proxy: FaultyProxy = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    spoil: () => undefined,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return proxy
}

function pass(
  call: IncomingMessage,
  answer: ServerResponse,
  to: URL,
  spoil: Spoil | undefined,
): void {
  const breakOff = (): void => void call.socket.destroy()
  if (spoil === 'reset') {
    breakOff()
    return
  }
  if (spoil === 'refuse') {
    call.resume()
    answer.writeHead(503, { 'content-type': 'application/xml' })
    answer.end('<?xml version="1.0"?><Error><Code>ServiceUnavailable</Code></Error>')
    return
  }
  const { expect: _, ...headers } = call.headers
  const onward = request({
    host: to.hostname,
    port: to.port,
    method: call.method,
    path: call.url,
    headers,
  })
  onward.on('error', breakOff)
  onward.on('response', (got) => {
    if (spoil === 'lose') {
      got.resume()
      got.on('end', breakOff)
      return
    }
    answer.writeHead(got.statusCode ?? 502, got.headers)
    if (spoil !== 'cut') return void got.pipe(answer)
    let left = Math.floor(Number(got.headers['content-length'] ?? 0) / 2)
    got.on('data', (chunk: Buffer) => {
      answer.write(chunk.subarray(0, Math.max(0, left)))
      left -= chunk.byteLength
      if (left <= 0) setImmediate(breakOff)
    })
  })
  call.on('error', () => onward.destroy())
  call.pipe(onward)
}
