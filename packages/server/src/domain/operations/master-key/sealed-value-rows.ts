/** SQL of everything that is sealed under the master key. No site: the key belongs to the hub. */

import { sql } from 'kysely'
import type { ChainName } from '../../../store/chain-links.ts'
import type { Db } from '../../../store/database.ts'
import type { SealedPlace } from '../../../store/every-row.ts'
import { isPostgres } from '../../../store/lock.ts'
import { onRows } from '../../../store/many-rows.ts'
import type { Purpose } from '../../../store/vault.ts'
import { noteColumns } from '../../files/seals/notes.ts'

/** A column of sealed texts, and what they are sealed for. */
export type SealedColumn = SealedPlace & { readonly purpose: Purpose }

/** A provider's config is JSON with sealed values in it; its column stands apart. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'signing_keys', key: ['kid'], column: 'sealed_private', purpose: 'signing-key' },
  { table: 'listeners', key: ['listener_id'], column: 'sealed_secret', purpose: 'listener' },
  { table: 'listeners', key: ['listener_id'], column: 'sealed_old_secret', purpose: 'listener' },
  { table: 'site_keys', key: ['site_id', 'version'], column: 'sealed_key', purpose: 'site-key' },
  {
    table: 'idempotency',
    key: ['site_id', 'client_id', 'path', 'key'],
    column: 'answer',
    purpose: 'answer',
  },
  ...noteColumns.map((column) => ({ ...column, purpose: 'note' }) as const),
]

export async function writeValue(
  tx: Db,
  place: SealedPlace,
  at: readonly (string | number)[],
  value: string,
): Promise<void> {
  const { table, key, column, prefix = '' } = place
  const where = sql.join(
    key.map((name, index) => sql`${sql.ref(name)} = ${at[index]}`),
    sql` and `,
  )
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${prefix + value} where ${where}`.execute(
    tx,
  )
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

export async function writeErased(
  tx: Db,
  name: ChainName,
  number: number,
  erased: string,
): Promise<void> {
  if (name === 'calls')
    await tx.updateTable('calls').set({ erased }).where('call_id', '=', number).execute()
  else await tx.updateTable('audit').set({ erased }).where('audit_id', '=', number).execute()
}

/**
 * Nodes seen since then. Until the transaction ends no other can sign on; on SQLite the transaction
 * is alone anyway.
 */
export async function countNodesAlone(tx: Db, since: number): Promise<number> {
  if (isPostgres(tx)) await sql`lock table nodes in share row exclusive mode`.execute(tx)
  const { many } = await tx
    .selectFrom('nodes')
    .select((eb) => eb.fn.countAll<number>().as('many'))
    .where('seen_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(many)
}
