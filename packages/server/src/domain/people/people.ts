/**
 * The people of the console: an admin manages those of its site, an operator all. A person may have
 * roles in several sites, so an admin changes no more than the roles in its own, unless the person
 * has no others: else it could take over an account of another site.
 */
import {
  formatTime,
  HubError,
  type InvitedPerson,
  type NewPerson,
  type PeopleQuery,
  type Person,
  type PersonChange,
  type PersonLink,
} from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import { readPage } from '../../store/filtered-page.ts'
import type { Page } from '../../store/page.ts'
import type { PersonRow } from '../../store/tables.ts'
import { type Act, factsOf } from '../access/audit/acts.ts'
import { recordActs } from '../access/audit/record-acts.ts'
import { actorOf, type Call, noSite, sightOf } from '../access/caller.ts'
import { wrong } from '../access/client-names.ts'
import { forgetGuessesOf } from '../access/login-throttle.ts'
import { once } from '../access/once.ts'
import { accountFor, addUnderAddress } from './addresses.ts'
import {
  describePeople,
  describePerson,
  roleNames,
  type SiteRoles,
  sitesOf,
} from './describe-person.ts'
import { giveRoles, mustBeGiven, mustKeepOwn, mustKeepRoles } from './give-roles.ts'
import { queueInvitation } from './invite.ts'
import { linkUrl, makeLink } from './links.ts'
import { guessName, newPerson, plainEmail } from './new-person.ts'
import * as rows from './person-rows.ts'
import { deleteSessionsOf } from './session-rows.ts'

export async function listPeople(hub: Hub, call: Call, asked: PeopleQuery): Promise<Page<Person>> {
  const { db, vault } = hub
  const sight = sightOf(call, asked.siteId)
  const { rows: found, next } = await readPage(
    { vault, siteId: call.caller.siteId, name: 'people' },
    asked,
    ({ siteId }, { after, limit }) =>
      rows.pageOfPeople(db.read, sightOf(call, siteId), { after, limit }),
    ({ created_at, person_id }) => [created_at, person_id],
  )
  return {
    items: await describePeople(db.read, found, sight),
    ...(next !== undefined && { next }),
  }
}

export async function findPerson(hub: Hub, call: Call, personId: string): Promise<Person> {
  const { row } = await see(hub.db.read, call, personId, rows.personById)
  return describePerson(hub.db.read, row, sightOf(call))
}

export async function createPerson(
  hub: Hub,
  call: Call,
  given: NewPerson,
  publicUrl: string,
): Promise<InvitedPerson> {
  const sites = mustBeGiven(call, given.sites)
  if (sites.every(({ roles }) => roles.length === 0))
    throw new HubError(
      'INVALID_REQUEST',
      { because: 'a person needs a role.' },
      { details: [{ path: 'sites', message: 'a person needs a role' }] },
    )
  return once(hub, call, async (tx) => {
    const subject = mustBeSubject(hub, call, given.subject)
    const row = await addUnderAddress(
      tx,
      call,
      newPerson(hub, { name: given.name, email: given.email, ...subject }),
    )
    const acts = await giveRoles(hub, tx, row, sites)
    const link = await makeLink(hub, tx, { personId: row.person_id })
    await queueInvitation(
      { hub, tx, causeId: call.traceId },
      {
        siteId: sites[0]?.siteId ?? noSite,
        personId: row.person_id,
        link: linkUrl((hub.config.publicUrl ?? publicUrl).replace(/\/$/, ''), link),
      },
    )
    await recordActs(hub, tx, actorOf(call), [
      ...actsOf('added', row.person_id, [], sites),
      ...acts,
    ])
    const shown = await describePerson(tx, row, sightOf(call))
    return { ...shown, link: linkUrl(publicUrl, link), linkExpiryDate: formatTime(link.expiresAt) }
  })
}

export async function changePerson(
  hub: Hub,
  call: Call,
  personId: string,
  change: PersonChange,
): Promise<Person> {
  const { name, email, disabled } = change
  const given = change.sites && mustBeGiven(call, change.sites)
  const subject = mustBeSubject(hub, call, change.subject)
  return hub.db.transact(async (tx) => {
    const { row, sites } = await see(tx, call, personId, rows.lockPerson)
    if (name !== undefined || email !== undefined || disabled !== undefined)
      mustBeOwn(call, personId, sites)
    if (disabled) mustKeepOwn(call, personId, 'disable your own account')
    if (given) mustKeepRoles(call, personId, sites, given)
    const after: PersonRow = {
      ...row,
      ...(name !== undefined && { name: name.trim() }),
      ...(email !== undefined && { email: plainEmail(email) }),
      ...subject,
      ...(disabled !== undefined && {
        disabled_at: disabled ? (row.disabled_at ?? hub.clock.now()) : null,
      }),
    }
    if (after.email !== row.email) after.account = await accountFor(tx, call, after)
    const same = subject && (await rows.personBySubject(tx, subject.issuer, subject.subject))
    if (same && same.person_id !== personId)
      throw wrong('subject', 'Another person has this subject.')
    const { person_id, ...columns } = after
    await rows.updatePerson(tx, personId, columns)
    const lost = given ? await giveRoles(hub, tx, after, given) : []
    const ended = disabled ? await deleteSessionsOf(tx, personId) : []
    const fields = (['name', 'email', 'disabled', 'subject'] as const).filter(
      (field) => change[field] !== undefined,
    )
    await recordActs(hub, tx, actorOf(call), [
      ...(fields.length > 0 ? [changedAct(row, after, fields, siteOf(call, sites))] : []),
      ...(given ? actsOf('changed', personId, sites, given) : []),
      ...lost,
      ...ended.map(
        (id) => ({ thing: 'session', verb: 'ended', id, siteId: siteOf(call, sites) }) as const,
      ),
    ])
    return describePerson(tx, (await rows.personById(tx, personId)) ?? after, sightOf(call))
  })
}

/**
 * Whoever names a subject decides who can sign in, so an admin must not: it could bind somebody
 * else's.
 */
function mustBeSubject(hub: Hub, call: Call, subject: string | undefined) {
  if (subject === undefined) return undefined
  if (sightOf(call) !== undefined)
    throw new HubError('FORBIDDEN', {
      because: 'only an operator says who a person is at the OpenID provider.',
    })
  const { oidc } = hub.config
  if (!oidc)
    throw wrong('subject', 'This hub has no OpenID provider: DRAGOMAN_OIDC_ISSUER is not set.')
  return { issuer: oidc.issuer, subject }
}

const changedAct = (
  row: PersonRow,
  after: PersonRow,
  fields: readonly string[],
  siteId: string,
): Act => {
  const side = ({ disabled_at }: PersonRow) => ({ disabled: disabled_at !== null })
  return {
    thing: 'person',
    verb: 'changed',
    id: row.person_id,
    siteId,
    fields,
    ...factsOf('person', side(row), side(after)),
  }
}

/**
 * An admin takes the roles of its site; an operator, or the last role, removes the person with all
 * sessions.
 */
export async function deletePerson(hub: Hub, call: Call, personId: string): Promise<Person> {
  mustKeepOwn(call, personId, 'remove your own account')
  return hub.db.transact(async (tx) => {
    const { row, sites } = await see(tx, call, personId, rows.lockPerson)
    const sight = sightOf(call)
    const shown = await describePerson(tx, row, sight)
    const lost = sites.filter(({ siteId }) => sight === undefined || siteId === sight)
    if (lost.length < sites.length)
      await giveRoles(
        hub,
        tx,
        row,
        lost.map(({ siteId }) => ({ siteId, roles: [] })),
      )
    else {
      if (row.email !== null && !(await rows.isAddressShared(tx, row)))
        await forgetGuessesOf(tx, guessName(row.email))
      await rows.deletePerson(tx, personId)
    }
    await recordActs(hub, tx, actorOf(call), actsOf('removed', personId, lost, []))
    return shown
  })
}

/** Lets a person who cannot sign in any more set a new password or passkey. */
export async function linkPerson(
  hub: Hub,
  call: Call,
  personId: string,
  publicUrl: string,
): Promise<PersonLink> {
  return once(hub, call, async (tx) => {
    const { sites } = await see(tx, call, personId, rows.lockPerson)
    mustBeOwn(call, personId, sites)
    const link = await makeLink(hub, tx, { personId })
    const act = {
      thing: 'person',
      verb: 'link made',
      id: personId,
      siteId: siteOf(call, sites),
    } as const
    await recordActs(hub, tx, actorOf(call), [act])
    return { personId, link: linkUrl(publicUrl, link), linkExpiryDate: formatTime(link.expiresAt) }
  })
}

type Seen = { readonly row: PersonRow; readonly sites: SiteRoles[] }

async function see(
  db: Db,
  call: Call,
  personId: string,
  read: (db: Db, personId: string) => Promise<PersonRow | undefined>,
): Promise<Seen> {
  const row = await read(db, personId)
  const sites = row ? await sitesOf(db, personId) : []
  const sight = sightOf(call)
  if (!row || (sight !== undefined && !sites.some(({ siteId }) => siteId === sight)))
    throw new HubError('PERSON_NOT_FOUND', { personId })
  return { row, sites }
}

/** What an admin may do only with a person of its site alone. */
function mustBeOwn(call: Call, personId: string, sites: readonly SiteRoles[]): void {
  const sight = sightOf(call)
  if (sight !== undefined && sites.some(({ siteId }) => siteId !== sight))
    throw new HubError('PERSON_SHARED', { personId })
}

/** The site whose admin reads the act: the caller's or, for an operator, the person's first. */
const siteOf = (call: Call, sites: readonly SiteRoles[]): string =>
  sightOf(call) ?? sites.find(({ siteId }) => siteId !== noSite)?.siteId ?? noSite

/** One act for each site, because an admin must not read roles in another. */
export function actsOf(
  verb: 'added' | 'changed' | 'removed',
  id: string,
  before: readonly SiteRoles[],
  after: readonly SiteRoles[],
): Act[] {
  const siteIds = [...new Set([...before, ...after].map(({ siteId }) => siteId))]
  const touched =
    verb === 'changed'
      ? siteIds.filter((one) => after.some(({ siteId }) => siteId === one))
      : siteIds
  return touched.map((siteId) => {
    const side = (sites: readonly SiteRoles[]) => ({
      sites: roleNames(sites.filter((one) => one.siteId === siteId)),
    })
    const facts = factsOf('person', side(before), side(after))
    return {
      thing: 'person',
      verb,
      id,
      siteId,
      ...(verb === 'changed' && { fields: ['sites'] }),
      ...facts,
    }
  })
}
