/**
 * Where the chains of the logs end, kept in the data folder of each node as well: whoever can write
 * to the database cannot take the newest rows, or all of them, out of a log unnoticed. A restore, a
 * move and a reset of the sandbox begin anew, which the database records under a seal
 * (`chains_since`).
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type ChainName, isSealed, sealOf } from './chain-links.ts'
import { readChains, rowsAfter, writeHead } from './chains.ts'
import type { Database, Db } from './database.ts'
import { readHubState, writeHubState } from './hub-state.ts'
import type { ChainRow } from './tables.ts'
import type { Vault } from './vault.ts'

type End = { readonly last: number; readonly hash: string }
export type StoredSeals = { readonly since: number; readonly key: string } & Partial<
  Record<ChainName, End>
>
type Store = { readonly db: Database; readonly vault: Vault }

const sinceName = 'chains_since'
const fileIn = (folder: string): string => join(folder, 'log-seals.json')
/** Hashes change with the master key. */
const keyOf = (vault: Vault): string =>
  vault.sign('chain', 'kept seals').toString('base64url').slice(0, 22)

export async function readStoredSeals(folder: string): Promise<StoredSeals | undefined> {
  try {
    return JSON.parse(await readFile(fileIn(folder), 'utf8')) as StoredSeals
  } catch {
    return undefined
  }
}

/**
 * Since when the chains are those of now; undefined if there is no such record, or not one of ours.
 */
export async function chainsSince(db: Db, vault: Vault): Promise<number | undefined> {
  const sealed = await readHubState(db, sinceName)
  try {
    return sealed === undefined ? undefined : Number(vault.open('chain', sealed))
  } catch {
    return undefined
  }
}

export const beginChains = (tx: Db, vault: Vault, now: number): Promise<void> =>
  writeHubState(tx, sinceName, vault.seal('chain', String(now)))

/**
 * Seals the empty chains of a new database, once. Where a node has seen rows, a missing record is
 * left for the check.
 */
export async function sealNewChains(
  { db, vault }: Store,
  folder: string,
  now: number,
): Promise<void> {
  if ((await readHubState(db.read, sinceName)) !== undefined || (await readStoredSeals(folder)))
    return
  await db.transact(async (tx) => {
    for (const head of await readChains(tx))
      if (head.seal === '' && head.last === 0)
        await writeHead(tx, { ...head, seal: sealOf(vault, head) })
    await beginChains(tx, vault, now)
  })
}

/**
 * Writes the file if the chains have grown. An end that lies before the kept one is evidence, and
 * stays.
 */
export async function keepSeals({ db, vault }: Store, folder: string): Promise<void> {
  const since = await chainsSince(db.read, vault)
  if (since === undefined) return
  const stored = await readStoredSeals(folder)
  if (stored && stored.since > since) return
  const heads = await readChains(db.read)
  const before = stored?.since === since ? stored : undefined
  const ends = Object.fromEntries(heads.map((head) => [head.name, endOf(vault, head, before)]))
  const next = JSON.stringify({ since, key: keyOf(vault), ...ends })
  if (next === JSON.stringify(stored)) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(`${fileIn(folder)}.new`, next, { mode: 0o600 })
  await rename(`${fileIn(folder)}.new`, fileIn(folder))
}

function endOf(vault: Vault, head: ChainRow, before: StoredSeals | undefined): End | undefined {
  const stored = before?.[head.name as ChainName]
  const isNewer = isSealed(vault, head) && head.last >= (stored?.last ?? 0)
  return isNewer ? { last: head.last, hash: head.hash } : stored
}

/** What the log lacks of what this node has seen of it, as a sentence. */
export async function findCut(
  { db, vault }: Store,
  folder: string,
  head: ChainRow,
): Promise<string | undefined> {
  const since = await chainsSince(db.read, vault)
  const stored = await readStoredSeals(folder)
  if (since === undefined)
    return (
      stored &&
      'The record of when it began is missing or changed, so it may have been replaced as a whole.'
    )
  const name = head.name as ChainName
  const end = stored?.since === since ? stored[name] : undefined
  if (!stored || !end) return undefined
  if (head.last < end.last)
    return `It ends with row ${head.last}, but this node has seen row ${end.last}: rows were removed, or the database is an older copy.`
  if (stored.key !== keyOf(vault) || end.last <= head.anchor) return undefined
  const [row] = await rowsAfter(db.read, name, end.last - 1, 1)
  return row && row.number === end.last && row.hash !== end.hash
    ? `Row ${end.last} is not the one that this node has seen.`
    : undefined
}
