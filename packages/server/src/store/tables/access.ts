import type { Generated, Selectable } from 'kysely'
import type { Json, Time } from './columns.ts'

type SiteTable = {
  site_id: string
  created_at: Time
  /** When its removal began; null for a site that stays. */
  removing_at: Time | null
  /** What is text in its files, as JSON; null without options. */
  format_options: Generated<string | null>
  /** Another one after every change of its terms; null if it never had any. */
  terms_stamp: Generated<string | null>
  /** The severities of checks that it asks for, as JSON; null without any. */
  check_settings: Generated<string | null>
  /** The rules that choose the provider of a job, as JSON; null if it never had any. */
  routing: Generated<string | null>
  /** Where its days end; null for UTC. */
  time_zone: Generated<string | null>
}

type ClientTable = {
  client_id: string
  site_id: string
  /** Space separated, as in a token. */
  scopes: string
  page_format: 'full' | 'plain'
  /** Quotas raised for this client: `{ "MaxReqsPerJob": 5000 }`. */
  quotas: Json | null
  created_at: Time
  disabled_at: Time | null
  /** Calls per second; null: the configured limit. */
  rate_limit: number | null
  /** A list of networks; null: any address. */
  allow_from: Json | null
  /** A list of thumbprints; null: the secret alone is enough. */
  certificates: Json | null
  /** Its last call, written at most once an hour. */
  last_used_at: Time | null
}

/** The sum of a site's rows is what it stores; a single row may be below zero. */
type SiteBytesTable = {
  site_id: string
  shard: number
  bytes: number
}

type ClientSecretTable = {
  secret_id: string
  client_id: string
  hash: string
  created_at: Time
  expires_at: Time | null
}

type ClientProviderTable = { client_id: string; provider_id: string }

/** Failed logins of one client id from one address. */
type GuessTable = {
  client_id: string
  address: string
  failures: number
  since: Time
  blocked_until: Time
}

type SigningKeyTable = {
  kid: string
  public_jwk: Json
  sealed_private: string
  created_at: Time
  retires_at: Time
}

/** `token` or `key`, and its id. Removed when it would have expired anyway. */
type RevokedTable = { name: string; revoked_at: Time; expires_at: Time }

type IdempotencyTable = {
  site_id: string
  client_id: string
  path: string
  key: string
  body_hash: string
  /** Sealed JSON of the first response; null while the call runs. */
  answer: string | null
  running_until: Time
  created_at: Time
}

type AuditTable = {
  /** Its number in the chain. */
  audit_id: number
  acted_at: Time
  /** `client` for a call, `person` for one of the console, else `command line` or `hub`. */
  actor: string
  client_id: string | null
  site_id: string | null
  verb: string
  /** The kind of object and its id. */
  thing: string
  thing_id: string
  /** Names of the fields that were set, never their values; JSON. */
  fields: Json | null
  /**
   * Ids, states and numbers of the fields that changed, before and after, never secrets or content;
   * JSON.
   */
  was: Json | null
  is_now: Json | null
  trace_id: string
  hash: string
  person_id: string | null
  /** Set once the hub has erased what the row said: see erased-rows.ts. */
  erased: Generated<string | null>
}

export type AccessTables = {
  sites: SiteTable
  clients: ClientTable
  site_bytes: SiteBytesTable
  client_secrets: ClientSecretTable
  client_providers: ClientProviderTable
  guesses: GuessTable
  signing_keys: SigningKeyTable
  revoked: RevokedTable
  idempotency: IdempotencyTable
  audit: AuditTable
}

export type SiteRow = Selectable<SiteTable>
export type ClientRow = Selectable<ClientTable>
export type AuditRow = Selectable<AuditTable>
