/** Contract, section 12: calls for operators and admins. */
import { Client, ClientChange } from '../schemas/client.ts'
import Type from '../schemas/type.ts'
import { rows } from './row.ts'

/** Longer than other ids, and with dots. */
const clientPath = Type.Object({ clientId: Type.String({ pattern: '^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$' }) })

export const operatingEndpoints = rows({
  changeClient: {
    call: 'PATCH /clients/{clientId}',
    says: 'Change what a client of the site may do: scopes, providers, page format, quotas, rate limit, networks',
    tag: 'Operating',
    scope: 'admin',
    params: clientPath,
    body: ClientChange,
    answers: Client,
    fails: ['CLIENT_NOT_FOUND', 'PROVIDER_NOT_FOUND', 'LAST_ADMIN'],
  },
})
