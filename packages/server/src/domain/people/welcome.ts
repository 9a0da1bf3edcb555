/**
 * Uses a sign-in link: sets a password or a passkey, makes the person if the link is for a new one,
 * and signs in.
 */
import { HubError, type Welcome } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { PersonLinkRow, PersonRow } from '../../store/tables.ts'
import type { Act } from '../access/audit/acts.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { noSite } from '../access/caller.ts'
import { wrong } from '../access/client-names.ts'
import { forgetGuessesOf } from '../access/login-throttle.ts'
import { firstSiteName, hasStayingSite } from '../access/sites.ts'
import { forgetFirstLink } from './first-sign-in.ts'
import { addFirstRoles } from './give-roles.ts'
import { deleteNewLinks } from './link-rows.ts'
import { checkLink, opensNoMore, readSites, takeLink } from './links.ts'
import { guessName, newPerson, plainEmail } from './new-person.ts'
import { keepPasskey } from './passkeys.ts'
import { hashPassword } from './passwords.ts'
import * as rows from './person-rows.ts'
import { deleteSessionsOf } from './session-rows.ts'
import { firstSite, openSession } from './sessions.ts'
import { type Attempt, recordSignIn, type SignedIn } from './sign-in.ts'

export async function welcome(hub: Hub, given: Welcome, attempt: Attempt): Promise<SignedIn> {
  const invitation = await checkLink(hub, given.token, attempt.from.address)
  const { password, passkey } = given
  if (password === undefined && passkey === undefined)
    throw wrong('password', 'Set a password or a passkey.')
  if (password !== undefined && !hub.config.passwordSignIn)
    throw wrong('password', 'Passwords are switched off on this hub; set a passkey.')
  const email = invitation.person?.email ?? given.email
  const about = email === undefined ? {} : { email: plainEmail(email) }
  const beside = await rows.hashesOf(hub.db.read, about.email)
  const hash = password === undefined ? undefined : await hashPassword(password, about, beside)
  const signedIn = await hub.db.transact((tx) => useLink(hub, tx, { ...given, hash }, attempt))
  await forgetFirstLink(hub)
  return signedIn
}

async function useLink(
  hub: Hub,
  tx: Db,
  { hash, ...given }: Welcome & { readonly hash: string | undefined },
  attempt: Attempt,
): Promise<SignedIn> {
  const link = await takeLink(hub, tx, given.token)
  const { person, acts } =
    link.person_id === null ? await addPerson(hub, tx, link, given) : await known(tx, link)
  const after: PersonRow = {
    ...person,
    ...(hash !== undefined && { password_hash: hash }),
    // Whoever needs a link may have lost the second step.
    two_steps: 0,
  }
  await rows.updatePerson(tx, person.person_id, {
    password_hash: after.password_hash,
    two_steps: 0,
  })
  if (given.passkey)
    await keepPasskey(hub, tx, person, {
      name: 'Passkey',
      passkey: given.passkey,
      expected: attempt.expected,
    })
  if (person.email !== null && !(await rows.isAddressShared(tx, person)))
    await forgetGuessesOf(tx, guessName(person.email))
  const ended = await deleteSessionsOf(tx, person.person_id)
  const opened = await openSession(hub, tx, after, attempt.from)
  const siteId = await firstSite(tx, person.person_id)
  const by = {
    actor: 'person',
    personId: person.person_id,
    siteId,
    traceId: attempt.traceId,
  } as const
  await recordActs(hub, tx, by, [
    ...acts,
    { thing: 'person', verb: 'link used', id: person.person_id, siteId },
    ...(hash === undefined
      ? []
      : [{ thing: 'person', verb: 'password set', id: person.person_id, siteId } as const]),
    ...(given.passkey
      ? [{ thing: 'person', verb: 'passkey added', id: person.person_id, siteId } as const]
      : []),
    ...ended.map((id) => ({ thing: 'session', verb: 'ended', id, siteId }) as const),
  ])
  const { traceId } = attempt
  await recordSignIn(hub, tx, {
    personId: person.person_id,
    by: hash === undefined ? 'passkey' : 'password',
    traceId,
  })
  return { ...opened, person: after }
}

type Welcomed = { readonly person: PersonRow; readonly acts: readonly Act[] }

/**
 * The roles are read under the lock of the person: they may have grown since the link was checked.
 */
async function known(tx: Db, link: PersonLinkRow): Promise<Welcomed> {
  const person = await rows.lockPerson(tx, link.person_id ?? '')
  if (!person || person.disabled_at !== null || !(await opensNoMore(tx, link)))
    throw new HubError('LINK_NOT_FOUND', {})
  return { person, acts: [] }
}

async function addPerson(
  hub: Hub,
  tx: Db,
  link: PersonLinkRow,
  { name, email }: Welcome,
): Promise<Welcomed> {
  if (name === undefined) throw wrong('name', 'name is missing: the link is for a new person.')
  if (email === undefined) throw wrong('email', 'email is missing: the link is for a new person.')
  const isFirst = !(await rows.hasPeople(tx))
  // The other links that the hub printed while nobody was there end with the first person.
  if (isFirst) await deleteNewLinks(tx)
  const person = newPerson(hub, { name, email })
  if (!(await rows.insertPerson(tx, person)))
    throw new HubError('PERSON_EXISTS', { email: plainEmail(email) })
  const sites = readSites(link)
  for (const { siteId } of sites) await mustStillBe(tx, siteId, isFirst)
  const acts = await addFirstRoles(hub, tx, person, sites)
  return { person: (await rows.lockPerson(tx, person.person_id)) ?? person, acts }
}

/**
 * A link ends with its site: it must not bring a removed one back. Only the first person's site may
 * be new.
 */
async function mustStillBe(tx: Db, siteId: string, isFirst: boolean): Promise<void> {
  if (
    siteId === noSite ||
    (isFirst && siteId === firstSiteName) ||
    (await hasStayingSite(tx, siteId))
  )
    return
  throw new HubError('LINK_NOT_FOUND', {})
}
