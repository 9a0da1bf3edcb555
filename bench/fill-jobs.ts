/**
 * Fills databases of a given size: the database itself generates the jobs, in chunks, so that a
 * million take seconds. At any size every filter of the bench finds more than a page: only the rows
 * around it differ.
 */
import { sql } from 'kysely'
import pg from 'pg'
import { databaseModule, pageModule, vaultModule } from './built.ts'
import type { Bench } from './figure.ts'
import { createJob, type HubFolder, newPlace, startCaller } from './server.ts'

export const oldest = Date.now() - 100 * 86_400_000
export const span = 90 * 86_400_000
const archivalAfter = 184 * 86_400_000
const chunk = 20_000
/** How many jobs a selective filter finds, at any size. */
const alike = 60

export type Filled = { readonly place: HubFolder; readonly siteId: string; readonly jobs: number }

export async function fillJobs(bench: Bench, jobs: number, databaseUrl?: string): Promise<Filled> {
  const place = await newPlace(bench, databaseUrl)
  const server = await startCaller(bench, place)
  const { siteId } = await createJob(server)
  await server.stop()
  bench.say(`filling ${jobs.toLocaleString('en')} jobs`)
  await fillSite(place.databaseUrl, siteId, jobs)
  if (databaseUrl) await tidy(databaseUrl)
  return { place, siteId, jobs }
}

/** Puts this many jobs into the site. */
export async function fillSite(databaseUrl: string, siteId: string, jobs: number): Promise<void> {
  const db = await (await databaseModule()).openDatabase(databaseUrl)
  try {
    for (let from = 1; from <= jobs; from += chunk)
      await db.transact(async (tx) => {
        const numbers = [from, Math.min(jobs, from + chunk - 1)] as const
        await sql.raw(jobRows(siteId, jobs, ...numbers)).execute(tx)
        await sql.raw(labelRows(siteId, jobs, ...numbers)).execute(tx)
      })
  } finally {
    await db.close()
  }
}

/** A multiplication modulo a prime above a million: every id once, in no order. */
const jobId = (i: string): string => `cast(1000000000 + (${i} * 387420489) % 1000000007 as text)`
const times = (jobs: number): string => `${oldest} + i * ${Math.floor(span / jobs)}`
const groups = (jobs: number): number => Math.max(1, Math.floor(jobs / alike))

/**
 * A cursor after job number `i` of the list in its default order, made with the hub's own key:
 * paging there would take all day.
 */
export async function cursorBehind(
  { place, siteId, jobs }: Filled,
  i: number,
  filter?: string,
): Promise<string> {
  const { sealCursor } = await pageModule()
  const vault = (await vaultModule()).openVault(Buffer.from(place.masterKey, 'base64'))
  const id = 1_000_000_000n + ((BigInt(i) * 387_420_489n) % 1_000_000_007n)
  const key = [oldest + i * Math.floor(span / jobs), String(id)]
  return sealCursor(vault, siteId, { list: 'jobs', key, ...(filter ? { filter } : {}) })
}

/** The rows `n(i)` of an insert. */
export const numbers = (from: number, to: number): string =>
  `with recursive n(i) as (select cast(${from} as bigint) union all select i + 1 from n where i < ${to})`

function jobRows(siteId: string, jobs: number, from: number, to: number): string {
  const group = `cast(i % ${groups(jobs)} as text)`
  const values: Record<string, string> = {
    job_id: jobId('i'),
    site_id: `'${siteId}'`,
    job_name: `'Campaign ' || ${group}`,
    description: `'Product pages of the spring catalogue, part ' || cast(i as text)`,
    status: `case when i % 500 = 0 then 'CANCELLED' when i % 4 = 1 then 'IN_TRANSLATION' when i % 4 = 2 then 'COMPLETED' else 'CREATED' end`,
    archive_status: `'ACTIVE'`,
    archived: '0',
    has_error: '0',
    creator_id: `'bench'`,
    provider_id: `case when i % 11 = 0 then null else 'provider-' || cast(i % 3 as text) end`,
    po_reference: `'PO-' || ${group}`,
    due_at: `case when i % 5 = 0 then null else ${times(jobs)} + 3000000000 end`,
    created_at: times(jobs),
    modified_at: times(jobs),
    activity_at: times(jobs),
    archival_at: `${times(jobs)} + ${archivalAfter}`,
    connector_name: `'bench-connector'`,
    connector_version: `'1.4.2'`,
    labels: `case when i % ${groups(jobs)} = 0 then '["urgent"]' else null end`,
    source_language: `'en-US'`,
    target_languages: `'["de-DE","fr-FR"]'`,
    cause_id: `'bench'`,
  }
  const columns = Object.keys(values).join(', ')
  return `${numbers(from, to)} insert into jobs (${columns}) select ${Object.values(values).join(', ')} from n`
}

const labelRows = (siteId: string, jobs: number, from: number, to: number): string =>
  `${numbers(from, to)} insert into job_labels (job_id, site_id, name, value)
  select ${jobId('i')}, '${siteId}', 'urgent', null from n where i % ${groups(jobs)} = 0`

/** What autovacuum would have done while a table grew to this size. */
async function tidy(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query('vacuum analyze')
  await client.end()
}
