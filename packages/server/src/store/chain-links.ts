/**
 * Makes a log tamper-evident: each row has a hash over itself and the previous hash, and the head
 * of the chain has a seal. Both use a key derived from the master key, so somebody who can write to
 * the database, but does not have that key, cannot forge them.
 */
import type { ChainRow } from './tables.ts'
import type { Vault } from './vault.ts'

export type ChainName = 'calls' | 'audit'
export type Head = Omit<ChainRow, 'seal'>

/** The columns that the hash covers, in a fixed order. */
export const linkedColumns = (row: object): readonly string[] =>
  Object.keys(row)
    .filter((name) => name !== 'hash' && name !== 'erased')
    .sort()

/**
 * The hash of a row that follows the one whose hash is `after.hash`. Null columns do not count, so
 * that columns can be added.
 */
export function linkOf(
  vault: Vault,
  after: { readonly name: string; readonly hash: string },
  row: object,
  columns: readonly string[] = linkedColumns(row),
): string {
  const values = row as Readonly<Record<string, string | number | null>>
  let text = `row ${after.name}\n${after.hash}\n`
  for (const column of columns) {
    const value = values[column]
    if (value === null || value === undefined) continue
    // Prefixed with its length, so that no two rows give the same text.
    const said = typeof value === 'string' ? value : String(value)
    text += `${column} ${said.length} ${said}\n`
  }
  return vault.digest('chain', text)
}

type LinkedRow = { readonly hash: string; readonly erased?: string | null }

/**
 * What stands for the content of a row that the hub erased: it covers what is left of the row, and
 * the row's hash.
 */
export const erasedProof = (vault: Vault, name: ChainName, row: LinkedRow): string =>
  linkOf(vault, { name: `erased ${name}`, hash: row.hash }, row)

/** Whether the row follows the one with this hash, or was erased by the hub. */
export function isLinked(
  vault: Vault,
  after: { readonly name: ChainName; readonly hash: string },
  row: LinkedRow,
) {
  if (row.erased === null || row.erased === undefined) return row.hash === linkOf(vault, after, row)
  return row.erased === erasedProof(vault, after.name, row)
}

export const sealOf = (
  vault: Vault,
  { name, last, hash, anchor, anchor_hash, bytes }: Head,
): string =>
  vault
    .sign('chain', JSON.stringify([name, last, hash, anchor, anchor_hash, bytes]))
    .toString('base64url')

/**
 * A chain without rows is sealed as well, so that one whose rows were all removed is told from it.
 */
export const isSealed = (vault: Vault, head: ChainRow): boolean => head.seal === sealOf(vault, head)
