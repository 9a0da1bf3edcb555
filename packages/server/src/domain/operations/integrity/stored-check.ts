/**
 * What the last check found, kept with the hub's state, so that the findings show it until the next
 * check. The list is bounded; a check that reads no bytes keeps what an earlier one found in them.
 */
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { readHubState, writeHubState } from '../../../store/hub-state.ts'
import type { CheckFinding } from './check-run.ts'

export type StoredFinding = Pick<CheckFinding, 'check' | 'siteId' | 'what' | 'says' | 'advice'>
export type StoredCheck = {
  readonly at: number
  readonly findings: readonly StoredFinding[]
  readonly more: number
}

const name = 'last_check'
const maxStored = 100
/** The findings show these themselves, as they are now. */
const notStored = new Set(['parked tasks', 'leases'])
const ofBytes = 'file bytes'

export async function keepCheck(
  hub: Hub,
  findings: readonly CheckFinding[],
  fast: boolean,
): Promise<void> {
  await hub.db.transact(async (tx) => {
    const before = fast
      ? ((await lastCheck(tx))?.findings ?? []).filter(({ check }) => check === ofBytes)
      : []
    const known = new Set(findings.map(({ check, what }) => `${check} ${what}`))
    const all: StoredFinding[] = [
      ...findings.filter(({ check }) => !notStored.has(check)),
      ...before.filter(({ check, what }) => !known.has(`${check} ${what}`)),
    ]
    const stored = all
      .slice(0, maxStored)
      .map(({ check, siteId, what, says, advice }) => ({ check, siteId, what, says, advice }))
    await writeHubState(
      tx,
      name,
      JSON.stringify({ at: hub.clock.now(), findings: stored, more: all.length - stored.length }),
    )
  })
}

export async function lastCheck(db: Db): Promise<StoredCheck | undefined> {
  const text = await readHubState(db, name)
  return text === undefined ? undefined : (JSON.parse(text) as StoredCheck)
}
