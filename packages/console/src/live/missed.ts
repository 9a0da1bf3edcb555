/** What long lists missed while they were not shown: they are too long to be read again when a person comes back to them. */
import type { StreamEvent } from '@dragoman/contract/wire'

/** By the cached read; only for lists that catch up by events. */
export const missed = new WeakMap<object, readonly StreamEvent[]>()

const maxEvents = 200

export function addMissed(read: object, events: readonly StreamEvent[]): void {
  const before = missed.get(read)
  if (before && events.length > 0) missed.set(read, [...before, ...events].slice(-maxEvents))
}
