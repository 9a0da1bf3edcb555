/**
 * Limits how many connections a server holds, in all and from one address. Connections over the
 * limit are reset before a byte is read and before TLS costs anything.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'

export type Caps = {
  readonly all: number
  readonly byAddress: number | 'off'
  /** Addresses that stand for many callers: the proxies in front. */
  readonly isProxy: (address: string) => boolean
  /** What counts as one address. */
  readonly groupOf: (address: string) => string
  readonly refused: (because: Because) => void
}
export type Because = 'all' | 'address'

export type Connections = {
  count(): number
  /** Closes connections on which nothing has ever arrived: they have no call to wait for. */
  endSilent(): void
  endAll(): void
}

/** Applies to every connection from now on. */
export function capConnections(server: Server, caps?: Caps): Connections {
  const open = new Set<Socket>()
  const secured = new Set<Socket>()
  const byGroup = new Map<string, number>()

  const keep = (socket: Socket, group: string): void => {
    open.add(socket)
    byGroup.set(group, (byGroup.get(group) ?? 0) + 1)
    socket.once('close', () => {
      open.delete(socket)
      const left = (byGroup.get(group) ?? 1) - 1
      if (left > 0) byGroup.set(group, left)
      else byGroup.delete(group)
    })
  }
  const whyNot = (address: string, group: string): Because | undefined => {
    if (!caps) return undefined
    if (open.size >= caps.all) return 'all'
    if (caps.byAddress === 'off' || caps.isProxy(address)) return undefined
    return (byGroup.get(group) ?? 0) >= caps.byAddress ? 'address' : undefined
  }

  // Must run before the listeners that start reading: Node's own for HTTP or TLS.
  const takers = server.listeners('connection')
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const group = caps?.groupOf(address) ?? address
    const because = whyNot(address, group)
    if (because !== undefined) {
      caps?.refused(because)
      socket.resetAndDestroy()
      return
    }
    keep(socket, group)
    for (const take of takers) take.call(server, socket)
  })
  server.on('secureConnection', (socket: Socket) => {
    secured.add(socket)
    socket.once('close', () => secured.delete(socket))
  })

  return {
    count: () => open.size,
    endSilent: () => {
      for (const socket of [...open, ...secured]) if (socket.bytesRead === 0) socket.destroy()
    },
    endAll: () => {
      for (const socket of open) socket.destroy()
    },
  }
}
