/** One address for several nodes: each connection goes to the next node that accepts it. */

import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export type Balancer = { readonly url: string; readonly port: number; close(): Promise<void> }

/** The ports are read at each connection: nodes may start later. */
export async function openBalancer(ports: () => readonly number[]): Promise<Balancer> {
  let turn = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    open.add(client)
    client.on('close', () => open.delete(client)).on('error', () => {})
    const all = ports()
    turn += 1
    const tryNode = (left: number): void => {
      if (left === 0) return void client.destroy()
      const node = connect(all[(turn + left) % all.length] ?? 0, '127.0.0.1')
      node.once('error', () => tryNode(left - 1))
      node.once('connect', () => {
        node.removeAllListeners('error')
        node.on('error', () => client.destroy()).on('close', () => client.destroy())
        client.on('close', () => node.destroy())
        node.pipe(client)
        client.pipe(node)
      })
    }
    tryNode(all.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
