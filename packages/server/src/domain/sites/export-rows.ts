/**
 * SQL of the export of a site: which rows of each table belong to it, and which columns are left
 * out. A new table must be listed here, or this does not compile.
 */

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

type Exported = {
  readonly of: 'site' | 'memory' | 'client' | 'delivery'
  readonly key: readonly string[]
  /** Secrets, and what means nothing outside this hub. */
  readonly without?: readonly string[]
}
/** The sentence says why nothing of the table is exported. */
type Fate = Exported | { readonly leftOut: string }

const ofSite = (key: readonly string[], without: readonly string[] = []): Fate => ({
  of: 'site',
  key,
  without,
})
const internal = { leftOut: 'It serves the hub itself and says nothing about the site.' }
const secret = { leftOut: 'It contains secrets or keys.' }
const derived = { leftOut: 'It repeats what other tables say, for faster reading.' }

export const exportOfSite: Readonly<Record<keyof Tables, Fate>> = {
  sites: ofSite(['site_id'], ['removing_at', 'terms_stamp']),
  clients: ofSite(['client_id']),
  client_providers: { of: 'client', key: ['client_id', 'provider_id'] },
  risk_verdicts: ofSite(['job_id', 'request_id', 'segment_id']),
  learned_risk: ofSite(['source_language', 'target_language']),
  providers: ofSite(['provider_id']),
  analysis_levels: ofSite(['site_id', 'level']),
  analysis_codes: ofSite(['code_id']),
  price_lists: ofSite(['price_list_id']),
  terms: ofSite(
    ['term_id'],
    ['languages', 'texts', 'sort_key', 'same_key', 'content_key', 'bytes'],
  ),
  jobs: ofSite(['job_id'], ['version']),
  job_quotes: ofSite(['job_id']),
  requests: ofSite(['job_id', 'request_id']),
  files: ofSite(['file_id'], ['blob_id', 'sealed']),
  source_contents: ofSite(['job_id', 'content_id']),
  drafts: ofSite(['job_id', 'request_id', 'segment_id']),
  corrections: ofSite(['job_id', 'request_id', 'segment_id']),
  comments: ofSite(['job_id', 'comment_id'], ['source_digest']),
  shares: ofSite(['job_id', 'request_id', 'from_position']),
  former_targets: ofSite(['job_id', 'request_id']),
  carried: ofSite(['job_id', 'request_id']),
  machine_work: ofSite(['job_id', 'request_id']),
  engine_effort: ofSite(['job_id', 'request_id', 'provider_id', 'engine']),
  review_plans: ofSite(['job_id']),
  upstream_links: ofSite(['job_id', 'kind', 'our_id']),
  upstream_calls: ofSite(['call_id']),
  recorded_calls: ofSite(['call_id'], ['bytes', 'look']),
  support_assets: ofSite(['asset_id']),
  tm_updates: ofSite(['tmupdate_id']),
  moves: ofSite(['move_id']),
  status_updates: ofSite(['update_id']),
  listeners: ofSite(['listener_id'], ['sealed_secret', 'sealed_old_secret']),
  deliveries: ofSite(['position']),
  attempts: { of: 'delivery', key: ['position', 'number'] },
  memories: ofSite(['memory_id']),
  memory_units: { of: 'memory', key: ['memory_id', 'unit_id'] },
  memory_imports: ofSite(['import_id'], ['blob_id', 'blob_key']),
  engine_usage: ofSite(['provider_id', 'job_id', 'day', 'unit']),
  calls: ofSite(['call_id'], ['hash', 'bytes']),
  audit: ofSite(['audit_id'], ['hash']),
  job_labels: derived,
  job_codes: derived,
  memory_postings: derived,
  site_bytes: derived,
  call_times: derived,
  update_counters: derived,
  person_roles: ofSite(['person_id', 'site_id', 'role']),
  people: { leftOut: 'People belong to the hub and may have roles in other sites.' },
  client_secrets: secret,
  person_links: secret,
  passkeys: secret,
  recovery_codes: secret,
  sessions: secret,
  site_keys: secret,
  content_keys: secret,
  signing_keys: secret,
  idempotency: secret,
  revoked: internal,
  guesses: internal,
  uploads: internal,
  tasks: internal,
  chains: internal,
  nodes: internal,
  hub_state: internal,
  buckets: internal,
}

const page = 200
export type ExportedRow = Readonly<Record<string, unknown>>

/** Every row of the site in one table, in pages. */
export async function* rowsOfSite(
  db: Db,
  siteId: string,
  table: string,
  how: Exported,
): AsyncGenerator<ExportedRow> {
  const { of, key, without = [] } = how
  const names = sql.join(key.map((name) => sql.ref(name)))
  let after: readonly unknown[] | undefined
  for (;;) {
    const beyond = after ? sql`and (${names}) > (${sql.join(after)})` : sql``
    const { rows } = await sql<ExportedRow>`select * from ${sql.table(table)}
      where ${belongs[of](siteId)} ${beyond} order by ${names} limit ${page}`.execute(db)
    for (const row of rows)
      yield Object.fromEntries(
        Object.entries(row).filter(([name, value]) => value !== null && !without.includes(name)),
      )
    const last = rows.at(-1)
    if (rows.length < page || !last) return
    after = key.map((name) => last[name])
  }
}

const belongs: Readonly<Record<Exported['of'], (siteId: string) => RawBuilder<unknown>>> = {
  site: (siteId) => sql`site_id = ${siteId}`,
  memory: (siteId) => sql`memory_id in (select memory_id from memories where site_id = ${siteId})`,
  client: (siteId) => sql`client_id in (select client_id from clients where site_id = ${siteId})`,
  delivery: (siteId) =>
    sql`position in (select position from deliveries where site_id = ${siteId})`,
}
