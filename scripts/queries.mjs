/**
 * `npm run queries` prints every statement of the row functions of domain/ and store/, for both
 * databases, from the built program. `scripts/generate.mjs --check` makes them for their checks.
 * Each exported function is called on a database that only compiles, with `anything` for its
 * parameters or, if that is not enough, with the samples of query-samples.mjs. A function without
 * any SQL is an error: it needs a sample there.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
  sql,
} from 'kysely'
import { root } from './prepare.mjs'
import { cases, unspoken } from './query-samples.mjs'
import { whyNoSite } from './query-sites.mjs'

const dist = join(root, 'packages/server/dist')
const speaksSql = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`|\bonRows\(/
/** The databases themselves, the schema, and files that only build parts of a query. */
const notListed = /^store\/(sqlite|postgres|migrat|page\.js|many-rows|prepared)/

export async function allQueries() {
  const troubles = []
  const parts = []
  const seen = new Set()
  const schema = await openSchema()
  for (const file of listFiles()) {
    const module = await import(pathToFileURL(join(dist, file)).href)
    const source = file.replace(/\.js$/, '.ts')
    for (const [name, made] of Object.entries(module)) {
      if (typeof made !== 'function' || /^[A-Z]/.test(name) || unspoken.has(name) || seen.has(made))
        continue
      seen.add(made)
      try {
        const statements = [
          await compile(name, made, 'sqlite', schema),
          await compile(name, made, 'postgres', schema),
        ]
        const text = readFileSync(join(dist, '../src', source), 'utf8')
        parts.push(
          describe(
            `${source}: ${name}`,
            ...statements,
            whyNoSite(text, name, statements.flat(), schema.columns),
          ),
        )
      } catch (error) {
        troubles.push(`${source}: ${name}: ${error.message}`)
      }
    }
  }
  await schema.close()
  if (troubles.length > 0)
    throw new Error(
      `the statements cannot be listed; tell scripts/query-samples.mjs about these:\n  ${troubles.join('\n  ')}`,
    )
  return `-- Every statement the hub sends.\n-- SQLite and PostgreSQL get the same text (but for the form of parameters) unless both are shown.\n-- A statement that is not tied to one site says why before it.\n\n${parts.join('\n')}`
}

function listFiles() {
  return (
    readdirSync(dist, { recursive: true })
      .map((name) => String(name).replaceAll('\\', '/'))
      .filter(
        (name) =>
          /^(store\/(tasks\/)?[^/]+|domain\/.*-rows)\.js$/.test(name) && !notListed.test(name),
      )
      // A removed source may have left its output behind.
      .filter((name) => existsSync(join(dist, '../src', name.replace(/\.js$/, '.ts'))))
      .filter((name) => speaksSql.test(readFileSync(join(dist, name), 'utf8')))
      .sort()
  )
}

/** Calls the function with each set of arguments; returns the distinct statements in order. */
async function compile(name, made, kind, schema) {
  const statements = []
  const state = { table: undefined, rows: 1 }
  const tx = openDummy(kind, (sql) => statements.push(sql), state)
  // Both a database and what reads from it: parameters of either kind are called `db`.
  const db = Object.assign(tx, {
    name: kind,
    read: tx,
    hasManyWriters: kind === 'postgres',
    transact: (work) => work(tx),
    tasksAdded: async () => {},
  })
  const given = { db, tx, '...further': 1 }
  const anything = anythingOf(() => schema.columns.get(state.table) ?? [])
  for (const one of cases[name]?.(db) ?? [{}]) {
    const known = { ...given, ...one }
    const args = readParameters(made).map(({ name: parameter, optional }) => {
      if (Object.hasOwn(known, parameter)) return known[parameter]
      if (optional) return undefined
      return /s$/.test(parameter) ? [anything] : anything
    })
    const before = statements.length
    // Its next query may depend on whether there was a row.
    for (state.rows of [1, 0]) {
      try {
        const result = await made(...args)
        if (result?.[Symbol.asyncIterator]) for await (const _ of result) break
      } catch (error) {
        // It may fail on made-up rows; by then its statements are known.
        if (statements.length === before) throw error
      }
    }
  }
  if (statements.length === 0) throw new Error('it made no SQL')
  if (kind === 'sqlite') for (const statement of statements) await schema.mustKnow(statement)
  return [...new Set(statements)]
}

/** The names in the function's parameter list; a destructured one has none. */
function readParameters(made) {
  const text = made.toString().replace(/^async\s*/, '')
  const list = /^(\(|function)/.test(text)
    ? inside(text.slice(text.indexOf('(')))
    : text.split('=>')[0]
  return split(list).map((part) => ({
    name: part.split('=')[0].trim(),
    optional: /^\w+\s*=/.test(part),
  }))
}

/** The text between the first bracket and its partner. */
function inside(text) {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    if ('([{'.includes(text[at])) depth++
    if (')]}'.includes(text[at]) && --depth === 0) return text.slice(1, at)
  }
  return ''
}

function split(list) {
  const parts = ['']
  let depth = 0
  for (const letter of list) {
    if ('([{'.includes(letter)) depth++
    if (')]}'.includes(letter)) depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}

/**
 * Stands in for a text, a number, a list of one, or a row with every column of the table being
 * written.
 */
function anythingOf(columnsNow) {
  const listed = new Set([
    'map',
    'flatMap',
    'filter',
    'some',
    'every',
    'forEach',
    'slice',
    'entries',
    'join',
    'length',
    'includes',
  ])
  const anything = new Proxy(Object.create(null), {
    get: (_, name) => {
      if (name === Symbol.toPrimitive) return () => 1
      if (name === Symbol.iterator) return () => [anything].values()
      if (listed.has(name)) return typeof [][name] === 'function' ? [][name].bind([anything]) : 1
      // Properties that kysely and promises check to recognise their own objects.
      if (
        typeof name === 'symbol' ||
        ['then', 'toOperationNode', 'isAliasedExpression', 'expressionType'].includes(name)
      )
        return undefined
      return anything
    },
    ownKeys: () => columnsNow(),
    getOwnPropertyDescriptor: () => ({
      value: anything,
      enumerable: true,
      configurable: true,
      writable: true,
    }),
    has: () => true,
  })
  return anything
}

/**
 * A database that answers every statement with one made-up row or none, and records which table is
 * written.
 */
function openDummy(kind, told, state) {
  const [adapter, compiler] =
    kind === 'sqlite'
      ? [SqliteAdapter, SqliteQueryCompiler]
      : [PostgresAdapter, PostgresQueryCompiler]
  const row = new Proxy(
    {},
    { get: (_, column) => (typeof column === 'string' && column !== 'then' ? 1 : undefined) },
  )
  let left = 50
  const connection = {
    executeQuery: async ({ sql }) => {
      if (left-- === 0) throw new Error('it does not come to an end')
      told(sql)
      return { rows: state.rows ? [row] : [], numAffectedRows: BigInt(state.rows) }
    },
  }
  const nothing = async () => {}
  const driver = {
    init: nothing,
    acquireConnection: async () => connection,
    beginTransaction: nothing,
    commitTransaction: nothing,
    rollbackTransaction: nothing,
    releaseConnection: nothing,
    destroy: nothing,
  }
  const db = new Kysely({
    dialect: {
      createAdapter: () => new adapter(),
      createDriver: () => driver,
      createQueryCompiler: () => new compiler(),
      createIntrospector: () => ({}),
    },
  })
  for (const verb of ['insertInto', 'updateTable']) {
    const plain = db[verb].bind(db)
    db[verb] = (table) => {
      state.table = table
      return plain(table)
    }
  }
  return db
}

/**
 * A real database with the newest schema: it knows the columns, and whether a statement is valid.
 */
async function openSchema() {
  const [{ openDatabase }, { migrate }] = await Promise.all(
    ['store/open-database.js', 'store/migrate.js'].map(
      (name) => import(pathToFileURL(join(dist, name)).href),
    ),
  )
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-schema-'))
  const db = await openDatabase(`sqlite:${join(folder, 'schema.db')}`)
  await migrate(db, 0)
  const { rows } =
    await sql`select m.name as "table", c.name as "column" from sqlite_schema m, pragma_table_info(m.name) c
    where m.type = 'table' order by 1, c.cid`.execute(db.read)
  const columns = new Map()
  for (const { table, column } of rows) columns.set(table, [...(columns.get(table) ?? []), column])
  return {
    columns,
    mustKnow: async (statement) => {
      try {
        await db.read.executeQuery(CompiledQuery.raw(`explain ${statement}`))
      } catch (error) {
        throw new Error(`it made "${statement.slice(0, 100)} …": ${error.message}`)
      }
    },
    close: async () => {
      await db.close()
      rmSync(folder, { recursive: true })
    },
  }
}

function describe(title, sqlite, postgres, reasons) {
  const plain = (statements) => statements.map((sql) => sql.replace(/\$\d+/g, '?')).join(';')
  const why = (sql) => (reasons.has(sql) ? `-- No site: ${reasons.get(sql)}.\n` : '')
  const show = (statements) => statements.map((sql) => `${why(sql)}${broken(sql)};\n`).join('')
  if (plain(sqlite) === plain(postgres)) return `-- ${title}\n${show(sqlite)}`
  if (sqlite.length === 0) return `-- ${title} (PostgreSQL)\n${show(postgres)}`
  return `-- ${title} (SQLite)\n${show(sqlite)}-- ${title} (PostgreSQL)\n${show(postgres)}`
}

/** One line per clause. */
const broken = (sql) =>
  sql
    .replace(/\s+/g, ' ')
    .trim()
    .replace(
      / (from|where|order by|group by|having|limit|returning|on conflict|values|set|for update|(?:left |inner )?join) /g,
      '\n  $1 ',
    )

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  process.stdout.write(await allQueries())
