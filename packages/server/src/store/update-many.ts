/** Many rows of one table changed in one statement: some columns alike in all of them, some in each its own. */
import type { Insertable } from 'kysely'
import type { Db, Engine } from './engine.ts'
import { type ColumnsOf, givenRows, type ValueType } from './insert-many.ts'
import type { Tables } from './tables.ts'

type Row<T extends keyof Tables> = Partial<Insertable<Tables[T]>>
type Name<T extends keyof Tables> = keyof ColumnsOf<T> & string
export type UpdateMany<T extends keyof Tables> = (
  engine: Engine,
  db: Db,
  /** One value for each column of `within`. */
  place: readonly string[],
  alike: Row<T>,
  /** All with the same columns, the key among them. */
  own: readonly Row<T>[],
) => Promise<void>

/** The rows are those with the given keys within one of something: requests of one job of one site. */
export function updateMany<T extends keyof Tables>(
  table: T,
  columns: ColumnsOf<T>,
  within: readonly Name<T>[],
  key: Name<T>,
): UpdateMany<T> {
  const types: Readonly<Record<string, ValueType>> = columns
  const made = new Map<string, ReturnType<typeof givenRows>>()
  const write = (engine: Engine, alike: readonly string[], own: readonly string[]) => {
    const mark = (name: string, at: number) => (engine.name === 'postgres' ? `$${at + 1}::${types[name]}` : '?')
    const set = [
      ...alike.map((name, at) => `${name} = ${mark(name, at)}`),
      ...own.filter((name) => name !== key).map((name) => `${name} = given.${name}`),
    ].join(', ')
    const places = within.map((name, at) => `${table}.${name} = ${mark(name, alike.length + at)}`)
    const where = [...places, `${table}.${key} = given.${key}`].join(' and ')
    const named = own.map((name, at) => `column${at + 1} as ${name}`).join(', ')
    return givenRows(Object.fromEntries(own.map((name) => [name, types[name] ?? 'text'])), (rows, count) => {
      const given = count === 'any' ? rows : `(select ${named} from (${rows})) as given`
      return `update ${table} set ${set} from ${given} where ${where}`
    })
  }
  return async (engine, db, place, alike, own) => {
    if (own.length === 0) return
    const names = Object.keys(own[0] ?? {})
    const form = `${engine.name} ${Object.keys(alike)} ${names}`
    const statements = made.get(form) ?? write(engine, Object.keys(alike), names)
    made.set(form, statements)
    const around = { before: Object.values(alike), after: place }
    for (const statement of statements(engine, own, around)) await db.executeQuery(statement)
  }
}
