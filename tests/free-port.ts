/**
 * A port for a program that cannot choose one itself, or that must come back on the same one. It is
 * below the range that the system assigns to servers on port 0 and to outgoing connections, so none
 * of those takes it.
 */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

export async function freePort(): Promise<number> {
  for (let tried = 0; ; tried++) {
    const port = randomInt(10_000, 32_000)
    if (await isFree(port)) return port
    if (tried > 100) throw new Error('No port is free between 10000 and 32000.')
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
