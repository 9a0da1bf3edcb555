/** The query plans of a database for the queries that a function makes. */
import { type CompiledQuery, sql } from 'kysely'
import { expect } from 'vitest'
import type { Database, Db } from '../packages/server/src/store/database.ts'

type Options = {
  /** Only the queries whose text matches. */
  readonly only?: RegExp
  /**
   * Plan types that PostgreSQL may not use. On a small table it prefers a sort or a scan to an
   * index; the test checks whether an index would do.
   */
  readonly without?: readonly ('sort' | 'seqscan' | 'bitmapscan')[]
}

export async function plansOf(
  db: Database,
  ask: (db: Db) => Promise<unknown>,
  { only, without = [] }: Options = {},
): Promise<string> {
  const queries: CompiledQuery[] = []
  const executor = db.read.getExecutor()
  const watched = db.read.withPlugin({
    transformQuery: ({ node, queryId }) => {
      queries.push(executor.compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await ask(watched)
  const asked = queries.filter(({ sql: text }) => !only || only.test(text))
  expect(asked.length).toBeGreaterThan(0)
  return db.transact(async (tx) => {
    if (db.name === 'postgres')
      for (const way of without) await sql.raw(`set local enable_${way} = off`).execute(tx)
    const plans: string[] = []
    for (const query of asked) plans.push(await planOf(db, tx, query))
    return plans.join('\n')
  })
}

export async function planOf(
  { name }: Database,
  db: Db,
  { sql: text, parameters }: CompiledQuery,
): Promise<string> {
  const explain = `${name === 'sqlite' ? 'explain query plan' : 'explain'} ${text}`
  const { rows } = await db.executeQuery<object>({
    ...sql`x`.compile(db),
    sql: explain,
    parameters,
  })
  return rows.map((row) => Object.values(row).join(' ')).join('\n')
}
