import type { Role } from '@dragoman/contract'
import type { Generated, Selectable } from 'kysely'
import type { Flag, Json, Time } from './columns.ts'

/** Someone who uses the console. */
type PersonTable = {
  person_id: string
  name: string
  /** In lower case. People of different sites may have the same. */
  email: string | null
  /**
   * Tells them apart: empty for the first, else the site whose admin added it. Unique with the
   * address.
   */
  account: Generated<string>
  /** `iss` and `sub` of the OpenID provider; null for a person of the hub itself. */
  issuer: string | null
  subject: string | null
  password_hash: string | null
  /** 1: a password needs a passkey or a recovery code beside it. */
  two_steps: Flag
  preferences: Json | null
  created_at: Time
  last_sign_in_at: Time | null
  /** When the roles last changed: older sessions get a new token. */
  roles_at: Time
  disabled_at: Time | null
}

/** The site of an operator is empty. */
type PersonRoleTable = {
  person_id: string
  site_id: string
  role: Role
  /**
   * The providers and target languages that a limited role is for; the same in all roles of a
   * person in a site.
   */
  providers: Generated<Json | null>
  languages: Generated<Json | null>
}

/**
 * A link that signs in once. Without a person it makes one, with these roles: `[{ siteId, roles
 * }]`.
 */
type PersonLinkTable = {
  link_hash: string
  person_id: string | null
  roles: Json
  created_at: Time
  expires_at: Time
}

type PasskeyTable = {
  passkey_id: string
  person_id: string
  credential_id: string
  /** The key is a SubjectPublicKeyInfo in base64url. */
  public_key: string
  /** The number is that of COSE. */
  algorithm: number
  sign_count: number
  name: string
  created_at: Time
  last_used_at: Time | null
}

type RecoveryCodeTable = { person_id: string; code_hash: string }

type SessionTable = {
  /** Shown in lists; grants nothing. */
  session_id: string
  person_id: string
  token_hash: string
  /** The token before this one, for calls that were under way when it was replaced. */
  former_hash: string | null
  former_until: Time | null
  created_at: Time
  /** Exact to a minute. */
  used_at: Time
  expires_at: Time
  /** `roles_at` of the person when the token was made. */
  roles_at: Time
  confirmed_at: Time
  user_agent: string | null
  address: string
}

export type PeopleTables = {
  people: PersonTable
  person_roles: PersonRoleTable
  person_links: PersonLinkTable
  passkeys: PasskeyTable
  recovery_codes: RecoveryCodeTable
  sessions: SessionTable
}

export type PersonRow = Selectable<PersonTable>
export type PersonLinkRow = Selectable<PersonLinkTable>
export type PasskeyRow = Selectable<PasskeyTable>
export type SessionRow = Selectable<SessionTable>
