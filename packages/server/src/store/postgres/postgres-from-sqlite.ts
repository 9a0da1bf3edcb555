/**
 * Fills the tables of a PostgreSQL database with the rows of a copy of an SQLite one. Tables,
 * columns and keys are read from the copy, so a new table needs nothing here. Afterwards every row
 * is read back and compared, by count and sum.
 */
import { hash } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import type { Database, Db } from '../database.ts'
import { arrayOf, arraysOf, type ColumnType } from '../many-rows.ts'
import { Refusal } from '../refusal.ts'

type Value = string | number | null
type CopiedRow = Readonly<Record<string, Value>>
type Table = {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[]
  /** The columns of the primary key, or else SQLite's own row number. */
  readonly key: readonly string[]
}
export type FilledTable = { readonly name: string; readonly rows: number; readonly sum: string }

/** Says which tables are there: without its rows, the next run would create them again. */
const migrationsTable = 'schema_migrations'

/** `to` has the schema, and no rows but those of the migrations and of an interrupted move. */
export async function fillTables(
  from: Db,
  to: Database,
  told: (table: string) => void,
): Promise<FilledTable[]> {
  const found = await readTables(from)
  const migrations = found.find(({ name }) => name === migrationsTable)
  if (!migrations) throw new Error('The database has no schema.')
  const others = found.filter((table) => table !== migrations)
  const tables = [migrations, ...others]
  const applied = await to.transact(async (tx) => {
    await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(tx)
    return fillTable(from, migrations, (query) => tx.executeQuery(query))
  })
  const filled = [applied]
  for (const table of others) {
    told(table.name)
    filled.push(
      await fillTable(from, table, (query) => to.transact((tx) => tx.executeQuery(query))),
    )
  }
  await continueNumbers(from, to)
  for (const [at, table] of tables.entries()) {
    const there = await sumTable(to, table, at)
    const here = filled[at]
    if (there.rows !== here?.rows || there.sum !== here.sum)
      throw new Refusal(
        `The table ${table.name} differs: ${here?.rows} rows (sum ${here?.sum}) were copied, ${there.rows} (sum ${there.sum}) arrived. Run the command again; it starts over.`,
      )
  }
  await to.transact((tx) => sql`analyze`.execute(tx))
  return filled
}

async function fillTable(
  from: Db,
  table: Table,
  write: (query: CompiledQuery) => Promise<unknown>,
): Promise<FilledTable> {
  const sum = openSum(table)
  const text = insertText(table)
  let size = pageSizes.first
  let last: CopiedRow | undefined
  for (;;) {
    const rows = await readPage(from, table, last, size)
    if (rows.length > 0) {
      const cells = (name: string) => rows.map((row) => row[name] ?? null)
      const arrays = table.columns.map(({ name }) => arrayOf(cells(name), text))
      await write(CompiledQuery.raw(text, arrays))
      const bytes = sum.add(rows)
      last = rows.at(-1)
      if (rows.length === size) {
        size = nextSize(size, bytes)
        continue
      }
    }
    return sum.end()
  }
}

/** Rows of a page are held in memory, and some tables have large ones. */
const pageSizes = { first: 100, most: 2_000, bytes: 1024 * 1024 }
const nextSize = (size: number, bytes: number): number =>
  bytes > 4 * pageSizes.bytes
    ? Math.max(1, Math.floor(size / 4))
    : bytes < pageSizes.bytes
      ? Math.min(pageSizes.most, size * 2)
      : size

const listed = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))

async function readPage(
  from: Db,
  { name, columns, key }: Table,
  last: CopiedRow | undefined,
  size: number,
): Promise<CopiedRow[]> {
  const names = [...new Set([...columns.map((column) => column.name), ...key])]
  const after = last
    ? sql`where (${listed(key)}) > (${sql.join(key.map((column) => last[column]))})`
    : sql``
  const page = sql<CopiedRow>`select ${listed(names)} from ${sql.table(name)} ${after} order by ${listed(key)} limit ${size}`
  return (await page.execute(from)).rows
}

function insertText({ name, columns }: Table): string {
  const quoted = (text: string) => `"${text}"`
  const rows = arraysOf(columns.map(({ type }) => type))
  return `insert into ${quoted(name)} (${columns.map((column) => quoted(column.name)).join(', ')}) ${rows}`
}

/** Adds up a digest of each row, so that the order does not matter. */
function openSum({ name, columns }: Table) {
  let rows = 0
  let sum = 0n
  return {
    /** Returns the approximate size of these rows. */
    add: (some: readonly CopiedRow[]): number => {
      let bytes = 0
      for (const row of some) {
        const text = JSON.stringify(columns.map((column) => row[column.name] ?? null))
        sum = (sum + BigInt(`0x${hash('sha256', text).slice(0, 32)}`)) % 2n ** 128n
        bytes += text.length
      }
      rows += some.length
      return bytes
    },
    end: (): FilledTable => ({ name, rows, sum: sum.toString(16).padStart(32, '0') }),
  }
}

/** `at` makes the name of the cursor, because statements are prepared by their text. */
function sumTable(to: Database, table: Table, at: number): Promise<FilledTable> {
  const cursor = sql.ref(`filled_${at}`)
  return to.transact(async (tx) => {
    const columns = listed(table.columns.map(({ name }) => name))
    await sql`declare ${cursor} no scroll cursor for select ${columns} from ${sql.table(table.name)}`.execute(
      tx,
    )
    const sum = openSum(table)
    for (let size = pageSizes.first; ; ) {
      const { rows } = await sql<CopiedRow>`fetch ${sql.lit(size)} from ${cursor}`.execute(tx)
      if (rows.length === 0) return sum.end()
      size = nextSize(size, sum.add(rows))
    }
  })
}

/** Numbers continue after the largest one that was ever given out, even if its row is gone. */
async function continueNumbers(from: Db, to: Database): Promise<void> {
  const { rows: given } = await sql<{
    name: string
    seq: number
  }>`select name, seq from sqlite_sequence`.execute(from)
  await to.transact(async (tx) => {
    const { rows } = await sql<{
      name: string
      column: string
    }>`select table_name as name, column_name as "column"
      from information_schema.columns where table_schema = current_schema() and is_identity = 'YES'`.execute(
      tx,
    )
    for (const { name, column } of rows) {
      const last = given.find((one) => one.name === name)?.seq ?? 0
      if (last > 0)
        await sql`select setval(pg_get_serial_sequence(${name}, ${column}), ${last})`.execute(tx)
    }
  })
}

/** Those that others refer to come first. */
async function readTables(from: Db): Promise<Table[]> {
  const { rows } = await sql<{ name: string; column: string; type: string; pk: number }>`
    select m.name, c.name as "column", lower(c.type) as type, c.pk from sqlite_schema m, pragma_table_info(m.name) c
    where m.type = 'table' and m.name not like 'sqlite%' order by m.name, c.cid`.execute(from)
  const { rows: references } = await sql<{ child: string; parent: string }>`
    select m.name as child, f."table" as parent from sqlite_schema m, pragma_foreign_key_list(m.name) f
    where m.type = 'table'`.execute(from)
  const names = [...new Set(rows.map(({ name }) => name))]
  const waiting = new Map(
    names.map((name) => [
      name,
      tableOf(
        name,
        rows.filter((row) => row.name === name),
      ),
    ]),
  )
  const ordered: Table[] = []
  while (waiting.size > 0) {
    const next = [...waiting.values()].filter(
      ({ name }) =>
        !references.some(
          ({ child, parent }) => child === name && parent !== name && waiting.has(parent),
        ),
    )
    if (next.length === 0)
      throw new Error(`Tables refer to each other in a circle: ${[...waiting.keys()].join(', ')}.`)
    for (const table of next) waiting.delete(table.name)
    ordered.push(...next)
  }
  return ordered
}

const columnTypes: Readonly<Record<string, ColumnType>> = { text: 'text', integer: 'bigint' }

function tableOf(
  name: string,
  found: readonly { column: string; type: string; pk: number }[],
): Table {
  const columns = found.map(({ column, type }) => {
    const known = columnTypes[type]
    if (!known)
      throw new Error(`The column ${name}.${column} has the type ${type}, which cannot be moved.`)
    return { name: column, type: known }
  })
  const key = found
    .filter(({ pk }) => pk > 0)
    .sort((one, two) => one.pk - two.pk)
    .map(({ column }) => column)
  return { name, columns, key: key.length > 0 ? key : ['rowid'] }
}
