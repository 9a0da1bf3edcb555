/**
 * SQL of the reset: which tables the sandbox clears. A new table must be listed here, or this does
 * not compile.
 */
import type { Hub } from '../../../hub.ts'
import { resetChains } from '../../../store/chains.ts'
import type { Db } from '../../../store/database.ts'
import { beginChains } from '../../../store/stored-seals.ts'
import type { Tables } from '../../../store/tables.ts'

/**
 * In this order, so that no reference dangles. Kept: the signing keys and what was revoked (tokens
 * of seeded clients stay valid, or revoked), the nodes, the hub's own state, and the heads of the
 * chains, which start over.
 */
const fate: Record<keyof Tables, 'cleared' | 'kept'> = {
  site_bytes: 'cleared',
  engine_usage: 'cleared',
  drafts: 'cleared',
  corrections: 'cleared',
  comments: 'cleared',
  shares: 'cleared',
  former_targets: 'cleared',
  risk_verdicts: 'cleared',
  learned_risk: 'cleared',
  carried: 'cleared',
  machine_work: 'cleared',
  engine_effort: 'cleared',
  review_plans: 'cleared',
  upstream_links: 'cleared',
  upstream_calls: 'cleared',
  recorded_calls: 'cleared',
  job_quotes: 'cleared',
  memory_postings: 'cleared',
  memory_units: 'cleared',
  memory_imports: 'cleared',
  memories: 'cleared',
  job_codes: 'cleared',
  analysis_codes: 'cleared',
  analysis_levels: 'cleared',
  price_lists: 'cleared',
  terms: 'cleared',
  attempts: 'cleared',
  deliveries: 'cleared',
  listeners: 'cleared',
  status_updates: 'cleared',
  update_counters: 'cleared',
  moves: 'cleared',
  uploads: 'cleared',
  support_assets: 'cleared',
  tm_updates: 'cleared',
  requests: 'cleared',
  source_contents: 'cleared',
  files: 'cleared',
  content_keys: 'cleared',
  site_keys: 'cleared',
  job_labels: 'cleared',
  jobs: 'cleared',
  client_providers: 'cleared',
  client_secrets: 'cleared',
  clients: 'cleared',
  sessions: 'cleared',
  recovery_codes: 'cleared',
  passkeys: 'cleared',
  person_links: 'cleared',
  person_roles: 'cleared',
  people: 'cleared',
  providers: 'cleared',
  sites: 'cleared',
  guesses: 'cleared',
  tasks: 'cleared',
  idempotency: 'cleared',
  calls: 'cleared',
  call_times: 'cleared',
  audit: 'cleared',
  buckets: 'cleared',
  signing_keys: 'kept',
  revoked: 'kept',
  nodes: 'kept',
  hub_state: 'kept',
  chains: 'kept',
}

/** No site: a reset of the sandbox clears all sites. */
export async function clearTables(
  { vault, clock }: Pick<Hub, 'vault' | 'clock'>,
  tx: Db,
): Promise<void> {
  for (const [table, then] of Object.entries(fate) as [keyof Tables, string][])
    if (then === 'cleared') await tx.deleteFrom(table).execute()
  await resetChains(vault, tx)
  await beginChains(tx, vault, clock.now())
}
