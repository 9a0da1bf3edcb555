/**
 * A signed URL is its client's: once that client is disabled or removed, the URL is refused, within the half minute for
 * which a client is known. A caller of an outside issuer may have no row here; its URLs then live their own time.
 */
import { HubError } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Caller } from '../access/caller.ts'
import { knownClient } from '../access/known-clients.ts'

/** The client that a URL given to this caller is bound to; none where there is no row to bind it to. */
export const holderOf = ({ clientId, hasRow }: Pick<Caller, 'clientId' | 'hasRow'>): string | undefined =>
  hasRow ? clientId : undefined

export async function mustBeHeld(hub: Hub, siteId: string, clientId: string | undefined): Promise<void> {
  if (clientId === undefined) return
  const client = await knownClient(hub, clientId)
  if (!client || client.disabled || client.siteId !== siteId)
    throw new HubError('FORBIDDEN', { because: 'the client that this address was given to is disabled or gone.' })
}
