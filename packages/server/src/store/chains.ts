/**
 * Chains of rows: extended at one end, pruned at the other. The head is one row; extending or
 * pruning locks it until the transaction ends, so nodes take turns. It records the newest row and
 * the newest pruned row (the anchor), under a seal: rows removed at either end are detected.
 */
import type { Selectable } from 'kysely'
import {
  type ChainName,
  type Head,
  isSealed,
  linkedColumns,
  linkOf,
  sealOf,
} from './chain-links.ts'
import type { Database, Db } from './database.ts'
import { lock } from './lock.ts'
import type { ChainRow, Tables } from './tables.ts'
import type { Vault } from './vault.ts'

type Store = { readonly db: Database; readonly vault: Vault }
type TableRow<N extends ChainName> = Selectable<Tables[N]>
const numbers = { calls: 'call_id', audit: 'audit_id' } as const

/**
 * The previous hash if the head does not match its seal: no row has this hash, so the break stays
 * visible.
 */
const broken = 'broken'

/**
 * Writes numbers and hashes into the rows and moves the head; the caller inserts them in the same
 * transaction.
 */
export async function extendChain<N extends ChainName>(
  store: Store,
  tx: Db,
  name: N,
  rows: readonly TableRow<N>[],
): Promise<Head> {
  const before = await lockChain(tx, name)
  let { last, bytes } = before
  let hash = isSealed(store.vault, before) ? before.hash : broken
  const number = numbers[name]
  // All rows of a table have the same columns.
  const columns = linkedColumns(rows[0] ?? {})
  for (const row of rows as readonly Linked[]) {
    last += 1
    row[number] = last
    hash = linkOf(store.vault, { name, hash }, row, columns)
    row.hash = hash
    bytes += row.bytes ?? 0
  }
  const head = { ...before, last, hash, bytes }
  await writeHead(tx, { ...head, seal: sealOf(store.vault, head) })
  return head
}

type Linked = { call_id?: number; audit_id?: number; hash: string; bytes?: number }

/**
 * The newest row to prune, and the bytes of all pruned rows; the caller deletes them in the same
 * transaction.
 */
export type Cut = { readonly number: number; readonly hash: string; readonly bytes: number }

/** A head that does not match its seal is not sealed again here. */
export async function cutChain(store: Store, tx: Db, before: ChainRow, cut: Cut): Promise<Head> {
  const head = {
    ...before,
    anchor: cut.number,
    anchor_hash: cut.hash,
    bytes: before.bytes - cut.bytes,
  }
  await writeHead(
    tx,
    isSealed(store.vault, before) ? { ...head, seal: sealOf(store.vault, head) } : head,
  )
  return head
}

/** The head, locked until the transaction ends. */
export async function lockChain(tx: Db, name: ChainName): Promise<ChainRow> {
  const query = tx.selectFrom('chains').selectAll().where('name', '=', name)
  const row = await lock(tx, query).executeTakeFirst()
  if (!row) throw new Error(`The head of the chain "${name}" is gone; see dragoman check.`)
  return row
}

export async function writeHead(tx: Db, row: ChainRow): Promise<void> {
  const { name, ...head } = row
  await tx.updateTable('chains').set(head).where('name', '=', name).execute()
}

export function readChain(db: Db, name: ChainName): Promise<ChainRow | undefined> {
  return db.selectFrom('chains').selectAll().where('name', '=', name).executeTakeFirst()
}

/** The heads of all chains. */
export const readChains = (db: Db): Promise<ChainRow[]> =>
  db.selectFrom('chains').selectAll().execute()

/** Resets the chains, for a sandbox that forgets everything. */
export async function resetChains(vault: Vault, tx: Db): Promise<void> {
  for (const name of Object.keys(numbers)) {
    const head = { name, last: 0, hash: '', anchor: 0, anchor_hash: '', bytes: 0 }
    await writeHead(tx, { ...head, seal: sealOf(vault, head) })
  }
}

export type ChainedRow = {
  readonly number: number
  readonly hash: string
  readonly row: { readonly hash: string; readonly erased: string | null }
}

/** Rows of the chain in order. No site: a chain covers all sites. */
export async function rowsAfter(
  db: Db,
  name: ChainName,
  after: number,
  many: number,
): Promise<ChainedRow[]> {
  if (name === 'calls') {
    const query = db
      .selectFrom('calls')
      .selectAll()
      .where('call_id', '>', after)
      .orderBy('call_id')
      .limit(many)
    return (await query.execute()).map((row) => ({ number: row.call_id, hash: row.hash, row }))
  }
  const query = db
    .selectFrom('audit')
    .selectAll()
    .where('audit_id', '>', after)
    .orderBy('audit_id')
    .limit(many)
  return (await query.execute()).map((row) => ({ number: row.audit_id, hash: row.hash, row }))
}
