/**
 * Checks that no row of the call log or audit log was changed, removed, added or cut off. It reads
 * every row beside a running hub; rows that the hub prunes meanwhile are not reported.
 */
import type { Hub } from '../../../hub.ts'
import { type ChainName, isLinked, isSealed } from '../../../store/chain-links.ts'
import { readChain, rowsAfter } from '../../../store/chains.ts'
import { findCut } from '../../../store/stored-seals.ts'
import type { ChainRow } from '../../../store/tables.ts'
import { strayRow } from './check-chain-rows.ts'
import { type CheckRun, type Fault, fault } from './check-run.ts'

const page = 1_000
/** How a finding names a row. */
const things = { calls: 'call', audit: 'act' } as const
const logs = { calls: 'call log', audit: 'audit log' } as const

export const findBrokenCalls = (hub: Hub, run: CheckRun): Promise<Fault[]> =>
  findBroken(hub, run, 'calls')
export const findBrokenAudit = (hub: Hub, run: CheckRun): Promise<Fault[]> =>
  findBroken(hub, run, 'audit')

async function findBroken(hub: Hub, run: CheckRun, name: ChainName): Promise<Fault[]> {
  const head = await readChain(hub.db.read, name)
  if (!head) return [fault(null, logs[name], 'Its head is missing: the log cannot be verified.')]
  run.heads[logs[name]] = { last: head.last, hash: head.hash }
  const found: Fault[] = []
  if (!isSealed(hub.vault, head))
    found.push(fault(null, logs[name], 'Its head was changed: it does not match its seal.'))
  const cut = await findCut(hub, hub.config.data, head)
  if (cut !== undefined) found.push(fault(null, logs[name], cut))
  for (const one of await walk(hub, head)) found.push(one)
  const stray = await strayRow(hub.db.read, name)
  if (stray !== undefined)
    found.push(
      fault(
        null,
        `${things[name]} ${stray}`,
        'The row is outside the ends of the log, so it cannot be verified.',
      ),
    )
  return found
}

/** The first row that does not follow the one before it. */
async function walk(hub: Hub, { last, anchor, anchor_hash, ...head }: ChainRow): Promise<Fault[]> {
  const name = head.name as ChainName
  let at = { number: anchor, hash: anchor_hash }
  /** Whether the hub pruned the next rows; if so, continues after them. */
  const wasPruned = async (): Promise<boolean> => {
    const now = await readChain(hub.db.read, name)
    if (!now || now.anchor <= at.number) return false
    at = { number: now.anchor, hash: now.anchor_hash }
    return true
  }
  while (at.number < last) {
    const before = at.number
    for (const { number, hash, row } of await rowsAfter(hub.db.read, name, at.number, page)) {
      if (number > last) break
      const follows = number === at.number + 1 && isLinked(hub.vault, { name, hash: at.hash }, row)
      if (!follows && (await wasPruned())) break
      if (number > at.number + 1)
        return [fault(null, `${things[name]} ${number}`, missing(at.number + 1, number - 1))]
      if (!follows)
        return [
          fault(
            null,
            `${things[name]} ${number}`,
            'The row was changed, or the row before it is not the original one.',
          ),
        ]
      at = { number, hash }
    }
    if (at.number === before && !(await wasPruned()))
      return [
        fault(
          null,
          logs[name],
          `The newest rows are missing: the log ends with row ${at.number}, its head says ${last}.`,
        ),
      ]
  }
  return []
}

const missing = (from: number, to: number): string =>
  from === to
    ? `The row before it, ${from}, is missing.`
    : `The rows before it, ${from} to ${to}, are missing.`
