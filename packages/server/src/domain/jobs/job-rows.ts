/** SQL of jobs and their labels. Every function takes the site first; none crosses it but the upkeep ones at the end. */
import { jobStatuses, limits } from '@dragoman/contract'
import { type Expression, type ExpressionBuilder, type Insertable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Db } from '../../store/engine.ts'
import { type Key, type OrderTerm, pageAfter } from '../../store/page.ts'
import { prepared } from '../../store/prepared.ts'
import type { JobRow, Tables } from '../../store/tables.ts'
import type { Filter, Operator } from './filter.ts'

export type NewJobRow = Insertable<Tables['jobs']>
export type RowChange = Updateable<Tables['jobs']>
export type LabelRow = { name: string; value: string | null }

export async function insertJob(db: Db, row: NewJobRow, labels: readonly LabelRow[]): Promise<void> {
  await db.insertInto('jobs').values(row).execute()
  await insertLabels(db, row.site_id, row.job_id, labels)
}

export function selectJob(db: Db, siteId: string, jobId: string, lock = false): Promise<JobRow | undefined> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst()
}

/** The site is compared as an expression: SQLite would else go through all jobs of the site to find these. */
export function selectJobsById(db: Db, siteId: string, jobIds: readonly string[]): Promise<JobRow[]> {
  return db
    .selectFrom('jobs')
    .selectAll()
    .where('job_id', 'in', [...jobIds])
    .where(sql`site_id || ''`, '=', siteId)
    .execute()
}

export async function updateJob(db: Db, siteId: string, jobId: string, change: RowChange): Promise<JobRow> {
  return db
    .updateTable('jobs')
    .set((eb) => ({ ...change, version: eb('version', '+', 1) }))
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function replaceLabels(db: Db, siteId: string, jobId: string, labels: readonly LabelRow[]): Promise<void> {
  await db.deleteFrom('job_labels').where('site_id', '=', siteId).where('job_id', '=', jobId).execute()
  await insertLabels(db, siteId, jobId, labels)
}

async function insertLabels(db: Db, siteId: string, jobId: string, labels: readonly LabelRow[]): Promise<void> {
  if (labels.length === 0) return
  const rows = labels.map((label) => ({ site_id: siteId, job_id: jobId, ...label }))
  await db.insertInto('job_labels').values(rows).execute()
}

/** Labels, requests and moves go with it. */
export async function removeJob(db: Db, siteId: string, jobId: string): Promise<void> {
  await db.deleteFrom('jobs').where('site_id', '=', siteId).where('job_id', '=', jobId).execute()
}

export type JobPage = {
  archived: boolean
  filter?: Filter
  terms: readonly OrderTerm[]
  after?: Key | undefined
  limit: number
}

/** A job's place in a list: its version, and the columns that the list is ordered by. */
export type ListedJob = { job_id: string; version: number; [column: string]: string | number | null }

/** Absent dates come last: they are asked for by themselves, so that an index can serve both parts of the list. */
export async function selectJobs(db: Db, siteId: string, page: JobPage): Promise<ListedJob[]> {
  const [first] = page.terms
  const rare = page.filter ? await rareLabels(db, siteId, page.filter) : new Set<string>()
  if (!first?.nullable)
    return page.filter || page.terms.length > 2 ? jobsOf(db, siteId, page, rare).execute() : plainPage(db, siteId, page)
  const column = first.column as 'due_at'
  const dated =
    page.after?.[0] === null ? [] : await jobsOf(db, siteId, page, rare).where(column, 'is not', null).execute()
  if (dated.length === page.limit) return dated
  const [, ...terms] = page.terms
  const after = page.after?.[0] === null ? page.after.slice(1) : undefined
  const rest = { ...page, terms, after, limit: page.limit - dated.length }
  return [...dated, ...(await jobsOf(db, siteId, rest, rare).where(column, 'is', null).execute())]
}

type PlainPage = { siteId: string; limit: number; lead: string | number; id: string }
const plainPages = new Map<string, (db: Db, values: PlainPage) => Promise<ListedJob[]>>()

/** By one date and without a filter: few forms of the query, asked for all the time. */
function plainPage(db: Db, siteId: string, page: JobPage): Promise<ListedJob[]> {
  const { archived, terms, after, limit } = page
  const form = JSON.stringify([archived, terms, after !== undefined])
  let ask = plainPages.get(form)
  if (!ask) {
    ask = prepared((on, place) => {
      const key = after && [place.lead, place.id]
      return jobsOf(on, place.siteId, { archived, terms, after: key, limit: place.limit }, new Set())
    })
    plainPages.set(form, ask)
  }
  const [lead = '', id] = after ?? []
  return ask(db, { siteId, limit, lead: lead ?? '', id: String(id) })
}

function jobsOf(db: Db, siteId: string, page: JobPage, rare: ReadonlySet<string>) {
  const { filter } = page
  const columns = page.terms.map((term) => term.column as 'created_at' | 'job_id').filter((name) => name !== 'job_id')
  const query = db
    .selectFrom('jobs')
    .select(['job_id', 'version', ...columns])
    .where('site_id', '=', siteId)
    .where('archived', '=', page.archived ? 1 : 0)
    .$if(filter !== undefined, (q) => q.where((eb) => condition(eb, { siteId, rare }, filter as Filter)))
    .limit(page.limit)
  return pageAfter(query, page.terms, page.after)
}

const fewLabels = 5_000

/**
 * Labels and analysis codes that few jobs have. A page of a common label is found by looking through the list, one of a rare label by looking
 * up its jobs; the other way round, either would go through all jobs of the site.
 */
async function rareLabels(db: Db, siteId: string, filter: Filter): Promise<Set<string>> {
  const rare = new Set<string>()
  for (const name of labelsIn(filter)) {
    const found = await db
      .selectFrom('job_labels')
      .select('name')
      .where('site_id', '=', siteId)
      .where('name', '=', name)
      .orderBy('value')
      .offset(fewLabels)
      .limit(1)
      .executeTakeFirst()
    if (!found) rare.add(name)
  }
  for (const key of codesIn(filter)) {
    const found = await db
      .selectFrom('job_codes')
      .select('job_id')
      .where('site_id', '=', siteId)
      .where('level', 'in', levels)
      .where('code_key', '=', key)
      .offset(fewLabels)
      .limit(1)
      .executeTakeFirst()
    if (!found) rare.add(codeName(key))
  }
  return rare
}

const levels = Array.from({ length: limits.analysisLevels }, (_, at) => at + 1)
/** No label's name has such a character. */
const codeName = (key: string): string => `\u0000${key}`

function codesIn(filter: Filter): string[] {
  if (filter.is === 'and' || filter.is === 'or') return filter.parts.flatMap(codesIn)
  if (filter.is === 'not') return codesIn(filter.part)
  return filter.is === 'code' ? [filter.key] : []
}

function labelsIn(filter: Filter): string[] {
  switch (filter.is) {
    case 'and':
    case 'or':
      return filter.parts.flatMap(labelsIn)
    case 'not':
      return labelsIn(filter.part)
    case 'term':
    case 'code':
      return []
    default:
      return [filter.name]
  }
}

const symbols = { eq: '=', ne: '<>', lt: '<', le: '<=', gt: '>', ge: '>=' } as const satisfies Record<Operator, string>
type Jobs = ExpressionBuilder<Tables, 'jobs'>

type Looking = { readonly siteId: string; readonly rare: ReadonlySet<string> }

/** Every term is either true or false, never unknown: an absent field is `ne` everything and nothing else. */
function condition(eb: Jobs, looking: Looking, filter: Filter): Expression<SqlBool> {
  switch (filter.is) {
    case 'and':
    case 'or':
      return eb[filter.is](filter.parts.map((part) => condition(eb, looking, part)))
    case 'not':
      return eb.not(condition(eb, looking, filter.part))
    case 'code': {
      const has = hasCode(eb, looking, filter.key, filter.level)
      return filter.operator === 'eq' ? has : eb.not(has)
    }
    case 'label': {
      const has = hasLabel(eb, looking, filter.name)
      return filter.operator === 'eq' ? has : eb.not(has)
    }
    case 'label-value': {
      const compared = filter.operator === 'ne' ? 'eq' : filter.operator
      const has = hasLabel(eb, looking, filter.name, { operator: compared, value: filter.value })
      return filter.operator === 'ne' ? eb.not(has) : has
    }
    case 'term': {
      const { column } = filter.field
      const compared = eb(column, symbols[filter.operator], filter.value as never)
      if (!('nullable' in filter.field)) return compared
      return filter.operator === 'ne'
        ? eb.or([eb(column, 'is', null), compared])
        : eb.and([eb(column, 'is not', null), compared])
    }
  }
}

function hasLabel(
  eb: Jobs,
  { siteId, rare }: Looking,
  name: string,
  compared?: { operator: Operator; value: string },
): Expression<SqlBool> {
  let labels = eb.selectFrom('job_labels').where('job_labels.site_id', '=', siteId).where('job_labels.name', '=', name)
  if (compared) labels = labels.where('job_labels.value', symbols[compared.operator], compared.value)
  if (rare.has(name)) return eb('jobs.job_id', 'in', labels.select('job_labels.job_id'))
  return eb.exists(labels.select('job_labels.name').whereRef('job_labels.job_id', '=', 'jobs.job_id'))
}

/** Every level is named where any will do, so that the index by level serves both. */
function hasCode(eb: Jobs, { siteId, rare }: Looking, key: string, level?: number): Expression<SqlBool> {
  const codes = eb
    .selectFrom('job_codes')
    .where('job_codes.site_id', '=', siteId)
    .where('job_codes.level', 'in', level === undefined ? levels : [level])
    .where('job_codes.code_key', '=', key)
  if (rare.has(codeName(key))) return eb('jobs.job_id', 'in', codes.select('job_codes.job_id'))
  return eb.exists(codes.select('job_codes.level').whereRef('job_codes.job_id', '=', 'jobs.job_id'))
}

export type StatusCount = { job_id: string; status: string; total: number; with_errors: number }

export async function countRequests(db: Db, siteId: string, jobIds: readonly string[]): Promise<StatusCount[]> {
  if (jobIds.length === 0) return []
  const counts = await db
    .selectFrom('requests')
    .select(['job_id', 'status'])
    .select((eb) => [eb.fn.countAll().as('total'), eb.fn.sum('has_error').as('with_errors')])
    .where('site_id', '=', siteId)
    .where('job_id', 'in', jobIds)
    .groupBy(['job_id', 'status'])
    .execute()
  return counts.map((row) => ({ ...row, total: Number(row.total), with_errors: Number(row.with_errors) }))
}

/** Upkeep, all sites: active jobs whose day of archival has come. */
export function selectIdleJobs(db: Db, until: number, limit: number): Promise<{ site_id: string; job_id: string }[]> {
  return db
    .selectFrom('jobs')
    .select(['site_id', 'job_id'])
    .where('archive_status', '=', 'ACTIVE')
    .where('archival_at', '<=', until)
    .orderBy('archival_at')
    .limit(limit)
    .execute()
}

/** Upkeep, all sites: when the next active job is due. */
export async function firstArchival(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('jobs')
    .select('archival_at')
    .where('archive_status', '=', 'ACTIVE')
    .orderBy('archival_at')
    .limit(1)
    .executeTakeFirst()
  return row?.archival_at
}

export type ProviderPage = { statuses?: readonly JobRow['status'][]; after?: Key; limit: number }

/** Jobs that were sent to the provider, oldest first. */
export function selectProviderJobs(db: Db, siteId: string, providerId: string, page: ProviderPage): Promise<JobRow[]> {
  const sent = page.statuses ?? jobStatuses.filter((status) => status !== 'CREATED' && status !== 'SENDING')
  const query = db
    .selectFrom('jobs')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('provider_id', '=', providerId)
    .where('archived', '=', 0)
    .where('status', 'in', [...sent])
    .limit(page.limit)
  const terms = [
    { column: 'created_at', descending: false },
    { column: 'job_id', descending: false },
  ]
  return pageAfter(query, terms, page.after).execute()
}

export type JobCounts = { requests: number; assets: number }

/** How many requests and support assets each job has. */
export async function countInJobs(db: Db, siteId: string, jobIds: readonly string[]): Promise<Map<string, JobCounts>> {
  const counts = new Map<string, JobCounts>(jobIds.map((id) => [id, { requests: 0, assets: 0 }]))
  if (jobIds.length === 0) return counts
  for (const table of ['requests', 'support_assets'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('job_id')
      .select((eb) => eb.fn.countAll().as('count'))
      .where('site_id', '=', siteId)
      .where('job_id', 'in', [...jobIds])
      .groupBy('job_id')
      .execute()
    for (const row of rows) {
      const known = counts.get(row.job_id)
      if (known) known[table === 'requests' ? 'requests' : 'assets'] = Number(row.count)
    }
  }
  return counts
}

export async function selectSupportAssetIds(db: Db, siteId: string, jobId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('support_assets')
    .select('asset_id')
    .where('site_id', '=', siteId)
    .where('job_id', '=', jobId)
    .orderBy('position')
    .execute()
  return rows.map((row) => row.asset_id)
}
