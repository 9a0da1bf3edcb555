/**
 * The receiving end of listeners: `/good` answers at once and records what arrived and when; under
 * `/bad/` each path misbehaves in its own way.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from '../child.ts'
import { sharedNow } from '../shared-clock.ts'

export type Noted = { readonly id: string; readonly at: number }
export type Kept = { readonly headers: Record<string, string>; readonly body: string }

let noted: Noted[] = []
let kept: Kept[] | undefined

function takeGood(incoming: IncomingMessage, outgoing: ServerResponse): void {
  noted.push({ id: String(incoming.headers['webhook-id']), at: sharedNow() })
  const chunks: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => kept && chunks.push(chunk))
  incoming.on('end', () => {
    kept?.push({ headers: headersOf(incoming), body: Buffer.concat(chunks).toString() })
    outgoing.writeHead(204).end()
  })
}

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => /^(webhook-|content-type|user-agent)/.test(name))
      .map(([name, value]) => [name, String(value)]),
  )

const bad: readonly ((outgoing: ServerResponse) => void)[] = [
  () => {},
  (outgoing) => outgoing.socket?.destroy(),
  (outgoing) => outgoing.writeHead(500).end('x'.repeat(100_000)),
  (outgoing) => outgoing.writeHead(429, { 'retry-after': '2' }).end(),
  (outgoing) => {
    const drip = setInterval(() => outgoing.write('x'), 50)
    outgoing.writeHead(200).once('close', () => clearInterval(drip))
  },
]

const server = createServer((incoming, outgoing) => {
  const which = /^\/bad\/(\d+)/.exec(incoming.url ?? '')?.[1]
  if (which === undefined) return takeGood(incoming, outgoing)
  incoming.resume()
  bad[Number(which) % bad.length]?.(outgoing)
})
server.keepAliveTimeout = 72_000

const verbs = {
  /** Returns the port. */
  open: (): Promise<number> =>
    new Promise((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    ),
  /** Keeps everything from now on until `take`. */
  keep: (): void => {
    kept = []
  },
  kept: (): Kept[] => {
    const all = kept ?? []
    kept = undefined
    return all
  },
  count: (): number => noted.length,
  /** What arrived at the good path since the last call. */
  take: (): Noted[] => {
    const all = noted
    noted = []
    return all
  },
}
export type ReceiverVerbs = typeof verbs
answer(verbs, () => server.closeAllConnections())
