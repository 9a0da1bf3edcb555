/**
 * Authenticates a client by its secret, by the certificate of its connection, or by both. A client
 * with certificates must present one of them; it then needs no secret, but a wrong one is refused.
 * Used by the token endpoint and by doors that accept HTTP Basic. Unknown and disabled clients take
 * the same time and get the same answer as others.
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
  /** The thumbprint of the connection's certificate. */
  readonly certificate?: string | undefined
}

/**
 * The client, or undefined. Throws RATE_LIMITED if this client id failed too often from this
 * address.
 */
export async function proveClient(
  hub: Hub,
  shown: Credentials,
  address: string,
): Promise<KnownClient | undefined> {
  // Invalid client ids are counted as one, so that they cannot fill the table.
  const clientId = isName(shown.clientId) ? shown.clientId : '?'
  return limitGuesses(hub, { name: clientId, ip: address }, async () => {
    const [client, secrets] = await Promise.all([
      readClient(hub, clientId),
      rows.secretsOf(hub.db.read, clientId),
    ])
    const now = hub.clock.now()
    const alive = secrets.filter((secret) => secret.expires_at === null || secret.expires_at > now)
    const counts = client && !client.disabled
    const hashes = counts ? alive.map((secret) => secret.hash) : []
    const source = { clientId, address: addressOf(address) }
    const right =
      shown.secret === undefined || (await provesSecret(hub, shown.secret, hashes, source))
    if (!counts || !right) return undefined
    if (client.certificates.length === 0) return shown.secret === undefined ? undefined : client
    return shown.certificate !== undefined && client.certificates.includes(shown.certificate)
      ? client
      : undefined
  })
}
