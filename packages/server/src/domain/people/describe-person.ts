/** A person as admins and operators see them. An admin sees the roles of its own site only. */
import {
  roles as allRoles,
  formatTime,
  isLimited,
  type Person,
  type PersonSession,
  type Role,
} from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import type { PersonRow, SessionRow } from '../../store/tables.ts'
import * as links from './link-rows.ts'
import * as rows from './person-rows.ts'

export type SiteRoles = {
  siteId: string
  roles: Role[]
  /** The only providers, and target languages, whose work limited roles see. */
  providers?: string[]
  languages?: string[]
}

/**
 * Sites in the order of their names, an operator's empty one first; roles in the order of the
 * contract.
 */
export async function sitesOf(db: Db, personId: string): Promise<SiteRoles[]> {
  return bySite(await rows.rolesOfMany(db, [personId]))
}

function bySite(found: readonly rows.RoleRow[]): SiteRoles[] {
  const sites = new Map<string, rows.RoleRow[]>()
  for (const row of found) sites.set(row.site_id, [...(sites.get(row.site_id) ?? []), row])
  return [...sites].map(([siteId, held]) => {
    const [{ providers = null, languages = null } = {}] = held
    return {
      siteId,
      roles: allRoles.filter((role) => held.some((row) => row.role === role)),
      ...(providers !== null && { providers: JSON.parse(providers) as string[] }),
      ...(languages !== null && { languages: JSON.parse(languages) as string[] }),
    }
  })
}

/** `sight` is the only site that the reader sees; undefined for an operator. */
export async function describePeople(
  db: Db,
  people: readonly PersonRow[],
  sight: string | undefined,
): Promise<Person[]> {
  if (people.length === 0) return []
  const ids = people.map((person) => person.person_id)
  const [roles, passkeys] = await Promise.all([
    rows.rolesOfMany(db, ids),
    links.passkeysOf(db, ids),
  ])
  return people.map((person) => {
    const own = <T extends { person_id: string }>(all: readonly T[]) =>
      all.filter(({ person_id }) => person_id === person.person_id)
    const sites = bySite(own(roles))
    return {
      personId: person.person_id,
      name: person.name,
      ...(person.email !== null && { email: person.email }),
      sites: sight === undefined ? sites : sites.filter(({ siteId }) => siteId === sight),
      signsInBy: [
        ...(person.password_hash === null ? [] : (['password'] as const)),
        ...(own(passkeys).length === 0 ? [] : (['passkey'] as const)),
        ...(person.subject === null ? [] : (['provider'] as const)),
      ],
      disabled: person.disabled_at !== null,
      createdDate: formatTime(person.created_at),
      ...(person.last_sign_in_at !== null && {
        lastSignInDate: formatTime(person.last_sign_in_at),
      }),
    }
  })
}

export async function describePerson(db: Db, person: PersonRow, sight?: string): Promise<Person> {
  const [shown] = await describePeople(db, [person], sight)
  if (!shown) throw new Error(`The person ${person.person_id} is gone.`)
  return shown
}

export const describeSession = (
  row: SessionRow,
  name: string,
  current: string | undefined,
): PersonSession => ({
  sessionId: row.session_id,
  personId: row.person_id,
  name,
  createdDate: formatTime(row.created_at),
  lastUsedDate: formatTime(row.used_at),
  expiryDate: formatTime(row.expires_at),
  ...(row.user_agent !== null && { userAgent: row.user_agent }),
  address: row.address,
  current: row.session_id === current,
})

/**
 * Roles as the audit log shows them: `admin@main`, `operator`, `translator@main of PROVIDER into
 * de-DE`.
 */
export const roleNames = (sites: readonly Readonly<SiteRoles>[]): string[] =>
  sites.flatMap(({ siteId, roles, providers, languages }) =>
    roles.flatMap((role) => {
      if (siteId === '') return [role]
      if (!isLimited(role, providers)) return [`${role}@${siteId}`]
      return (providers ?? []).flatMap((providerId) => {
        const name = `${role}@${siteId} of ${providerId}`
        return languages ? languages.map((language) => `${name} into ${language}`) : [name]
      })
    }),
  )

/** Whether the first roles are no more than the second. */
export const isWithin = (sites: readonly SiteRoles[], most: readonly SiteRoles[]): boolean => {
  const held = new Set(roleNames(most))
  return roleNames(sites).every((name) => held.has(name))
}
