/**
 * A page of a list with filters. The cursor carries the filters of its first page: sending others
 * with it is refused, sending none is fine.
 */
import { limits } from '@dragoman/contract'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from './database.ts'
import { type Key, mustMatch, openCursor, sealCursor } from './page.ts'
import type { Vault } from './vault.ts'
import { withoutIndex } from './without-index.ts'

export type Paging = { readonly navNext?: string; readonly pageSize?: number }
export type PageBounds = { readonly after?: Key; readonly limit: number }
type List = { readonly vault: Vault; readonly siteId: string; readonly name: string }

/**
 * Reads the page that was asked for; `select` gets the filters and returns rows in the order of
 * their keys.
 */
export async function readPage<F extends Paging, R>(
  { vault, siteId, name }: List,
  asked: F,
  select: (filter: Omit<F, keyof Paging>, part: PageBounds) => Promise<R[]>,
  keyOf: (row: R) => Key,
): Promise<{ rows: R[]; next?: string }> {
  const { navNext, pageSize = limits.pageItems, ...sent } = asked
  const said = Object.entries(sent).filter(([, value]) => value !== undefined)
  const text =
    said.length > 0 ? JSON.stringify(said.sort(([a], [b]) => (a < b ? -1 : 1))) : undefined
  const cursor = navNext
    ? mustMatch(
        openCursor(vault, siteId, name, navNext),
        text === undefined ? {} : { filter: text },
      )
    : undefined
  const filter = cursor ? cursor.filter : text
  const given = Object.fromEntries(JSON.parse(filter ?? '[]')) as Omit<F, keyof Paging>
  const found = await select(given, { ...(cursor && { after: cursor.key }), limit: pageSize + 1 })
  const rows = found.slice(0, pageSize)
  const last = rows.at(-1)
  if (found.length <= pageSize || !last) return { rows }
  return {
    rows,
    next: sealCursor(vault, siteId, { list: name, key: keyOf(last), ...(filter && { filter }) }),
  }
}

type Value = string | number
export type GivenFilters = readonly (readonly [column: string, value: Value | undefined])[]
/**
 * Columns with two indexes: one that begins with the site, and a partial one for all sites, with
 * its condition.
 */
export type Twice = Readonly<Record<string, RawBuilder<SqlBool>>>
/** The condition of the partial index that begins with the site. */
const ofSite = sql<SqlBool>`site_id <> ''`
type Conditions = { readonly lead: string | undefined; readonly all: RawBuilder<SqlBool>[] }

/**
 * The given filters as conditions. The first one chooses the index. SQLite has no statistics, so a
 * list's indexes look alike to it: unary plus keeps it from the others.
 */
export function conditionsOf(
  db: Db,
  siteId: string | undefined,
  given: GivenFilters,
  twice: Twice,
): Conditions {
  const said = given.flatMap(([column, value]) =>
    value === undefined ? [] : [[column, value] as const],
  )
  const lead = said[0]?.[0]
  const forAll = lead === undefined ? undefined : twice[lead]
  const searched = lead === undefined || forAll ? ['site_id', lead] : [lead]
  const named = siteId === undefined ? said : [['site_id', siteId] as const, ...said]
  const all = named.map(([column, value]) => {
    const seen = searched.includes(column) ? sql`${sql.ref(column)}` : withoutIndex(db, column)
    return sql<SqlBool>`${seen} = ${value}`
  })
  const partial = siteId === undefined ? forAll : lead === undefined ? ofSite : undefined
  return { lead, all: partial ? [...all, partial] : all }
}
