/**
 * So many calls at once to one engine, whatever runs beside each other here. Each node has a gate of its own: several nodes
 * call as many times more.
 */
import { perHub } from '../../../caches.ts'
import type { Hub } from '../../../hub.ts'

type Gate = { running: number; readonly waiting: (() => void)[] }
const gatesOf = perHub(() => new Map<string, Gate>())

export async function throughGate<T>(hub: Hub, name: string, most: number, act: () => Promise<T>): Promise<T> {
  const all = gatesOf(hub)
  const gate = all.get(name) ?? { running: 0, waiting: [] }
  all.set(name, gate)
  if (gate.running < most) gate.running += 1
  else await new Promise<void>((resolve) => gate.waiting.push(resolve))
  try {
    return await act()
  } finally {
    // Who waited longest takes the place over as it is.
    const next = gate.waiting.shift()
    if (next) next()
    else gate.running -= 1
    if (gate.running === 0) all.delete(name)
  }
}
