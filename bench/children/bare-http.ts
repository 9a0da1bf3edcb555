/** The anchor of reads: node:http and nothing else, sending bytes that were ready before. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answer } from '../child.ts'

const verbs = {
  /** Gives back the port. */
  open: ({ headers, body }: { headers: Record<string, string>; body: Buffer }): Promise<number> => {
    const bytes = Buffer.from(body)
    const server = createServer((_request, response) => {
      response.writeHead(200, { ...headers, 'content-length': bytes.length })
      response.end(bytes)
    })
    server.keepAliveTimeout = 72_000
    return new Promise((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    )
  },
}
export type BareHttpVerbs = typeof verbs
answer(verbs)
