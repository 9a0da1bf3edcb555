/**
 * People who use the console, and their sessions, as admins and operators see them (contract,
 * section 12).
 */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { namePattern } from '../operating/client.ts'
import { choice, GivenId, LanguageCode, lineTitle, pageQuery, Time, text } from '../parts.ts'
import Type from '../type.ts'
import { roles } from './role.ts'
import { SiteRoles } from './session.ts'

/** The roles of a person in one site; the list replaces the previous one. */
export const GivenSiteRoles = Type.Object({
  siteId: Type.Optional(
    Type.String({
      pattern: `^$|${namePattern}`,
      description:
        'An admin omits it, which means their own site. Empty for the role operator, which has no site.',
    }),
  ),
  roles: Type.Array(choice(roles), {
    maxItems: roles.length,
    description: 'Empty: the person loses access to the site.',
  }),
  providers: Type.Optional(
    Type.Array(GivenId, {
      maxItems: 100,
      description:
        'With translator, reviewer or provider-manager: they see only the work of these providers. Without providers a translator and a provider-manager see nothing, and a reviewer sees the whole site.',
    }),
  ),
  languages: Type.Optional(
    Type.Array(LanguageCode, {
      maxItems: 100,
      description: 'With providers: only work into these languages.',
    }),
  ),
})

export type GivenRoles = Static<typeof GivenSiteRoles>

/**
 * Of one person: no name, no brackets, no comment and no list, which a mail server would read as
 * more. Quotes are written as a number, because generated clients put the pattern between quotes.
 */
const inAddress =
  '[^@\\s<>()\\[\\]\\\\,;:\\u0022\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]'
export const emailPattern = `^${inAddress}{1,64}@${inAddress}{1,189}$`
/** E-mail addresses are compared ignoring case. */
export const Email = Type.String({ pattern: emailPattern })
export const PersonName = lineTitle(limits.personNameBytes)

export const Person = Type.Object(
  {
    personId: Type.String(),
    name: Type.String(),
    email: Type.Optional(Type.String()),
    sites: Type.Array(SiteRoles, { description: 'For an admin: only its own site.' }),
    signsInBy: Type.Array(choice(['password', 'passkey', 'provider']), {
      description: 'Empty until the person has used the first link. provider: by OpenID Connect.',
    }),
    disabled: Type.Boolean(),
    createdDate: Time,
    lastSignInDate: Type.Optional(Time),
  },
  { title: 'Person' },
)
export type Person = Static<typeof Person>

const Subject = Type.Optional(
  text(255, {
    minLength: 1,
    description:
      'Only for an operator: the claim sub of the person at the OpenID provider, through which they then sign in. If no roles are configured (DRAGOMAN_OIDC_ROLES), people of that provider get access only this way.',
  }),
)

export const NewPerson = Type.Object(
  {
    name: PersonName,
    email: Email,
    sites: Type.Array(GivenSiteRoles, { minItems: 1, maxItems: 100 }),
    subject: Subject,
  },
  { title: 'NewPerson' },
)
export type NewPerson = Static<typeof NewPerson>

const link = {
  link: Type.String({
    description: 'Opens the console once. Shown only in this response; the hub stores a hash.',
  }),
  linkExpiryDate: Time,
}
export const PersonLink = Type.Object({ personId: Type.String(), ...link }, { title: 'PersonLink' })
export type PersonLink = Static<typeof PersonLink>

export const InvitedPerson = Type.Object(
  { ...Person.properties, ...link },
  { title: 'InvitedPerson' },
)
export type InvitedPerson = Static<typeof InvitedPerson>

export const PersonChange = Type.Object(
  {
    name: Type.Optional(PersonName),
    email: Type.Optional(Email),
    sites: Type.Optional(
      Type.Array(GivenSiteRoles, {
        maxItems: 100,
        description: 'Sites that are not named stay as they are.',
      }),
    ),
    disabled: Type.Optional(Type.Boolean()),
    subject: Subject,
  },
  { title: 'PersonChange' },
)
export type PersonChange = Static<typeof PersonChange>

const OfSite = Type.Optional(
  Type.String({ maxLength: 100, description: 'For an operator: only this site.' }),
)
export const PeopleQuery = pageQuery({ siteId: OfSite })
export type PeopleQuery = Static<typeof PeopleQuery>

export const PersonSession = Type.Object(
  {
    sessionId: Type.String(),
    personId: Type.String(),
    name: Type.String({ description: 'The name of the person.' }),
    createdDate: Time,
    lastUsedDate: { ...Time, description: 'Accurate to the minute.' },
    expiryDate: { ...Time, description: 'When it ends at the latest.' },
    userAgent: Type.Optional(Type.String()),
    address: Type.String(),
    current: Type.Boolean({ description: 'The session of this call.' }),
  },
  { title: 'PersonSession' },
)
export type PersonSession = Static<typeof PersonSession>

export const SessionsQuery = pageQuery({
  personId: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only the sessions of this person.' }),
  ),
  siteId: OfSite,
})
export type SessionsQuery = Static<typeof SessionsQuery>
