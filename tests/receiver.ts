/**
 * The receiving end of a listener: a real HTTP or HTTPS server on loopback that records every call
 * and behaves well or badly, as configured.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'

export type Received = {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** The raw body. */
  readonly text: string
  readonly body: Record<string, unknown>
}

export type Behaviour =
  | number
  | {
      readonly status: number
      readonly headers?: Record<string, string>
      readonly body?: string | Buffer
    }
  /** Never responds. */
  | 'hang'
  /** Resets the connection. */
  | 'reset'
  /** 200, then a body that trickles forever. */
  | 'endless'
  /** 200, then 1 GB as fast as possible. */
  | 'huge'
  /** 200, then a small gzip that expands to 100 MB. */
  | 'bomb'
  /** A response head that never ends. */
  | 'slow head'

export type Receiver = {
  readonly url: string
  readonly port: number
  /** All calls so far, in order of arrival. */
  readonly calls: Received[]
  /** How the next calls are answered; 204 by default. */
  behave(next: Behaviour | ((call: Received) => Behaviour | Promise<Behaviour>)): void
  /** The maximum number of calls that were open at once. */
  most(): number
  /** How many bytes of its response were read. */
  sent(): number
  close(): Promise<void>
}

export async function startReceiver(
  options: { tls?: { cert: string; key: string }; host?: string } = {},
): Promise<Receiver> {
  const calls: Received[] = []
  let behaviour: Parameters<Receiver['behave']>[0] = 204
  let running = 0
  let most = 0
  let sent = 0
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    running += 1
    most = Math.max(most, running)
    response.once('close', () => {
      running -= 1
      sent += response.socket?.bytesWritten ?? 0
    })
    const call = await read(request)
    calls.push(call)
    perform(typeof behaviour === 'function' ? await behaviour(call) : behaviour, response)
  }
  const listen = (request: IncomingMessage, response: ServerResponse): void => {
    take(request, response).catch(() => response.destroy())
  }
  const server = options.tls ? createTlsServer(options.tls, listen) : createServer(listen)
  await new Promise<void>((resolve) => server.listen(0, options.host ?? '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    port,
    calls,
    behave: (next) => {
      behaviour = next
    },
    most: () => most,
    sent: () => sent,
    close: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function read(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  )
  return { path: request.url ?? '', headers, text, body: text === '' ? {} : JSON.parse(text) }
}

/** Takes half a second of the tested process, so it is built only once. */
let bomb: Buffer | undefined
const performances: Readonly<
  Record<Extract<Behaviour, string>, (response: ServerResponse) => void>
> = {
  hang: () => {},
  reset: (response) => response.socket?.destroy(),
  endless: (response) => drip(response.writeHead(200), () => response.write('x')),
  huge: (response) => pour(response.writeHead(200, { 'content-length': 1024 ** 3 })),
  bomb: (response) => {
    bomb ??= gzipSync(Buffer.alloc(100 * 1024 ** 2))
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb)
  },
  'slow head': (response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\n')
    drip(response, () => response.socket?.write('x-more: x\r\n'))
  },
}

function perform(behaviour: Behaviour, response: ServerResponse): void {
  if (typeof behaviour === 'string') performances[behaviour](response)
  else if (typeof behaviour === 'number') response.writeHead(behaviour).end()
  else response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body)
}

function drip(response: ServerResponse, once: () => unknown): void {
  const timer = setInterval(once, 50)
  response.once('close', () => clearInterval(timer))
}

/** Writes for as long as the other side reads. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'x')
  const more = (): void => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once('drain', more)
  }
  more()
}
