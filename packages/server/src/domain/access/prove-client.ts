/**
 * A client proves itself by its secret, by the certificate of its connection, or by both: one that has certificates must
 * show one of them, and then needs no secret, but none may be wrong. The token endpoint asks, and so may any door that takes
 * HTTP Basic. Unknown and disabled clients are looked at as long as others and told the same.
 */
import type { Hub } from '../../hub.ts'
import { isName } from './client-names.ts'
import * as rows from './client-rows.ts'
import { type KnownClient, readClient } from './known-clients.ts'
import { addressOf, limitGuesses } from './login-throttle.ts'
import { provesSecret } from './secrets.ts'

export type Credentials = {
  readonly clientId: string
  readonly secret?: string | undefined
  /** The thumbprint of what the connection has shown. */
  readonly certificate?: string | undefined
}

/** The client, or undefined; throws RATE_LIMITED when this client id failed too often from this address. */
export async function proveClient(hub: Hub, shown: Credentials, address: string): Promise<KnownClient | undefined> {
  // Names that no client can have are counted as one, so that they fill no table.
  const clientId = isName(shown.clientId) ? shown.clientId : '?'
  return limitGuesses(hub, clientId, address, async () => {
    const [client, secrets] = await Promise.all([readClient(hub, clientId), rows.secretsOf(hub.engine.read, clientId)])
    const now = hub.clock.now()
    const alive = secrets.filter((secret) => secret.expires_at === null || secret.expires_at > now)
    const counts = client && !client.disabled
    const hashes = counts ? alive.map((secret) => secret.hash) : []
    const place = { clientId, address: addressOf(address) }
    const right = shown.secret === undefined || (await provesSecret(hub, shown.secret, hashes, place))
    if (!counts || !right) return undefined
    if (client.certificates.length === 0) return shown.secret === undefined ? undefined : client
    return shown.certificate !== undefined && client.certificates.includes(shown.certificate) ? client : undefined
  })
}
