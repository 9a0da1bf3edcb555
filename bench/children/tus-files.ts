/** The anchor of TUS: @tus/server with its own file store, which neither hashes nor flushes. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { anchors } from '../anchors.ts'
import { answer } from '../child.ts'

/** The parts used here: they are installed separately, so their types are not available. */
type Tus = {
  Server: new (
    options: object,
  ) => { handle(incoming: unknown, outgoing: unknown): Promise<unknown> }
}
type Files = { FileStore: new (options: { directory: string }) => unknown }

const verbs = {
  /** Returns the port. */
  open: async (directory: string): Promise<number> => {
    const load = (name: string) =>
      import(new URL(`node_modules/${name}/dist/index.js`, anchors).href)
    const { Server } = (await load('@tus/server')) as Tus
    const { FileStore } = (await load('@tus/file-store')) as Files
    const tus = new Server({
      path: '/files',
      relativeLocation: true,
      datastore: new FileStore({ directory }),
    })
    const server = createServer((incoming, outgoing) => void tus.handle(incoming, outgoing))
    server.keepAliveTimeout = 72_000
    return new Promise((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    )
  },
}
export type TusFilesVerbs = typeof verbs
answer(verbs)
