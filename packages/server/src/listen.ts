/**
 * A server on its address, with TLS or without: slow and silent callers are cut off (specification of faults, F18), long
 * uploads are not, connections are capped, and `drain` lets every call that has begun come to its end. A caller is slow
 * when it keeps us waiting, never when we keep it waiting.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Caps, capConnections } from './connections.ts'

/** All in milliseconds, but `leastBytes`. */
export type Patience = {
  /** For the TLS handshake. */
  readonly handshake: number
  /** For the head of a call. */
  readonly head: number
  /** For the whole body, but for file bytes under /fms. */
  readonly body: number
  /** In each such span of time at least `leastBytes` must arrive, or something be read. */
  readonly span: number
  readonly leastBytes: number
  readonly keepAlive: number
}

export const usualPatience: Patience = {
  handshake: 10_000,
  head: 20_000,
  body: 120_000,
  span: 30_000,
  leastBytes: 4_096,
  keepAlive: 72_000,
}

/** What Node takes only when a server is made: how long a handshake may take, how often late heads are looked for. */
export const serverOptions = ({ handshake, head }: Patience) => ({
  handshakeTimeout: handshake,
  connectionsCheckingInterval: Math.ceil(head / 4),
})

export type Listening = {
  readonly port: number
  /** Connections that are open now. */
  connections(): number
  /**
   * For `firstMs` calls are still taken, but each answer ends its connection, so that none is lost when the address
   * closes. Then takes no more, waits for those that run, and cuts off what is left after `withinMs`.
   */
  drain(withinMs: number, firstMs?: number): Promise<void>
}

type Watched = {
  call: IncomingMessage
  answer: ServerResponse
  begun: number
  since: number
  read: number
  written: number
}

export async function listen(
  server: Server,
  at: { readonly host: string; readonly port: number },
  { patience = usualPatience, caps }: { readonly patience?: Patience; readonly caps?: Caps } = {},
): Promise<Listening> {
  const connections = capConnections(server, caps)
  const running = new Set<Watched>()
  let draining = false
  let closed: Promise<void> | undefined
  server.headersTimeout = patience.head
  server.requestTimeout = 0
  server.timeout = 0
  server.keepAliveTimeout = patience.keepAlive

  // Before the doors see the call: they may answer at once.
  server.prependListener('request', (call, answer) => {
    const now = performance.now()
    const { bytesRead, bytesWritten } = call.socket
    const watched = { call, answer, begun: now, since: now, read: bytesRead, written: bytesWritten }
    running.add(watched)
    if (draining) answer.setHeader('connection', 'close')
    answer.once('close', () => {
      running.delete(watched)
      if (closed) setImmediate(() => server.closeIdleConnections())
    })
  })
  const watch = setInterval(() => {
    for (const watched of running) if (isSlow(watched, patience)) watched.call.socket.destroy()
  }, patience.span / 6).unref()
  server.once('close', () => clearInterval(watch))

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at.port, at.host, () => {
      server.off('error', reject)
      resolve()
    })
  })

  return {
    port: (server.address() as AddressInfo).port,
    connections: connections.count,
    drain: async (withinMs, firstMs = 0) => {
      draining = true
      for (const { answer } of running) if (!answer.headersSent) answer.setHeader('connection', 'close')
      if (firstMs > 0) await new Promise((resolve) => setTimeout(resolve, firstMs))
      closed = new Promise<void>((resolve) => server.close(() => resolve()))
      connections.endSilent()
      const impatient = setTimeout(connections.endAll, withinMs)
      await closed
      clearTimeout(impatient)
    },
  }
}

/** Looks once a span: whether the caller has moved since the last look. */
function isSlow(watched: Watched, patience: Patience): boolean {
  const { call, answer } = watched
  const { socket } = call
  const now = performance.now()
  // Bytes that wait in our own buffer were sent in time; it is we who do not take them.
  const waitsForBody = !call.complete && call.readableLength < call.readableHighWaterMark
  if (waitsForBody && !call.url?.startsWith('/fms/') && now - watched.begun > patience.body) return true
  if (now - watched.since < patience.span) return false
  const arrived = socket.bytesRead - watched.read
  // What the kernel took from us counts as read.
  const taken = socket.bytesWritten - socket.writableLength - watched.written
  const waitsForReader = answer.writableLength + socket.writableLength > 0
  watched.since = now
  watched.read = socket.bytesRead
  watched.written = socket.bytesWritten - socket.writableLength
  return (waitsForBody && arrived < patience.leastBytes) || (waitsForReader && taken <= 0)
}
