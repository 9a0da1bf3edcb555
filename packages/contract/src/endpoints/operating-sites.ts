/** Contract, section 12: sites and signing keys, for operators. */
import { namePattern } from '../schemas/operating/client.ts'
import { KeyRotation, RotatedKey, Site, SitesQuery } from '../schemas/operating/site.ts'
import Type from '../schemas/type.ts'
import { rows } from './row.ts'

const sites = { tag: 'Operating', scope: 'operator', answers: Site } as const

export const siteEndpoints = rows({
  listSites: {
    ...sites,
    call: 'GET /sites',
    says: 'List the sites with their sizes, newest first',
    query: SitesQuery,
    collection: 'sites',
    fails: [],
  },
  deleteSite: {
    ...sites,
    confirm: true,
    call: 'DELETE /sites/{siteId}',
    says: 'Disable the clients of a site immediately, and remove everything that belongs to it in the background',
    params: Type.Object({ siteId: Type.String({ pattern: namePattern }) }),
    status: 202,
    fails: ['SITE_NOT_FOUND'],
  },
  rotateKeys: {
    confirm: true,
    call: 'POST /keys/rotate',
    says: 'Sign tokens with a new key from now on; with revoke, refuse all tokens signed before',
    tag: 'Operating',
    scope: 'operator',
    body: KeyRotation,
    bodyOptional: true,
    answers: RotatedKey,
    fails: [],
  },
})
