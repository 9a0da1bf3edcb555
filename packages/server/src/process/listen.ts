/**
 * A listening server, with or without TLS: cuts off slow and silent callers (specification of
 * faults, F18) but not long uploads, caps connections, and `drain` lets every running call finish.
 * A caller is slow if we wait for it, never if it waits for us.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Caps, capConnections } from './connections.ts'

/** All in milliseconds, except `minBytes`. */
export type Patience = {
  readonly handshake: number
  readonly head: number
  /** The limit is for the whole body, except file bytes under /fms. */
  readonly body: number
  /** In each span of this length at least `minBytes` must arrive, or some bytes must be read. */
  readonly span: number
  readonly minBytes: number
  readonly keepAlive: number
}

export const usualPatience: Patience = {
  handshake: 10_000,
  head: 20_000,
  body: 120_000,
  span: 30_000,
  minBytes: 4_096,
  keepAlive: 72_000,
}

/**
 * What Node accepts only when a server is created: the limit for the handshake, and how often it
 * looks for late heads.
 */
export const serverOptions = ({ handshake, head }: Patience) => ({
  handshakeTimeout: handshake,
  connectionsCheckingInterval: Math.ceil(head / 4),
})

export type Listening = {
  readonly port: number
  /** Connections that are open now. */
  connections(): number
  /**
   * For `firstMs` it still accepts calls, but each response closes its connection, so that none is
   * lost when the socket closes. Then it accepts no more, waits for running calls, and cuts off the
   * rest after `withinMs`.
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

  // Runs before the doors see the call: they may answer at once.
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
      for (const { answer } of running)
        if (!answer.headersSent) answer.setHeader('connection', 'close')
      if (firstMs > 0) await new Promise((resolve) => setTimeout(resolve, firstMs))
      closed = new Promise<void>((resolve) => server.close(() => resolve()))
      connections.endSilent()
      const impatient = setTimeout(connections.endAll, withinMs)
      await closed
      clearTimeout(impatient)
    },
  }
}

/** Checks, once per span, whether the caller has made progress since the last check. */
function isSlow(watched: Watched, patience: Patience): boolean {
  const { call, answer } = watched
  const { socket } = call
  const now = performance.now()
  // Bytes in our own buffer arrived in time; we are the ones who have not read them.
  const waitsForBody = !call.complete && call.readableLength < call.readableHighWaterMark
  if (waitsForBody && !call.url?.startsWith('/fms/') && now - watched.begun > patience.body)
    return true
  if (now - watched.since < patience.span) return false
  const arrived = socket.bytesRead - watched.read
  // Bytes accepted by the kernel count as read.
  const taken = socket.bytesWritten - socket.writableLength - watched.written
  const waitsForReader = answer.writableLength + socket.writableLength > 0
  watched.since = now
  watched.read = socket.bytesRead
  watched.written = socket.bytesWritten - socket.writableLength
  return (waitsForBody && arrived < patience.minBytes) || (waitsForReader && taken <= 0)
}
