/**
 * Makes a sign-in link at the command line: for a new person with these roles, or for one who
 * cannot sign in any more.
 */
import { HubError, type Role } from '@dragoman/contract'
import type { Config } from '../../config/config.ts'
import { inUrl } from '../../config/config-values.ts'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { commandLine, recordActs } from '../access/audit/record-acts.ts'
import { noSite } from '../access/caller.ts'
import { wrong } from '../access/client-names.ts'
import { firstSiteName, firstSiteOf, mustHaveSite } from '../access/sites.ts'
import type { SiteRoles } from './describe-person.ts'
import { mustFit } from './give-roles.ts'
import { linkUrl, makeLink } from './links.ts'
import { plainEmail } from './new-person.ts'
import * as rows from './person-rows.ts'
import { firstSite } from './sessions.ts'

export type AskedLink = {
  readonly email?: string
  readonly roles?: readonly Role[]
  readonly siteId?: string
  readonly providers?: string[]
  readonly languages?: string[]
}
export type PrintedLink = {
  readonly link: string
  readonly expiresAt: number
  readonly sites: readonly SiteRoles[]
}

export async function linkByHand(hub: Hub, asked: AskedLink): Promise<PrintedLink> {
  return hub.db.transact(async (tx) => {
    const { personId, sites, siteId } =
      asked.email === undefined ? await forNew(tx, asked) : await forKnown(tx, asked)
    const made = await makeLink(hub, tx, { sites, ...(personId !== undefined && { personId }) })
    const act = { thing: 'person', verb: 'link made', id: personId ?? 'new', siteId } as const
    await recordActs(hub, tx, commandLine(), [act])
    return { link: linkUrl(addressOf(hub.config), made), expiresAt: made.expiresAt, sites }
  })
}

type Made = { readonly personId?: string; readonly sites: SiteRoles[]; readonly siteId: string }

/** People of several sites may have the address; then the site says whose link it is. */
async function forKnown(tx: Db, { email = '', siteId }: AskedLink): Promise<Made> {
  const all = await rows.peopleByEmail(tx, plainEmail(email))
  const ids = all.map(({ person_id }) => person_id)
  const roles = siteId === undefined || ids.length === 0 ? [] : await rows.rolesOfMany(tx, ids)
  const isHere = (id: string) =>
    roles.some(({ person_id, site_id }) => person_id === id && site_id === siteId)
  const [person, other] =
    siteId === undefined ? all : all.filter(({ person_id }) => isHere(person_id))
  if (!person) throw new HubError('NOT_FOUND', { what: `person with the address ${email}` })
  if (other)
    throw wrong(
      'site',
      `${all.length} people have the address ${email}; name the site of one with --site.`,
    )
  return { personId: person.person_id, sites: [], siteId: await firstSite(tx, person.person_id) }
}

async function forNew(
  tx: Db,
  { roles = [], siteId, providers, languages }: AskedLink,
): Promise<Made> {
  const first = await firstSiteOf(tx)
  const ofSite = roles.filter((role) => role !== 'operator')
  if (siteId !== undefined && ofSite.length === 0)
    throw wrong('site', 'The role operator has no site; leave --site out.')
  const site = siteId ?? first ?? firstSiteName
  // On a hub without sites the first person's is made when the link is used.
  if (ofSite.length > 0 && first !== undefined) await mustHaveSite(tx, site)
  const sites = [
    ...(roles.includes('operator') ? [mustFit({ siteId: noSite, roles: ['operator'] })] : []),
    ...(ofSite.length > 0
      ? [
          mustFit({
            siteId: site,
            roles: ofSite,
            ...(providers && { providers }),
            ...(languages && { languages }),
          }),
        ]
      : []),
  ]
  return { sites, siteId: ofSite.length > 0 ? site : noSite }
}

const addressOf = ({ publicUrl, tls, host, port }: Config): string =>
  publicUrl ?? `${tls ? 'https' : 'http'}://${inUrl(host)}:${port}`
