/**
 * SQL of the removal of a site: how each table loses the rows of one site, a slice at a time. A new
 * table must be listed here, or this does not compile.
 */

import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import type { Tables } from '../../store/tables.ts'

/**
 * Rows of the site itself, of its memories, listeners or clients, and people who have a role only
 * here; by the columns of a key.
 */
type BySlices = {
  readonly of: 'site' | 'memory' | 'listener' | 'client' | 'only here'
  readonly key: readonly string[]
}
/**
 * `with jobs`: the verb that removes a job removes it. `with its parent`: a foreign key does.
 * `erased`: what its rows say goes. `kept`: it stays.
 */
type Fate = BySlices | 'with jobs' | 'with its parent' | 'erased' | 'kept'

const ofSite = (...key: string[]): Fate => ({ of: 'site', key })

/**
 * In this order: first what could still be at work for the site, then its things, then who owned
 * them. Kept are the hub's own tables. Rows of the call log and the audit log are links of chains,
 * so they are erased in place (remove-site.ts).
 */
export const fateOfSite: Readonly<Record<keyof Tables, Fate>> = {
  tasks: ofSite('task_id'),
  deliveries: { of: 'listener', key: ['position'] },
  attempts: 'with its parent',
  listeners: ofSite('listener_id'),
  jobs: 'with jobs',
  job_labels: 'with jobs',
  job_codes: 'with jobs',
  job_quotes: 'with jobs',
  requests: 'with jobs',
  files: 'with jobs',
  uploads: 'with jobs',
  source_contents: 'with jobs',
  drafts: 'with its parent',
  corrections: 'with its parent',
  comments: 'with its parent',
  shares: 'with its parent',
  former_targets: 'with its parent',
  carried: 'with its parent',
  machine_work: 'with its parent',
  engine_effort: 'with its parent',
  review_plans: 'with its parent',
  upstream_links: 'with its parent',
  upstream_calls: 'with its parent',
  recorded_calls: 'with its parent',
  support_assets: 'with jobs',
  tm_updates: 'with jobs',
  moves: 'with jobs',
  status_updates: ofSite('update_id'),
  update_counters: ofSite('site_id', 'client_id'),
  memory_imports: ofSite('import_id'),
  memory_postings: { of: 'memory', key: ['memory_id', 'piece', 'unit_id'] },
  memory_units: { of: 'memory', key: ['memory_id', 'unit_id'] },
  memories: ofSite('memory_id'),
  analysis_codes: ofSite('code_id'),
  analysis_levels: ofSite('site_id', 'level'),
  price_lists: ofSite('price_list_id'),
  terms: ofSite('term_id'),
  content_keys: ofSite('key_of'),
  site_keys: ofSite('site_id', 'version'),
  engine_usage: ofSite('provider_id', 'job_id', 'day', 'unit'),
  risk_verdicts: ofSite('site_id', 'job_id', 'request_id', 'segment_id'),
  learned_risk: ofSite('site_id', 'source_language', 'target_language'),
  providers: ofSite('provider_id'),
  idempotency: ofSite('site_id', 'client_id', 'path', 'key'),
  site_bytes: ofSite('site_id', 'shard'),
  call_times: ofSite('site_id', 'day', 'route', 'ms'),
  guesses: { of: 'client', key: ['client_id', 'address'] },
  client_secrets: 'with its parent',
  client_providers: 'with its parent',
  clients: ofSite('client_id'),
  // With their sessions, links and passkeys. Someone with a role elsewhere loses only the roles of
  // this site.
  people: { of: 'only here', key: ['person_id'] },
  person_roles: ofSite('person_id', 'site_id', 'role'),
  person_links: 'with its parent',
  passkeys: 'with its parent',
  recovery_codes: 'with its parent',
  sessions: 'with its parent',
  // In the last transaction.
  sites: 'kept',
  signing_keys: 'kept',
  revoked: 'kept',
  calls: 'erased',
  audit: 'erased',
  chains: 'kept',
  nodes: 'kept',
  hub_state: 'kept',
  buckets: 'kept',
}

export type Slice = {
  readonly table: string
  readonly removeSome: (tx: Db, siteId: string) => Promise<number>
}

const rowsAtOnce = 500

/** The tables before the jobs and those after them, in order. */
export const slices: { readonly before: readonly Slice[]; readonly after: readonly Slice[] } =
  (() => {
    const all = Object.entries(fateOfSite)
    const jobs = all.findIndex(([table]) => table === 'jobs')
    const among = (some: typeof all) =>
      some.flatMap(([table, fate]) => (typeof fate === 'string' ? [] : [sliceOf(table, fate)]))
    return { before: among(all.slice(0, jobs)), after: among(all.slice(jobs)) }
  })()

function sliceOf(table: string, { of, key }: BySlices): Slice {
  const columns = sql.join(key.map((name) => sql.ref(name)))
  return {
    table,
    removeSome: async (tx, siteId) => {
      const found = await sql<unknown>`delete from ${sql.table(table)} where (${columns}) in (
        select ${columns} from ${sql.table(table)} where ${belongs[of](siteId)} limit ${rowsAtOnce}
      ) returning 1 as gone`.execute(tx)
      return found.rows.length
    },
  }
}

const belongs: Readonly<Record<BySlices['of'], (siteId: string) => RawBuilder<unknown>>> = {
  site: (siteId) => sql`site_id = ${siteId}`,
  memory: (siteId) => sql`memory_id in (select memory_id from memories where site_id = ${siteId})`,
  listener: (siteId) =>
    sql`listener_id in (select listener_id from listeners where site_id = ${siteId})`,
  'only here': (
    siteId,
  ) => sql`person_id in (select person_id from person_roles where site_id = ${siteId})
    and not exists (select 1 from person_roles as other where other.person_id = people.person_id and other.site_id <> ${siteId})`,
  client: (siteId) => sql`client_id in (select client_id from clients where site_id = ${siteId})`,
}

export async function selectSomeJobs(db: Db, siteId: string, limit: number): Promise<string[]> {
  const jobs = await db
    .selectFrom('jobs')
    .select('job_id')
    .where('site_id', '=', siteId)
    .limit(limit)
    .execute()
  return jobs.map(({ job_id }) => job_id)
}

export async function deleteSiteRow(tx: Db, siteId: string): Promise<void> {
  await tx.deleteFrom('sites').where('site_id', '=', siteId).execute()
}
