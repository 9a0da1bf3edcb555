/**
 * Sign-in links: 256 random bits, stored as a hash, good for one use within a day. A link either
 * belongs to a person, who sets a new password or passkey with it, or makes a new person with the
 * roles it carries. That of a person opens no more than the roles that the person had when it was
 * made.
 */
import { formatTime, HubError, type Invitation, limits } from '@dragoman/contract'
import type { Hub } from '../../hub.ts'
import type { Db } from '../../store/database.ts'
import type { PersonLinkRow } from '../../store/tables.ts'
import { limitGuesses } from '../access/login-throttle.ts'
import { isWithin, type SiteRoles, sitesOf } from './describe-person.ts'
import * as links from './link-rows.ts'
import * as rows from './person-rows.ts'
import { newToken, tokenHash } from './random-token.ts'

export type MadeLink = { readonly token: string; readonly expiresAt: number }

/** For a person it replaces earlier links; without one it makes a person with these roles. */
export async function makeLink(
  hub: Hub,
  tx: Db,
  { personId, sites = [] }: { readonly personId?: string; readonly sites?: readonly SiteRoles[] },
): Promise<MadeLink> {
  const now = hub.clock.now()
  const token = newToken()
  const expiresAt = now + limits.linkMs
  if (personId !== undefined) await links.deleteLinksOf(tx, personId)
  await links.insertLink(tx, {
    link_hash: tokenHash(token),
    person_id: personId ?? null,
    roles: JSON.stringify(personId === undefined ? sites : await sitesOf(tx, personId)),
    created_at: now,
    expires_at: expiresAt,
  })
  return { token, expiresAt }
}

/**
 * The page of the console that takes the token. It stays in the fragment, which no server and no
 * log sees.
 */
export const linkUrl = (publicUrl: string, { token }: Pick<MadeLink, 'token'>): string =>
  `${publicUrl}/#/welcome/${token}`

/** Whom the link is for, without using it. */
export async function checkLink(hub: Hub, token: string, address: string): Promise<Invitation> {
  const found = await limitGuesses(hub, { name: 'links', ip: address, of: 'by a link' }, () =>
    validLink(hub, token),
  )
  if (!found) throw new HubError('LINK_NOT_FOUND', {})
  const { link } = found
  const person =
    link.person_id === null ? undefined : await rows.personById(hub.db.read, link.person_id)
  return {
    ...(person && {
      person: { name: person.name, ...(person.email !== null && { email: person.email }) },
    }),
    sites: person ? await sitesOf(hub.db.read, person.person_id) : readSites(link),
    expiryDate: formatTime(link.expires_at),
    password: hub.config.passwordSignIn,
  }
}

async function validLink(hub: Hub, token: string): Promise<{ link: PersonLinkRow } | undefined> {
  const { read } = hub.db
  const link = await links.linkByHash(read, tokenHash(token))
  return link && link.expires_at > hub.clock.now() && (await opensNoMore(read, link))
    ? { link }
    : undefined
}

/**
 * Of two nodes one may not know yet that more roles end a link; and roles may come from outside the
 * hub.
 */
export const opensNoMore = async (db: Db, link: PersonLinkRow): Promise<boolean> =>
  link.person_id === null || isWithin(await sitesOf(db, link.person_id), readSites(link))

/** Takes the link in the transaction that uses it: a second use finds nothing. */
export async function takeLink(hub: Hub, tx: Db, token: string): Promise<PersonLinkRow> {
  const link = await links.takeLink(tx, tokenHash(token))
  if (!link || link.expires_at <= hub.clock.now()) throw new HubError('LINK_NOT_FOUND', {})
  return link
}

export const readSites = ({ roles }: Pick<PersonLinkRow, 'roles'>): SiteRoles[] =>
  JSON.parse(roles) as SiteRoles[]

/** Part of the sweep. */
export const forgetLinks = (tx: Db, now: number): Promise<void> => links.deleteExpiredLinks(tx, now)
