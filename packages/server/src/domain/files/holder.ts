/**
 * A signed URL is its client's: once that client is disabled or removed, the URL is refused, within the half minute for
 * which a client is known, and an id that is added again is another client. It works only from the networks that the client
 * may call from. A caller of an outside issuer may have no row here; its URLs then live their own time.
 */
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import { type Caller, mustCallFrom } from '../access/caller.ts'
import { knownClient } from '../access/known-clients.ts'

/** `since` is when it was added. */
export type Holder = { readonly clientId: string; readonly since: number }

/** The client that a URL given to this caller is bound to; none where there is no row to bind it to. */
export const holderOf = ({ clientId, since }: Caller): Holder | undefined =>
  since === undefined ? undefined : { clientId, since }

/** `address` is where the call comes from. */
export async function mustBeHeld(hub: Hub, siteId: string, holder: Holder, address: string): Promise<void> {
  const client = await knownClient(hub, holder.clientId)
  if (!client || client.disabled || client.siteId !== siteId || client.since !== holder.since)
    throw new HubError('FORBIDDEN', { because: 'the client that this address was given to is disabled or gone.' })
  mustCallFrom(client, address)
}
