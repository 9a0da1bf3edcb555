/** The people who asked for mail, with the roles that decide what they may be told. */
import type { MailSwitches, Preferences } from '@dragoman/contract'
import type { Db } from '../../store/database.ts'
import type { PersonRow } from '../../store/tables.ts'
import { type SiteRoles, sitesOf } from './describe-person.ts'
import { preferencesOf } from './me.ts'
import * as rows from './person-rows.ts'

export type MailPerson = {
  readonly personId: string
  readonly name: string
  readonly email: string
  readonly switches: MailSwitches
  readonly language?: NonNullable<Preferences['language']>
  readonly zone?: string
  readonly sites: readonly SiteRoles[]
}

/** Undefined if the person is gone, disabled, without an address, or wants no mail. */
export async function findMailPerson(db: Db, personId: string): Promise<MailPerson | undefined> {
  const row = await rows.personById(db, personId)
  return row && describe(db, row)
}

/** Whatever mail they want; undefined if the person is gone, disabled or without an address. */
export async function findAnyPerson(
  db: Db,
  personId: string,
): Promise<Omit<MailPerson, 'switches'> | undefined> {
  const row = await rows.personById(db, personId)
  return row && describe(db, { ...row, preferences: withMail(row) })
}

/** As if they wanted some. */
const withMail = (row: PersonRow): string =>
  JSON.stringify({ ...preferencesOf(row), mail: { digest: true } })

/** Those with a role in the site, or in any. */
export async function listMailPeople(db: Db, siteId?: string): Promise<MailPerson[]> {
  const found: MailPerson[] = []
  for (const row of await rows.peopleWithMail(db)) {
    const person = await describe(db, row)
    if (person?.sites.some((one) => siteId === undefined || one.siteId === siteId))
      found.push(person)
  }
  return found
}

async function describe(db: Db, row: PersonRow): Promise<MailPerson | undefined> {
  const { person_id: personId, name, email, disabled_at } = row
  const { mail: switches, language, zone } = preferencesOf(row)
  if (
    disabled_at !== null ||
    email === null ||
    !switches ||
    !Object.values(switches).includes(true)
  )
    return undefined
  return {
    ...{ personId, name, email, switches, sites: await sitesOf(db, personId) },
    ...(language && { language }),
    ...(zone && { zone }),
  }
}
