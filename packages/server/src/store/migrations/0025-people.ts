/**
 * People who use the console: their roles, sessions, sign-in links, passkeys and recovery codes;
 * who acted in the audit log.
 */
import { sql } from 'kysely'
import { type ColumnTypes, inOrder, type Migration } from './migration.ts'

export const people: Migration = {
  name: 'people',
  // A node that does not know it serves no console; its rows of the audit log name no person, which
  // is right.
  breaking: false,
  up: (db, types) =>
    inOrder(db, [...accounts(types), ...waysIn(types), ...sessions(types), ...acts(types)]),
}

const accounts = ({ text, int, end, keyedEnd }: ColumnTypes) => [
  sql`create table people (
    person_id ${text} primary key,
    name ${text} not null,
    email ${text},
    issuer ${text},
    subject ${text},
    password_hash ${text},
    two_steps ${int} not null,
    preferences ${text},
    created_at ${int} not null,
    last_sign_in_at ${int},
    roles_at ${int} not null,
    disabled_at ${int}
  ) ${end}`,
  sql`create unique index people_email on people (email) where email is not null`,
  sql`create unique index people_subject on people (issuer, subject) where subject is not null`,
  sql`create index people_created on people (created_at, person_id)`,
  sql`create table person_roles (
    person_id ${text} not null references people on delete cascade,
    site_id ${text} not null,
    role ${text} not null,
    primary key (person_id, site_id, role)
  ) ${keyedEnd}`,
  sql`create index person_roles_site on person_roles (site_id, person_id)`,
]

const waysIn = ({ text, int, end, keyedEnd }: ColumnTypes) => [
  sql`create table person_links (
    link_hash ${text} primary key,
    person_id ${text} references people on delete cascade,
    roles ${text} not null,
    created_at ${int} not null,
    expires_at ${int} not null
  ) ${end}`,
  sql`create index person_links_person on person_links (person_id)`,
  sql`create index person_links_expiry on person_links (expires_at)`,
  sql`create table passkeys (
    passkey_id ${text} primary key,
    person_id ${text} not null references people on delete cascade,
    credential_id ${text} not null,
    public_key ${text} not null,
    algorithm ${int} not null,
    sign_count ${int} not null,
    name ${text} not null,
    created_at ${int} not null,
    last_used_at ${int}
  ) ${end}`,
  sql`create unique index passkeys_credential on passkeys (credential_id)`,
  sql`create index passkeys_person on passkeys (person_id, created_at)`,
  sql`create table recovery_codes (
    person_id ${text} not null references people on delete cascade,
    code_hash ${text} not null,
    primary key (person_id, code_hash)
  ) ${keyedEnd}`,
]

const sessions = ({ text, int, busyEnd }: ColumnTypes) => [
  sql`create table sessions (
    session_id ${text} primary key,
    person_id ${text} not null references people on delete cascade,
    token_hash ${text} not null,
    former_hash ${text},
    former_until ${int},
    created_at ${int} not null,
    used_at ${int} not null,
    expires_at ${int} not null,
    roles_at ${int} not null,
    confirmed_at ${int} not null,
    user_agent ${text},
    address ${text} not null
  ) ${busyEnd}`,
  sql`create unique index sessions_token on sessions (token_hash)`,
  sql`create index sessions_former on sessions (former_hash) where former_hash is not null`,
  sql`create index sessions_person on sessions (person_id, created_at)`,
  sql`create index sessions_created on sessions (created_at, session_id)`,
  sql`create index sessions_expiry on sessions (expires_at)`,
  sql`create index sessions_used on sessions (used_at)`,
]

/** Null in the rows so far: a hash does not cover columns that are null. */
const acts = ({ text }: ColumnTypes) => [
  sql`alter table audit add column person_id ${text}`,
  sql`create index audit_person on audit (person_id, acted_at, audit_id) where person_id is not null`,
]
