/**
 * The anchor of whole files: node:http that pipes a POST to disk and flushes it, and a GET from
 * disk.
 */
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { answer } from '../child.ts'

/** Awaits the close, which flushes. */
const receive = (incoming: IncomingMessage, path: string): Promise<void> =>
  pipeline(incoming, createWriteStream(path, { flush: true }))

const verbs = {
  /** Serves the files of a folder by name; returns the port. */
  open: (folder: string): Promise<number> => {
    const server = createServer((incoming, outgoing) => {
      const path = join(folder, incoming.url ?? '')
      if (incoming.method === 'GET') {
        outgoing.writeHead(200, {
          'content-length': statSync(path).size,
          'content-type': 'application/octet-stream',
        })
        createReadStream(path).pipe(outgoing)
      } else
        receive(incoming, path).then(
          () => outgoing.writeHead(201, { 'content-length': 0 }).end(),
          () => outgoing.destroy(),
        )
    })
    server.keepAliveTimeout = 72_000
    return new Promise((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    )
  },
}
export type BareFilesVerbs = typeof verbs
answer(verbs)
