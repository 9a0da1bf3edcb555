/**
 * Who may give which roles: an admin those of its own site, an operator all; operators are made by operators. Nobody takes
 * their own access away. More roles end the links that were made before. An account that leaves the reach of its only site's
 * admin, who may know what opens it, loses its password, passkeys, recovery codes and sessions: it needs a new link.
 */
import { type GivenRoles, HubError, type Role } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/engine.ts'
import type { PersonRow } from '../../store/tables.ts'
import { type Call, noSite, sightOf } from '../access/caller.ts'
import { wrong } from '../access/client-names.ts'
import { addSiteFor, mustHaveSite } from '../access/sites.ts'
import type { Act } from '../audit/acts.ts'
import { isWithin, roleNames, type SiteRoles, sitesOf } from './describe-person.ts'
import * as links from './link-rows.ts'
import * as rows from './person-rows.ts'
import { deleteSessionsOf } from './session-rows.ts'

/** The roles that a call gives, each with its site. */
export function mustBeGiven(call: Call, given: readonly GivenRoles[]): SiteRoles[] {
  const own = sightOf(call)
  const sites = given.map(({ siteId, roles }) => {
    if (own !== undefined && roles.includes('operator'))
      throw new HubError('FORBIDDEN', { because: 'only an operator makes a person an operator.' })
    if (own !== undefined && siteId !== undefined && siteId !== own)
      throw new HubError('FORBIDDEN', { because: 'an admin gives roles in its own site only; leave siteId out.' })
    return mustFit({ siteId: own ?? siteId ?? noSite, roles: [...new Set(roles)] })
  })
  if (new Set(sites.map(({ siteId }) => siteId)).size < sites.length)
    throw wrong('sites', 'A site is named twice; list all roles of a site in one item.')
  return sites
}

/** The role operator has no site, and every other role has one. */
export function mustFit({ siteId, roles }: SiteRoles): SiteRoles {
  if (siteId !== noSite && roles.includes('operator'))
    throw wrong('sites', 'The role operator has no site; give it in an item of its own, without siteId.')
  if (siteId === noSite && roles.some((role) => role !== 'operator'))
    throw wrong('sites', `siteId is missing: only the role operator has no site.`)
  return { siteId, roles }
}

/** In the transaction that changes the person; open sessions get a new token with their next call. */
export async function giveRoles(
  hub: Hub,
  tx: Db,
  person: Pick<PersonRow, 'person_id' | 'roles_at'>,
  sites: readonly SiteRoles[],
): Promise<Act[]> {
  const before = await sitesOf(tx, person.person_id)
  await writeRoles(hub, tx, person, sites)
  const after = await sitesOf(tx, person.person_id)
  if (!isWithin(after, before)) await links.deleteLinksOf(tx, person.person_id)
  const gained = after.some(({ siteId }) => !before.some((one) => one.siteId === siteId))
  return gained && !isShared(before) ? endCredentials(tx, person.person_id, after) : []
}

const isShared = (sites: readonly SiteRoles[]): boolean =>
  sites.length > 1 || sites.some(({ siteId }) => siteId === noSite)

async function endCredentials(tx: Db, personId: string, sites: readonly SiteRoles[]): Promise<Act[]> {
  const siteId = sites.find((one) => one.siteId !== noSite)?.siteId ?? noSite
  const hadAny = await links.deleteCredentials(tx, personId)
  const ended = await deleteSessionsOf(tx, personId)
  return [
    ...(hadAny ? [{ thing: 'person', verb: 'credentials removed', id: personId, siteId } as const] : []),
    ...ended.map((id) => ({ thing: 'session', verb: 'ended', id, siteId }) as const),
  ]
}

async function writeRoles(
  hub: Hub,
  tx: Db,
  person: Pick<PersonRow, 'person_id' | 'roles_at'>,
  sites: readonly SiteRoles[],
): Promise<void> {
  for (const { siteId, roles } of [...sites].sort((a, b) => (a.siteId < b.siteId ? -1 : 1))) {
    if (siteId !== noSite && roles.length > 0) await mustHaveSite(tx, siteId)
    await rows.replaceRoles(tx, siteId, person.person_id, roles)
  }
  await rows.updatePerson(tx, person.person_id, { roles_at: Math.max(hub.clock.now(), person.roles_at + 1) })
}

/** Gives a new person roles. The site of the first person may be new. */
export async function addFirstRoles(hub: Hub, tx: Db, person: PersonRow, sites: readonly SiteRoles[]): Promise<Act[]> {
  const acts: Act[] = []
  for (const { siteId } of sites) if (siteId !== noSite) acts.push(...(await addSiteFor(hub, tx, siteId)))
  await writeRoles(hub, tx, person, sites)
  for (const one of sites)
    acts.push({
      thing: 'person',
      verb: 'added',
      id: person.person_id,
      siteId: one.siteId,
      is: { sites: roleNames([one]) },
    })
  return acts
}

export function mustKeepOwn(call: Call, personId: string, what: string): void {
  if (call.caller.person?.personId === personId) throw new HubError('OWN_ACCESS', { what })
}

/** The roles with which people manage others. */
const keys: readonly Role[] = ['admin', 'operator']

export function mustKeepRoles(
  call: Call,
  personId: string,
  before: readonly SiteRoles[],
  given: readonly SiteRoles[],
): void {
  for (const { siteId, roles } of given) {
    const held = before.find((one) => one.siteId === siteId)?.roles ?? []
    const lost = keys.find((role) => held.includes(role) && !roles.includes(role))
    if (lost) mustKeepOwn(call, personId, `take the role ${lost} from yourself`)
  }
}
