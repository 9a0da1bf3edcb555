/**
 * Limits concurrent calls to one engine. The limit is per node, so several nodes make that many
 * more calls.
 */

import type { Hub } from '../../../hub.ts'
import { perHub } from '../../../process/caches.ts'

type Gate = { running: number; readonly waiting: (() => void)[] }
const gatesOf = perHub(() => new Map<string, Gate>())

export async function throughGate<T>(
  hub: Hub,
  name: string,
  max: number,
  act: () => Promise<T>,
): Promise<T> {
  const all = gatesOf(hub)
  const gate = all.get(name) ?? { running: 0, waiting: [] }
  all.set(name, gate)
  if (gate.running < max) gate.running += 1
  else await new Promise<void>((resolve) => gate.waiting.push(resolve))
  try {
    return await act()
  } finally {
    // The longest waiting call takes over the slot.
    const next = gate.waiting.shift()
    if (next) next()
    else gate.running -= 1
    if (gate.running === 0) all.delete(name)
  }
}
