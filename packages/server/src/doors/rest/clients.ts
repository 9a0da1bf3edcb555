/** Handlers of clients, one line each. */
import { changeSeenClient } from '../../domain/access/change-client.ts'
import { rotateSeenClient } from '../../domain/access/rotate-secret.ts'
import { findSeenClient, listSeenClients } from '../../domain/access/seen-clients.ts'
import { mustFindProvider } from '../../domain/engines/providers.ts'
import { createClient, deleteClient } from '../../domain/sites/enrol-client.ts'
import type { Handlers } from './bind.ts'

export const clientHandlers = {
  listClients: (hub, call, { query }) => listSeenClients(hub, call, query),
  createClient: (hub, call, { body }) => createClient(hub, call, body),
  findClient: (hub, call, { params }) => findSeenClient(hub, call, params.clientId),
  changeClient: (hub, call, { params, body }) =>
    changeSeenClient(hub, call, params.clientId, { change: body, mustFind: mustFindProvider }),
  deleteClient: (hub, call, { params }) => deleteClient(hub, call, params.clientId),
  rotateClientSecret: (hub, call, { params, body }) =>
    rotateSeenClient(hub, call, params.clientId, body),
} satisfies Partial<Handlers>
