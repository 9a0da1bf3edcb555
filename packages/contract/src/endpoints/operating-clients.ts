/** Contract, section 12: clients. Admins see those of their site, operators those of every site. */
import {
  Client,
  ClientChange,
  ClientsQuery,
  NewClient,
  NewSecret,
  namePattern,
  Rotation,
  SecretClient,
} from '../schemas/operating/client.ts'
import Type from '../schemas/type.ts'
import { rows } from './row.ts'

const clients = { tag: 'Operating', scope: ['admin', 'operator'], answers: Client } as const
const one = {
  ...clients,
  params: Type.Object({ clientId: Type.String({ pattern: namePattern }) }),
} as const

export const clientEndpoints = rows({
  listClients: {
    ...clients,
    call: 'GET /clients',
    says: 'List the clients of the site, newest first; for an operator, those of all sites',
    query: ClientsQuery,
    collection: 'clients',
    fails: [],
  },
  createClient: {
    ...clients,
    confirm: true,
    call: 'POST /clients',
    says: 'Add a client; only this response shows its secret',
    body: NewClient,
    answers: SecretClient,
    status: 201,
    fails: ['CLIENT_EXISTS', 'PROVIDER_NOT_FOUND', 'SITE_REMOVED'],
  },
  findClient: {
    ...one,
    call: 'GET /clients/{clientId}',
    says: 'Read a client',
    fails: ['CLIENT_NOT_FOUND'],
  },
  changeClient: {
    ...one,
    confirm: true,
    call: 'PATCH /clients/{clientId}',
    says: 'Change what a client of the site may do: scopes, providers, page format, quotas, rate limit, networks',
    body: ClientChange,
    fails: [
      'CLIENT_NOT_FOUND',
      'PROVIDER_NOT_FOUND',
      'LAST_ADMIN',
      'LAST_OPERATOR',
      'SITE_REMOVED',
    ],
  },
  deleteClient: {
    ...one,
    confirm: true,
    call: 'DELETE /clients/{clientId}',
    says: 'Remove a client with its secrets and listeners; its jobs stay with the site',
    fails: ['CLIENT_NOT_FOUND', 'LAST_ADMIN', 'LAST_OPERATOR'],
  },
  rotateClientSecret: {
    ...one,
    confirm: true,
    call: 'POST /clients/{clientId}/rotate',
    says: 'Give a client a new secret; the old one stays valid for the overlap',
    body: Rotation,
    bodyOptional: true,
    answers: NewSecret,
    fails: ['CLIENT_NOT_FOUND'],
  },
})
