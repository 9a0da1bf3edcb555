/**
 * Reads every row, or every sealed value, of a table in the order of a unique key, a page at a
 * time: no statement returns many rows.
 */
import { sql } from 'kysely'
import type { Db } from './database.ts'

export async function* everyRow<R>(
  pageSize: number,
  select: (after: string, limit: number) => Promise<R[]>,
  keyOf: (row: R) => string,
): AsyncGenerator<R> {
  let after = ''
  for (;;) {
    const rows = await select(after, pageSize)
    yield* rows
    const last = rows.at(-1)
    if (rows.length < pageSize || last === undefined) return
    after = keyOf(last)
  }
}

/** A column, and the columns of its table's key. */
export type SealedPlace = {
  readonly table: string
  readonly key: readonly string[]
  readonly column: string
  /** Only values that start with it are sealed, and the seal follows it. */
  readonly prefix?: string
}

const page = 500
type Cells = Record<string, string | number>
type SealedValue = {
  readonly key: readonly (string | number)[]
  readonly value: string
  readonly siteId?: string
}

/**
 * No site: it serves upkeep of the whole hub; `ofSites` also reads the site of each row. A row may
 * be changed while it is visited. Values come without the prefix.
 */
export async function* valuesOf(
  db: Db,
  place: SealedPlace,
  ofSites = false,
): AsyncGenerator<SealedValue> {
  const { table, key, column, prefix = '' } = place
  const names = sql.join(key.map((name) => sql.ref(name)))
  const text = sql.ref(column)
  const isSealed = prefix
    ? sql`substr(${text}, 1, ${prefix.length}) = ${prefix}`
    : sql`${text} is not null`
  let after: SealedValue['key'] | undefined
  for (;;) {
    const beyond = after ? sql`and (${names}) > (${sql.join(after)})` : sql``
    const { rows } =
      await sql<Cells>`select ${names}, ${text} as value ${ofSites ? sql`, site_id` : sql``}
      from ${sql.table(table)} where ${isSealed} ${beyond} order by ${names} limit ${page}`.execute(
        db,
      )
    for (const row of rows) {
      after = key.map((name) => row[name] ?? '')
      const value = String(row.value).slice(prefix.length)
      yield { key: after, value, ...(ofSites && { siteId: String(row.site_id) }) }
    }
    if (rows.length < page) return
  }
}
