/**
 * SQL of people and their roles. No site: a person may have roles in several sites and signs in
 * without naming one; what an admin sees is restricted to the people with a role in its site.
 */
import type { Role } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import { lock } from '../../store/lock.ts'
import { type Key, pageAfter } from '../../store/page.ts'
import type { PersonRow } from '../../store/tables.ts'

export type RoleRow = {
  person_id: string
  site_id: string
  role: Role
  providers: string | null
  languages: string | null
}

export async function hasPeople(db: Db): Promise<boolean> {
  return (
    (await db.selectFrom('people').select('person_id').limit(1).executeTakeFirst()) !== undefined
  )
}

const all = (db: Db) => db.selectFrom('people').selectAll()

export const personById = (db: Db, personId: string): Promise<PersonRow | undefined> =>
  all(db).where('person_id', '=', personId).executeTakeFirst()

export const lockPerson = (tx: Db, personId: string): Promise<PersonRow | undefined> =>
  lock(tx, all(tx).where('person_id', '=', personId)).executeTakeFirst()

/**
 * Those whose preferences name mail: of the whole hub, since mail goes to a person and not to a
 * site.
 */
export const peopleWithMail = (db: Db): Promise<PersonRow[]> =>
  all(db)
    .where('preferences', 'like', '%"mail"%')
    .where('disabled_at', 'is', null)
    .orderBy('person_id')
    .execute()

/** The first account comes first. */
export const peopleByEmail = (db: Db, email: string): Promise<PersonRow[]> =>
  all(db).where('email', '=', email).orderBy('account').execute()

/** The hashes of the passwords of all accounts with the address. */
export const hashesOf = async (db: Db, email: string | null | undefined): Promise<string[]> =>
  email ? (await peopleByEmail(db, email)).flatMap(({ password_hash }) => password_hash ?? []) : []

/** Whether somebody else has the address, too. */
export async function isAddressShared(db: Db, { person_id, email }: PersonRow): Promise<boolean> {
  return (
    email !== null &&
    (await peopleByEmail(db, email)).some((other) => other.person_id !== person_id)
  )
}

export const personBySubject = (
  db: Db,
  issuer: string,
  subject: string,
): Promise<PersonRow | undefined> =>
  all(db).where('issuer', '=', issuer).where('subject', '=', subject).executeTakeFirst()

const newestFirst = [
  { column: 'created_at', descending: true },
  { column: 'person_id', descending: true },
]

/** A page of the people with a role in the site or, for an operator, of all. */
export function pageOfPeople(
  db: Db,
  siteId: string | undefined,
  page: { readonly after: Key | undefined; readonly limit: number },
): Promise<PersonRow[]> {
  const some =
    siteId === undefined
      ? all(db)
      : all(db).where(
          'person_id',
          'in',
          db.selectFrom('person_roles').select('person_id').where('site_id', '=', siteId),
        )
  return pageAfter(some, newestFirst, page.after).limit(page.limit).execute()
}

/** Returns false if the account of this address, or the subject, belongs to someone else. */
export async function insertPerson(tx: Db, person: PersonRow): Promise<boolean> {
  const added = await tx
    .insertInto('people')
    .values(person)
    .onConflict((conflict) => conflict.doNothing())
    .returning('person_id')
    .executeTakeFirst()
  return added !== undefined
}

export async function updatePerson(
  tx: Db,
  personId: string,
  change: Partial<Omit<PersonRow, 'person_id'>>,
): Promise<void> {
  await tx.updateTable('people').set(change).where('person_id', '=', personId).execute()
}

/** Everything that belongs to the person goes, too. */
export async function deletePerson(tx: Db, personId: string): Promise<void> {
  await tx.deleteFrom('people').where('person_id', '=', personId).execute()
}

/** Roles in sites that stay, and that of an operator. */
export function rolesOfMany(db: Db, personIds: readonly string[]): Promise<RoleRow[]> {
  return db
    .selectFrom('person_roles')
    .selectAll()
    .where('person_id', 'in', personIds)
    .where((eb) =>
      eb.or([
        eb('site_id', '=', ''),
        eb(
          'site_id',
          'in',
          db.selectFrom('sites').select('site_id').where('removing_at', 'is', null),
        ),
      ]),
    )
    .orderBy('site_id')
    .execute()
}

type Held = {
  readonly siteId: string
  readonly roles: readonly Role[]
  readonly providers?: readonly string[]
  readonly languages?: readonly string[]
}

export async function replaceRoles(
  tx: Db,
  personId: string,
  { siteId, roles, ...limits }: Held,
): Promise<void> {
  await tx
    .deleteFrom('person_roles')
    .where('site_id', '=', siteId)
    .where('person_id', '=', personId)
    .execute()
  if (roles.length === 0) return
  const providers = limits.providers ? JSON.stringify(limits.providers) : null
  const languages = limits.languages ? JSON.stringify(limits.languages) : null
  await tx
    .insertInto('person_roles')
    .values(
      [...new Set(roles)].map((role) => ({
        person_id: personId,
        site_id: siteId,
        role,
        providers,
        languages,
      })),
    )
    .execute()
}

/** Which of these providers the site has. */
export async function providersAmong(
  db: Db,
  siteId: string,
  providerIds: readonly string[],
): Promise<string[]> {
  const found = db.selectFrom('providers').select('provider_id').where('site_id', '=', siteId)
  const rows = await found.where('provider_id', 'in', [...providerIds]).execute()
  return rows.map(({ provider_id }) => provider_id)
}
