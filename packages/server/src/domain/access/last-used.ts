/**
 * When a client last called, exact to an hour: written from the batches of the call log, at most
 * once an hour for each client, so that no call waits for it.
 */
import { LRUCache } from 'lru-cache'
import type { Hub } from '../../hub.ts'
import { perHub } from '../../process/caches.ts'
import { noteUse } from './client-rows.ts'

const hour = 3_600_000
const noted = perHub(() => new LRUCache<string, number>({ max: 10_000 }))

type Use = {
  readonly siteId?: string | undefined
  readonly clientId?: string | undefined
  readonly calledAt: number
}

export async function noteUses(hub: Hub, calls: readonly Use[]): Promise<void> {
  const known = noted(hub)
  const due = new Map<string, { siteId: string; clientId: string; at: number }>()
  for (const { siteId, clientId, calledAt } of calls) {
    if (siteId === undefined || clientId === undefined) continue
    const name = `${siteId}\n${clientId}`
    const last = known.get(name)
    // Math.abs: after a reset of the sandbox the clock is behind.
    if (last === undefined || Math.abs(calledAt - last) >= hour)
      due.set(name, { siteId, clientId, at: calledAt })
  }
  if (due.size === 0) return
  await hub.db.transact(async (tx) => {
    for (const [, { siteId, clientId, at }] of [...due].sort(([a], [b]) => (a < b ? -1 : 1)))
      await noteUse(tx, siteId, clientId, { at, before: at - hour })
  })
  for (const [name, { at }] of due) known.set(name, at)
}
