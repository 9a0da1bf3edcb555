/** What long lists missed while they were not shown: they are too long to be read again when a person comes back to them. */
import type { StreamEvent } from '@dragoman/contract/wire'
import type { Query } from '@tanstack/react-query'
import type { CallName } from '../hub.ts'

/** By the cached read; only for lists that catch up by events. A list that is not here is read again. */
export const missed = new WeakMap<object, readonly StreamEvent[]>()

const maxEvents = 200
/** Their rows never change, so new rows are all they can miss. */
const fixed: ReadonlySet<string> = new Set<CallName>(['listCalls', 'listAudit'])

export function addMissed(read: Query, events: readonly StreamEvent[]): void {
  const before = missed.get(read)
  if (!before || events.length === 0) return
  const all = [...before, ...events]
  if (fixed.has(String(read.queryKey[0]))) missed.set(read, all.slice(-1))
  // Any row may have changed.
  else if (all.length > maxEvents || events.some(({ id }) => id === undefined)) missed.delete(read)
  else missed.set(read, all)
}
