/** Handlers of clients, one line each. */
import { changeSiteClient } from '../../domain/access/change-client.ts'
import { mustFindProvider } from '../../domain/providers/providers.ts'
import type { Handlers } from './bind.ts'

export const clientHandlers = {
  changeClient: (hub, call, { params, body }) => changeSiteClient(hub, call, params.clientId, body, mustFindProvider),
} satisfies Partial<Handlers>
