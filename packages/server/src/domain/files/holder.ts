/**
 * Binds signed URLs to their client. Once the client is disabled or removed, its URLs are refused
 * (within five seconds, the lifetime of a cached client); a client added again under the same id is
 * a different one. A URL works only from the client's allowed networks. A caller of an outside
 * issuer may have no row; its URLs then just expire.
 */
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { type Caller, mustCallFrom } from '../access/caller.ts'
import { knownClient } from '../access/known-clients.ts'

/** `since` is when the client was added. */
export type Holder = { readonly clientId: string; readonly since: number }

/** The client to bind a URL to, or undefined if it has no row. */
export const holderOf = ({ clientId, since }: Caller): Holder | undefined =>
  since === undefined ? undefined : { clientId, since }

/** `address` is the caller's network address. */
export async function mustBeHeld(
  hub: Hub,
  siteId: string,
  holder: Holder,
  address: string,
): Promise<void> {
  const client = await knownClient(hub, holder.clientId)
  if (!client || client.disabled || client.siteId !== siteId || client.since !== holder.since)
    throw new HubError('FORBIDDEN', {
      because: 'the client that this URL was issued to is disabled or removed.',
    })
  mustCallFrom(client, address)
}
