/** SQL of everything that is sealed under the master key. No site: the key belongs to the hub. */

import { sql } from 'kysely'
import type { ChainName } from '../../store/chain-links.ts'
import type { Db } from '../../store/engine.ts'
import { isPostgres } from '../../store/lock.ts'
import { onRows } from '../../store/many-rows.ts'
import type { Purpose } from '../../store/vault.ts'

/** A column of sealed texts, the columns of its table's key, and what the texts are sealed for. */
export type SealedColumn = {
  readonly table: string
  readonly key: readonly string[]
  readonly column: string
  readonly purpose: Purpose
}

/** A provider's config is JSON with sealed values in it; its column stands apart. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'signing_keys', key: ['kid'], column: 'sealed_private', purpose: 'signing-key' },
  { table: 'listeners', key: ['listener_id'], column: 'sealed_secret', purpose: 'listener' },
  { table: 'listeners', key: ['listener_id'], column: 'sealed_old_secret', purpose: 'listener' },
  { table: 'site_keys', key: ['site_id', 'version'], column: 'sealed_key', purpose: 'site-key' },
  { table: 'idempotency', key: ['site_id', 'client_id', 'path', 'key'], column: 'answer', purpose: 'answer' },
]

const page = 500
type SealedRow = Record<string, string | number>

type ColumnOfTable = Pick<SealedColumn, 'table' | 'key' | 'column'>

/** Every value of the column, in pages. A row may be changed while it is visited. */
export async function* valuesOf(
  tx: Db,
  place: ColumnOfTable,
): AsyncGenerator<{ readonly key: readonly (string | number)[]; readonly value: string }> {
  const { table, key, column } = place
  const names = sql.join(key.map((name) => sql.ref(name)))
  let after: readonly (string | number)[] | undefined
  for (;;) {
    const beyond = after ? sql`and (${names}) > (${sql.join(after)})` : sql``
    const { rows } = await sql<SealedRow>`select ${names}, ${sql.ref(column)} as value from ${sql.table(table)}
      where ${sql.ref(column)} is not null ${beyond} order by ${names} limit ${page}`.execute(tx)
    for (const row of rows) {
      after = key.map((name) => row[name] ?? '')
      yield { key: after, value: String(row.value) }
    }
    if (rows.length < page) return
  }
}

export async function writeValue(
  tx: Db,
  place: ColumnOfTable,
  at: readonly (string | number)[],
  value: string,
): Promise<void> {
  const { table, key, column } = place
  const where = sql.join(
    key.map((name, index) => sql`${sql.ref(name)} = ${at[index]}`),
    sql` and `,
  )
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ${where}`.execute(tx)
}

const hashes = { number: 'bigint', hash: 'text' } as const
const writeCalls = onRows<typeof hashes, never>(
  hashes,
  ({ among }) =>
    `update calls set hash = given.hash from given where calls.call_id = given.number${among('calls.call_id', 'number')}`,
)
const writeAudit = onRows<typeof hashes, never>(
  hashes,
  ({ among }) =>
    `update audit set hash = given.hash from given where audit.audit_id = given.number${among('audit.audit_id', 'number')}`,
)

export async function writeHashes(
  tx: Db,
  name: ChainName,
  links: readonly { readonly number: number; readonly hash: string }[],
): Promise<void> {
  if (links.length > 0) await { calls: writeCalls, audit: writeAudit }[name](tx, links)
}

export async function writeErased(tx: Db, name: ChainName, number: number, erased: string): Promise<void> {
  if (name === 'calls') await tx.updateTable('calls').set({ erased }).where('call_id', '=', number).execute()
  else await tx.updateTable('audit').set({ erased }).where('audit_id', '=', number).execute()
}

/** Nodes seen since then. Until the transaction ends no other can sign on; on SQLite the transaction is alone anyway. */
export async function countNodesAlone(tx: Db, since: number): Promise<number> {
  if (isPostgres(tx)) await sql`lock table nodes in share row exclusive mode`.execute(tx)
  const { many } = await tx
    .selectFrom('nodes')
    .select((eb) => eb.fn.countAll<number>().as('many'))
    .where('seen_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(many)
}
