/** The anchor of SOAP: the `soap` package alone, answering one operation with a prepared object. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listen } from 'soap'
import { answer } from '../child.ts'

type Served = {
  readonly path: string
  readonly wsdl: string
  readonly operation: string
  readonly result: object
}

const verbs = {
  /** Returns the port. */
  open: ({ path, wsdl, operation, result }: Served): Promise<number> => {
    const server = createServer()
    server.keepAliveTimeout = 72_000
    const service = {
      ProjectSettingsService: {
        BasicHttpBinding_IProjectSettingsService: {
          [operation]: () => ({ [`${operation}Result`]: result }),
        },
      },
    }
    return new Promise((resolve) =>
      server.listen(0, '127.0.0.1', () => {
        // With a length, as the load generator needs it; it is also faster.
        listen(server, { path, services: service, xml: wsdl, enableChunkedEncoding: false })
        resolve((server.address() as AddressInfo).port)
      }),
    )
  },
}
export type BareSoapVerbs = typeof verbs
answer(verbs)
