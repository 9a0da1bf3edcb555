/**
 * Limits the weight of concurrent work, fairly: waiting groups take turns, the group with the least
 * inside first. One group has at most `maxOfOne` inside, so that there is room for another.
 */
export type Gate = {
  /** Waits until there is room for this weight; call the result once, when the work is done. */
  enter(group: string, weight: number): Promise<() => void>
  /** The weight inside now, of one group or of all. */
  inside(group?: string): number
}

type Waiting = { readonly weight: number; readonly enter: (leave: () => void) => void }
/** `served` is the number of its last turn. */
type Group = { inside: number; served: number; readonly line: Waiting[] }

export function openGate(max: number, maxOfOne: number = max): Gate {
  const groups = new Map<string, Group>()
  let inside = 0
  let turns = 0

  const fits = (group: Group, { weight }: Waiting): 'yes' | 'not for it' | 'not now' => {
    if (group.inside > 0 && group.inside + weight > maxOfOne) return 'not for it'
    // Work heavier than the gate runs alone.
    return inside === 0 || inside + weight <= max ? 'yes' : 'not now'
  }

  /**
   * The next to enter. Work that has no room yet is not overtaken, or small work would keep large
   * work out for ever.
   */
  const next = (): [string, Group] | undefined => {
    const inTurn = [...groups]
      .filter(([, { line }]) => line.length > 0)
      .sort(([, a], [, b]) => a.inside - b.inside || a.served - b.served)
    for (const [name, group] of inTurn) {
      const [first] = group.line
      const answer = first ? fits(group, first) : 'not for it'
      if (answer === 'yes') return [name, group]
      if (answer === 'not now') return undefined
    }
    return undefined
  }

  const pump = (): void => {
    for (let found = next(); found; found = next()) {
      const [name, group] = found
      const first = group.line.shift()
      turns += 1
      group.served = turns
      first?.enter(take(name, group, first.weight))
    }
  }

  const take = (name: string, group: Group, weight: number): (() => void) => {
    inside += weight
    group.inside += weight
    let left = false
    return () => {
      if (left) return
      left = true
      inside -= weight
      group.inside -= weight
      if (group.inside === 0 && group.line.length === 0) groups.delete(name)
      pump()
    }
  }

  return {
    enter: (name, weight) =>
      new Promise((enter) => {
        const group = groups.get(name) ?? { inside: 0, served: 0, line: [] }
        groups.set(name, group)
        group.line.push({ weight, enter })
        pump()
      }),
    inside: (name) => (name === undefined ? inside : (groups.get(name)?.inside ?? 0)),
  }
}

/** The same around one piece of work. */
export async function throughGate<T>(
  gate: Gate,
  group: string,
  weight: number,
  act: () => Promise<T>,
): Promise<T> {
  const leave = await gate.enter(group, weight)
  try {
    return await act()
  } finally {
    leave()
  }
}
