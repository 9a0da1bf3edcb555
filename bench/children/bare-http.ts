/** The anchor of reads: node:http alone, sending prepared bytes. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from '../child.ts'

type Served = {
  readonly headers: Record<string, string>
  readonly body: Buffer
  readonly waitMs?: number
}

const verbs = {
  /** Returns the port. */
  open: ({ headers, body, waitMs }: Served): Promise<number> => {
    const bytes = Buffer.from(body)
    const server = createServer((_request, response) => {
      const send = (): void => {
        response.writeHead(200, { ...headers, 'content-length': bytes.length })
        response.end(bytes)
      }
      if (waitMs === undefined) send()
      else setTimeout(send, waitMs)
    })
    server.keepAliveTimeout = 72_000
    return new Promise((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    )
  },
}
export type BareHttpVerbs = typeof verbs
answer(verbs)
