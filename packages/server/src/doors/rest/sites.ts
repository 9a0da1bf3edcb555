/** Handlers of sites and keys, one line each. */
import { rotateSigningKey } from '../../domain/access/rotate-signing-key.ts'
import { deleteSite, listSites } from '../../domain/sites/sites.ts'
import type { Handlers } from './bind.ts'

export const siteHandlers = {
  listSites: (hub, call, { query }) => listSites(hub, call, query),
  deleteSite: (hub, call, { params }) => deleteSite(hub, call, params.siteId),
  rotateKeys: (hub, call, { body }) => rotateSigningKey(hub, call, body),
} satisfies Partial<Handlers>
