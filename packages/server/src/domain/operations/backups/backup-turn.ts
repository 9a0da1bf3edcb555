/**
 * One backup of a hub at a time: two would remove each other's files when they prune. The turn is a
 * row with a time limit; a turn of a process of this machine that has ended is void at once.
 */
import { hostname } from 'node:os'
import type { Hub } from '../../../hub.ts'
import type { Db } from '../../../store/database.ts'
import { lockHubState, writeHubState } from '../../../store/hub-state.ts'
import { Refusal } from '../../../store/refusal.ts'

const state = 'backup_running'
const turnMs = 120_000

type Turn = { readonly host: string; readonly pid: number; readonly until: number }

/** Returns a function that ends the turn. */
export async function takeTurn(hub: Hub): Promise<() => Promise<void>> {
  const write = (tx: Db) => {
    const turn: Turn = { host: hostname(), pid: process.pid, until: hub.clock.now() + turnMs }
    return writeHubState(tx, state, JSON.stringify(turn))
  }
  await hub.db.transact(async (tx) => {
    const held = await lockHubState(tx, state)
    if (held && isRunning(JSON.parse(held) as Turn, hub.clock.now()))
      throw new Refusal('Another backup of this hub is running. Wait until it has ended.')
    await write(tx)
  })
  const timer = setInterval(() => hub.db.transact(write).catch(() => {}), turnMs / 4).unref()
  return async () => {
    clearInterval(timer)
    await hub.db.transact(dropTurn)
  }
}

/** Also in a copy of the database, where the turn never ends by itself. */
export const dropTurn = (tx: Db): Promise<void> => writeHubState(tx, state, '')

function isRunning({ host, pid, until }: Turn, now: number): boolean {
  if (host !== hostname()) return until > now
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
