/**
 * Replaces the master key: everything sealed under the old one is sealed under the new one, in one
 * transaction or not at all, while no node runs. Before the transaction ends every value is opened
 * again with the new key.
 */
import { ConfigError } from '../../../config/config.ts'
import type { Hub } from '../../../hub.ts'
import {
  type ChainName,
  erasedProof,
  isLinked,
  isSealed,
  linkOf,
  sealOf,
} from '../../../store/chain-links.ts'
import { lockChain, rowsAfter, writeHead } from '../../../store/chains.ts'
import type { Db } from '../../../store/database.ts'
import { valuesOf } from '../../../store/every-row.ts'
import { carriedName, vaultCheckName, writeHubState } from '../../../store/hub-state.ts'
import { beginChains, chainsSince } from '../../../store/stored-seals.ts'
import { openVault, type Vault } from '../../../store/vault.ts'
import { commandLine, recordActs } from '../../access/audit/record-acts.ts'
import { reseal, sealedNames } from '../../engines/drivers/sealed-config.ts'
import * as rows from './sealed-value-rows.ts'

export type Replaced = { readonly values: number; readonly links: number }

/** Nodes write a heartbeat every few seconds. */
const seenMs = 60_000

/** `hub` is open under the old key. */
export async function replaceMasterKey(hub: Hub, to: Buffer): Promise<Replaced> {
  const carried = hub.vault.carry()
  const vault = openVault(to, carried)
  const replaced = await hub.db.transact(async (tx) => {
    const nodes = await rows.countNodesAlone(tx, hub.clock.now() - seenMs)
    if (nodes > 0)
      throw new ConfigError(
        `${nodes} node(s) of this hub were seen within the last minute: stop them and try again, after a minute if they were killed. Nothing was changed.`,
      )
    const values =
      (await resealColumns(tx, hub.vault, vault)) + (await resealConfigs(tx, hub.vault, vault))
    // The act is written under the old key and linked anew with the rows before it.
    await recordActs(hub, tx, commandLine(), [
      { thing: 'master key', verb: 'replaced', id: 'master key' },
    ])
    const links =
      (await relink(tx, hub.vault, vault, 'calls')) + (await relink(tx, hub.vault, vault, 'audit'))
    const since = await chainsSince(tx, hub.vault)
    if (since !== undefined) await beginChains(tx, vault, since)
    await writeHubState(tx, vaultCheckName, vault.seal('check', 'dragoman'))
    await writeHubState(tx, carriedName, vault.sealCarried())
    await mustOpen(tx, vault)
    return { values, links }
  })
  return replaced
}

async function resealColumns(tx: Db, from: Vault, to: Vault): Promise<number> {
  let many = 0
  for (const column of rows.sealedColumns)
    for await (const { key, value } of valuesOf(tx, column)) {
      const plain = opened(
        () => from.open(column.purpose, value),
        `${column.table} ${key.join(' ')}`,
      )
      await rows.writeValue(tx, column, key, to.seal(column.purpose, plain))
      many += 1
    }
  return many
}

const configs = { table: 'providers', key: ['provider_id'], column: 'config' } as const

async function resealConfigs(tx: Db, from: Vault, to: Vault): Promise<number> {
  let many = 0
  for await (const { key, value } of valuesOf(tx, configs)) {
    const names = sealedNames(value)
    if (names.length === 0) continue
    await rows.writeValue(
      tx,
      configs,
      key,
      opened(() => reseal(from, to, value), `providers ${key.join(' ')}`),
    )
    many += names.length
  }
  return many
}

function opened<T>(open: () => T, what: string): T {
  try {
    return open()
  } catch {
    throw new ConfigError(
      `A sealed value cannot be opened (${what}). Nothing was changed; see dragoman check.`,
    )
  }
}

const page = 1_000

/**
 * Gives every row a hash under the new key. A row that was tampered with keeps its hash, so that it
 * is still found.
 */
async function relink(tx: Db, from: Vault, to: Vault, name: ChainName): Promise<number> {
  const head = await lockChain(tx, name)
  let before = { number: head.anchor, old: head.anchor_hash, hash: head.anchor_hash }
  let many = 0
  for (;;) {
    const found = await rowsAfter(tx, name, before.number, page)
    const erased: { number: number; proof: string }[] = []
    const links = found.map(({ number, hash: old, row }) => {
      const isRight =
        number === before.number + 1 && isLinked(from, { name, hash: before.old }, row)
      before = { number, old, hash: isRight ? linkOf(to, { name, hash: before.hash }, row) : old }
      const { hash } = before
      if (isRight && row.erased !== null)
        erased.push({ number, proof: erasedProof(to, name, { ...row, hash }) })
      return { number, hash }
    })
    await rows.writeHashes(tx, name, links)
    for (const { number, proof } of erased) await rows.writeErased(tx, name, number, proof)
    many += links.length
    if (found.length < page) break
  }
  const isWhole = isSealed(from, head) && head.last === before.number && head.hash === before.old
  if (isWhole && head.seal !== '') {
    const moved = { ...head, hash: before.hash }
    await writeHead(tx, { ...moved, seal: sealOf(to, moved) })
  }
  return many
}

/** Reads everything once more; throws, and so undoes everything, if a value does not open. */
async function mustOpen(tx: Db, vault: Vault): Promise<void> {
  for (const column of rows.sealedColumns)
    for await (const { key, value } of valuesOf(tx, column))
      opened(() => vault.open(column.purpose, value), `${column.table} ${key.join(' ')}`)
  for await (const { key, value } of valuesOf(tx, configs))
    opened(() => reseal(vault, vault, value), `providers ${key.join(' ')}`)
}
