/** SQL of job lists: keyset pages, filtered and ordered, of ids, versions and order columns. */
import { limits } from '@dragoman/contract'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../store/database.ts'
import { likeText } from '../../store/like-text.ts'
import { ascending, type Key, type OrderTerm, pageAfter } from '../../store/page.ts'
import { perForm, prepared } from '../../store/prepared.ts'
import type { JobRow, Tables } from '../../store/tables.ts'
import { withoutIndex } from '../../store/without-index.ts'
import type { Filter, Operator } from './filter.ts'
import { isWork } from './work-rows.ts'

export type JobPage = {
  archived: boolean
  filter?: Filter
  terms: readonly OrderTerm[]
  after?: Key | undefined
  limit: number
}

/** A job in a list: its id, its version, and the columns that the list is ordered by. */
export type ListedJob = {
  job_id: string
  version: number
  [column: string]: string | number | null
}

/**
 * Absent dates come last. They are queried separately, so that an index serves both parts of the
 * list.
 */
export async function selectJobs(db: Db, siteId: string, page: JobPage): Promise<ListedJob[]> {
  const [first] = page.terms
  const rare = page.filter ? await rareLabels(db, siteId, page.filter) : new Set<string>()
  if (!first?.nullable)
    return page.filter || page.terms.length > 2
      ? jobsOf(db, siteId, page, rare).execute()
      : plainPage(db, siteId, page)
  const column = first.column as 'due_at'
  const [, ...terms] = page.terms
  // Nullable is off: this query has no absent dates, and an index keeps them at one end only.
  const present = { ...page, terms: [{ ...first, nullable: false }, ...terms] }
  const dated =
    page.after?.[0] === null
      ? []
      : await jobsOf(db, siteId, present, rare).where(column, 'is not', null).execute()
  if (dated.length === page.limit) return dated
  const after = page.after?.[0] === null ? page.after.slice(1) : undefined
  const rest = { ...page, terms, after, limit: page.limit - dated.length }
  return [...dated, ...(await jobsOf(db, siteId, rest, rare).where(column, 'is', null).execute())]
}

type PlainPage = { siteId: string; limit: number; lead: string | number; id: string }
type PlainForm = Pick<JobPage, 'archived' | 'terms'> & { isFirst: boolean; isWhole: boolean }
const plainPages = perForm(({ archived, terms, isFirst, isWhole }: PlainForm) =>
  prepared<PlainPage, ListedJob>((db, at) => {
    const after = isFirst ? undefined : [at.lead, at.id]
    return jobsOf(
      db,
      at.siteId,
      { archived, terms, after, limit: isWhole ? wholePage : at.limit },
      new Set(),
    )
  }),
)

/** Prepared queries for pages ordered by one date without a filter, by far the most frequent. */
function plainPage(db: Db, siteId: string, page: JobPage): Promise<ListedJob[]> {
  const { archived, terms, after, limit } = page
  const [lead, id] = after ?? []
  const ask = plainPages({
    archived,
    terms,
    isFirst: after === undefined,
    isWhole: limit === wholePage,
  })
  return ask(db, { siteId, limit, lead: lead ?? '', id: String(id) })
}

function jobsOf(db: Db, siteId: string, page: JobPage, rare: ReadonlySet<string>) {
  const columns = page.terms
    .map((term) => term.column as 'created_at' | 'job_id')
    .filter((name) => name !== 'job_id')
  const query = matching(db, siteId, page, rare)
    .select(['job_id', 'version', ...columns])
    .limit(page.limit === wholePage && isInOrder(page) ? sql.lit(wholePage) : page.limit)
  return pageAfter(query, page.terms, page.after)
}

/** The largest page, and the row that shows whether there is another. */
const wholePage = limits.pageItems + 1
const indexed = new Set(['status', 'job_name', 'provider_id', 'po_reference', 'global_tracking_id'])

/**
 * Whether one index gives the rows in order, whatever the values are. Then the limit is part of the
 * statement: with a parameter in its place, PostgreSQL expects a tenth of the jobs and makes a plan
 * for each call, which takes longer than reading the page.
 */
function isInOrder({ filter, terms }: JobPage): boolean {
  const [first, ...more] = terms
  if (first?.column !== 'created_at' || more.length > 1) return false
  if (filter?.is === 'in') return filter.values.length === 1 && indexed.has(filter.field.column)
  return (
    !filter ||
    (filter.is === 'term' && filter.operator === 'eq' && indexed.has(filter.field.column))
  )
}

/** The jobs of a list, in no order. */
export function matching(
  db: Db,
  siteId: string,
  { archived, filter }: Pick<JobPage, 'archived' | 'filter'>,
  rare: ReadonlySet<string>,
) {
  const isLookedUp = filter !== undefined && findsFew(filter, rare)
  return db
    .selectFrom('jobs')
    .where(
      isLookedUp ? withoutIndex<string>(db, 'site_id') : sql.ref<string>('site_id'),
      '=',
      siteId,
    )
    .where(
      isLookedUp ? withoutIndex<number>(db, 'archived') : sql.ref<number>('archived'),
      '=',
      archived ? 1 : 0,
    )
    .$if(filter !== undefined, (q) =>
      q.where((eb) => condition(eb, { db, siteId, rare }, filter as Filter)),
    )
}

const rareLimit = 5_000

/**
 * Labels and analysis codes that few jobs have. A page of a common label is found by walking the
 * list, a page of a rare label by looking up its jobs; the other way round either goes through all
 * jobs of the site. Without this probe a page of a label that 60 of 100,000 jobs have takes about
 * 500 times as long on SQLite.
 */
export async function rareLabels(db: Db, siteId: string, filter: Filter): Promise<Set<string>> {
  const rare = new Set<string>()
  for (const name of labelsIn(filter)) {
    const found = await db
      .selectFrom('job_labels')
      .select('name')
      .where('site_id', '=', siteId)
      .where('name', '=', name)
      .orderBy('value')
      .offset(rareLimit)
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
      .offset(rareLimit)
      .limit(1)
      .executeTakeFirst()
    if (!found) rare.add(codeName(key))
  }
  return rare
}

/** Whether only jobs with a rare label or code, or of certain ids, can match. */
function findsFew(filter: Filter, rare: ReadonlySet<string>): boolean {
  switch (filter.is) {
    case 'and':
      return filter.parts.some((part) => findsFew(part, rare))
    case 'or':
    case 'not':
    case 'like':
    case 'label-like':
    case 'work':
      return false
    case 'term':
      return filter.operator === 'eq' && filter.field.column === 'job_id'
    case 'in':
      return filter.field.column === 'job_id'
    default:
      return (
        filter.operator !== 'ne' &&
        rare.has(filter.is === 'code' ? codeName(filter.key) : filter.name)
      )
  }
}

const levels = Array.from({ length: limits.analysisLevels }, (_, at) => at + 1)
/** Label names cannot contain this character. */
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
    case 'in':
    case 'like':
    case 'label-like':
    case 'work':
    case 'code':
      return []
    default:
      return [filter.name]
  }
}

const symbols = {
  eq: '=',
  ne: '<>',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
} as const satisfies Record<Operator, string>
type Jobs = ExpressionBuilder<Tables, 'jobs'>

type Search = { readonly db: Db; readonly siteId: string; readonly rare: ReadonlySet<string> }

/** Every term is true or false, never unknown: an absent field matches `ne` and nothing else. */
function condition(eb: Jobs, search: Search, filter: Filter): Expression<SqlBool> {
  switch (filter.is) {
    case 'and':
    case 'or':
      return eb[filter.is](filter.parts.map((part) => condition(eb, search, part)))
    case 'not':
      return eb.not(condition(eb, search, filter.part))
    case 'work':
      return isWork(eb, filter.of)
    case 'code': {
      const has = hasCode(eb, search, filter.key, filter.level)
      return filter.operator === 'eq' ? has : eb.not(has)
    }
    case 'label': {
      const has = hasLabel(eb, search, filter.name)
      return filter.operator === 'eq' ? has : eb.not(has)
    }
    case 'label-like': {
      const { db, siteId } = search
      const { text, from } = filter
      // By the job: SQLite would otherwise go through all labels of the site, for each job.
      const labels = eb
        .selectFrom('job_labels')
        .select('job_labels.name')
        .where(withoutIndex<string>(db, 'job_labels.site_id'), '=', siteId)
        .whereRef('job_labels.job_id', '=', 'jobs.job_id')
      const isLike = (column: string) => likeText(db, column, text, from)
      return eb.exists(
        labels.where((label) => label.or([isLike('job_labels.name'), isLike('job_labels.value')])),
      )
    }
    case 'label-value': {
      const compared = filter.operator === 'ne' ? 'eq' : filter.operator
      const has = hasLabel(eb, search, filter.name, { operator: compared, value: filter.value })
      return filter.operator === 'ne' ? eb.not(has) : has
    }
    case 'in': {
      const { field, values } = filter
      // One value alone lets an index give the order.
      const [only, ...more] = values
      const found =
        more.length === 0
          ? eb(field.column, '=', only as never)
          : eb(field.column, 'in', values as never)
      return field.nullable ? eb.and([eb(field.column, 'is not', null), found]) : found
    }
    case 'like': {
      const { column, nullable } = filter.field
      const found = likeText(search.db, column, filter.text, filter.from)
      return nullable ? eb.and([eb(column, 'is not', null), found]) : found
    }
    case 'term': {
      const { column } = filter.field
      const compared = eb(column, symbols[filter.operator], filter.value as never)
      if (!filter.field.nullable) return compared
      return filter.operator === 'ne'
        ? eb.or([eb(column, 'is', null), compared])
        : eb.and([eb(column, 'is not', null), compared])
    }
  }
}

function hasLabel(
  eb: Jobs,
  { siteId, rare }: Search,
  name: string,
  compared?: { operator: Operator; value: string },
): Expression<SqlBool> {
  let labels = eb
    .selectFrom('job_labels')
    .where('job_labels.site_id', '=', siteId)
    .where('job_labels.name', '=', name)
  if (compared)
    labels = labels.where('job_labels.value', symbols[compared.operator], compared.value)
  if (rare.has(name)) return eb('jobs.job_id', 'in', labels.select('job_labels.job_id'))
  return eb.exists(
    labels.select('job_labels.name').whereRef('job_labels.job_id', '=', 'jobs.job_id'),
  )
}

/** If any level will do, all levels are named, so that the index by level serves both cases. */
function hasCode(
  eb: Jobs,
  { siteId, rare }: Search,
  key: string,
  level?: number,
): Expression<SqlBool> {
  const codes = eb
    .selectFrom('job_codes')
    .where('job_codes.site_id', '=', siteId)
    .where('job_codes.level', 'in', level === undefined ? levels : [level])
    .where('job_codes.code_key', '=', key)
  if (rare.has(codeName(key))) return eb('jobs.job_id', 'in', codes.select('job_codes.job_id'))
  return eb.exists(codes.select('job_codes.level').whereRef('job_codes.job_id', '=', 'jobs.job_id'))
}

export type SentPage = {
  readonly providerId: string
  readonly statuses: readonly JobRow['status'][]
  readonly acknowledged?: boolean
  readonly filter?: Filter
  readonly after?: Key
  readonly limit: number
}

/** Active jobs of these statuses that were sent to the provider, oldest first. */
export async function selectSentJobs(db: Db, siteId: string, page: SentPage): Promise<JobRow[]> {
  const { filter } = page
  const rare = filter ? await rareLabels(db, siteId, filter) : new Set<string>()
  let query = matching(db, siteId, { archived: false, ...(filter && { filter }) }, rare)
    .selectAll()
    .where('provider_id', '=', page.providerId)
    .where('status', 'in', [...page.statuses])
    .limit(page.limit)
  if (page.acknowledged !== undefined)
    query = query.where('acknowledged', '=', page.acknowledged ? 1 : 0)
  return pageAfter(query, ascending('created_at', 'job_id'), page.after).execute()
}
