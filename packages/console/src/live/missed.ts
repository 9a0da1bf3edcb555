/**
 * What long lists missed while they were not shown: they are too long to be read again when a
 * person comes back to them.
 */
import type { StreamEvent } from '@dragoman/contract/wire'
import type { Query } from '@tanstack/react-query'
import type { CallName } from '../hub.ts'

/**
 * By the cached read, only for lists that catch up by events. After `'any'`, any row may have
 * changed.
 */
export const missed = new WeakMap<object, readonly StreamEvent[] | 'any'>()

const maxEvents = 200
/** Their rows never change, so new rows are all they can miss. */
const fixed: ReadonlySet<string> = new Set<CallName>(['listCalls', 'listAudit'])

export function addMissed(read: Query, events: readonly StreamEvent[]): void {
  const before = missed.get(read)
  if (!before || before === 'any' || events.length === 0) return
  const all = [...before, ...events]
  if (fixed.has(String(read.queryKey[0]))) missed.set(read, all.slice(-1))
  else
    missed.set(read, all.length > maxEvents || all.some(({ id }) => id === undefined) ? 'any' : all)
}

/**
 * Whether a list is read when a person comes back to it; if it caught up by events, it needs no
 * more.
 */
export function readsAgain(read: Query): boolean | 'always' {
  const events = missed.get(read)
  return events === 'any' ? 'always' : !events
}
