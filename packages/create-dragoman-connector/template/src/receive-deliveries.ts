/**
 * Receives deliveries. A delivery only says that something has changed; the connector then asks the
 * hub for details.
 */
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Connection } from '@dragoman/sdk'
import { httpReceiver } from '@dragoman/sdk/node'

const type = 'REQUEST_STATUS_UPDATED'

/**
 * Calls `hint` for each delivery with a valid signature. A client can have one listener per type,
 * so an old one is replaced.
 */
export async function receiveDeliveries(
  hub: Connection,
  hint: () => void,
): Promise<() => Promise<void>> {
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const server = createServer(
    httpReceiver({ secret, onDelivery: async () => hint(), onError: () => hint() }),
  )
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const uri = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  for await (const old of hub.each('listListeners'))
    if (old.type === type) await hub.deleteListener({ params: { listenerId: old.listenerId } })
  const { listenerId } = await hub.createListener({ body: { uri, type, secret } })
  return async () => {
    await hub.deleteListener({ params: { listenerId } }).catch(() => {})
    server.closeAllConnections()
    server.close()
  }
}
