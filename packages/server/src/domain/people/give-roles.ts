/**
 * Who may give which roles: an admin those of its own site, an operator all; operators are made by
 * operators. Nobody takes their own access away. More roles end the links that were made before. An
 * account that leaves the reach of its only site's admin, who may know what opens it, loses its
 * password, passkeys, recovery codes and sessions: it needs a new link.
 */
import { type GivenRoles, HubError, type Role, workRoles } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { PersonRow } from '../../store/tables.ts'
import type { Act } from '../access/audit/acts.ts'
import { type Call, noSite, sightOf } from '../access/caller.ts'
import { wrong } from '../access/client-names.ts'
import { addSiteFor, mustHaveSite } from '../access/sites.ts'
import { isWithin, roleNames, type SiteRoles, sitesOf } from './describe-person.ts'
import * as links from './link-rows.ts'
import * as rows from './person-rows.ts'
import { deleteSessionsOf } from './session-rows.ts'

/** The roles that a call gives, each with its site. */
export function mustBeGiven(call: Call, given: readonly GivenRoles[]): SiteRoles[] {
  const own = sightOf(call)
  const sites = given.map(({ siteId, roles, providers, languages }) => {
    if (own !== undefined && roles.includes('operator'))
      throw new HubError('FORBIDDEN', { because: 'only an operator makes a person an operator.' })
    if (own !== undefined && siteId !== undefined && siteId !== own)
      throw new HubError('FORBIDDEN', {
        because: 'an admin gives roles in its own site only; leave siteId out.',
      })
    return mustFit({
      siteId: own ?? siteId ?? noSite,
      roles: [...new Set(roles)],
      ...(providers && { providers: [...new Set(providers)] }),
      ...(languages && { languages: [...new Set(languages)] }),
    })
  })
  if (new Set(sites.map(({ siteId }) => siteId)).size < sites.length)
    throw wrong('sites', 'A site is named twice; list all roles of a site in one item.')
  return sites
}

/**
 * The role operator has no site, and every other role has one. Providers belong to the roles that
 * are limited to them.
 */
export function mustFit(given: SiteRoles): SiteRoles {
  const { siteId, roles, providers, languages } = given
  if (siteId !== noSite && roles.includes('operator'))
    throw wrong(
      'sites',
      'The role operator has no site; give it in a separate item, without siteId.',
    )
  if (siteId === noSite && roles.some((role) => role !== 'operator'))
    throw wrong('sites', `siteId is missing: only the role operator has no site.`)
  if ((providers || languages) && !roles.some((role) => workRoles.some((one) => one === role)))
    throw wrong(
      'sites',
      `providers and languages are given with the roles ${workRoles.join(', ')}.`,
    )
  if (languages && !providers)
    throw wrong('sites', 'languages are given with providers; name those as well.')
  return given
}

/**
 * In the transaction that changes the person; open sessions get a new token with their next call.
 */
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

async function endCredentials(
  tx: Db,
  personId: string,
  sites: readonly SiteRoles[],
): Promise<Act[]> {
  const siteId = sites.find((one) => one.siteId !== noSite)?.siteId ?? noSite
  const hadAny = await links.deleteCredentials(tx, personId)
  const ended = await deleteSessionsOf(tx, personId)
  return [
    ...(hadAny
      ? [{ thing: 'person', verb: 'credentials removed', id: personId, siteId } as const]
      : []),
    ...ended.map((id) => ({ thing: 'session', verb: 'ended', id, siteId }) as const),
  ]
}

async function writeRoles(
  hub: Hub,
  tx: Db,
  person: Pick<PersonRow, 'person_id' | 'roles_at'>,
  sites: readonly SiteRoles[],
): Promise<void> {
  for (const given of [...sites].sort((a, b) => (a.siteId < b.siteId ? -1 : 1))) {
    const { siteId, roles, providers = [] } = given
    if (siteId !== noSite && roles.length > 0) await mustHaveSite(tx, siteId)
    const known = providers.length > 0 ? await rows.providersAmong(tx, siteId, providers) : []
    const unknown = providers.find((providerId) => !known.includes(providerId))
    if (unknown !== undefined) throw wrong('sites', `Site ${siteId} has no provider ${unknown}.`)
    await rows.replaceRoles(tx, person.person_id, given)
  }
  await rows.updatePerson(tx, person.person_id, {
    roles_at: Math.max(hub.clock.now(), person.roles_at + 1),
  })
}

/** Gives a new person roles. The site of the first person may be new. */
export async function addFirstRoles(
  hub: Hub,
  tx: Db,
  person: PersonRow,
  sites: readonly SiteRoles[],
): Promise<Act[]> {
  const acts: Act[] = []
  for (const { siteId } of sites)
    if (siteId !== noSite) acts.push(...(await addSiteFor(hub, tx, siteId)))
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
    if (lost) mustKeepOwn(call, personId, `remove your own role ${lost}`)
  }
}
