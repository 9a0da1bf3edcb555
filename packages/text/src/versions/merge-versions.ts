/**
 * Merges two versions of a list of texts that began as the same one. What only one side changed is
 * taken; what both changed, each in its own way, is a collision, and the side that the caller
 * prefers stays until somebody chooses. A key that one side renamed keeps the text of the other
 * side. Pure; no text of either side is lost.
 */
export type MergeUnit = { readonly id: string; readonly text: string }
export type Collision = {
  /** As the merged list names it. */
  readonly id: string
  /** Absent texts were not there, or were removed. */
  readonly base?: string
  readonly ours?: string
  readonly theirs?: string
}
export type Merged = { readonly merged: readonly MergeUnit[]; readonly collisions: Collision[] }
/** The side that stays in the merged list; ours if it is absent. */
export type Prefer = (collision: Collision) => 'ours' | 'theirs'

/** In the order of ours; what only theirs has comes after what it follows there. */
export function mergeVersions(
  base: readonly MergeUnit[],
  ours: readonly MergeUnit[],
  theirs: readonly MergeUnit[],
  prefer: Prefer = () => 'ours',
): Merged {
  const names = renamesIn(base, ours, theirs)
  const [was, mine, other] = [
    textsOf(base, names),
    textsOf(ours, names),
    textsOf(theirs, names),
  ] as const
  const merged: MergeUnit[] = []
  const collisions: Collision[] = []
  for (const id of orderOf([...mine.keys()], [...other.keys()])) {
    const [from, one, two] = [was.get(id), mine.get(id), other.get(id)]
    let text: string | undefined
    if (one === two || two === from) text = one
    else if (one === from) text = two
    else {
      const collision: Collision = {
        id,
        ...(from !== undefined && { base: from }),
        ...(one !== undefined && { ours: one }),
        ...(two !== undefined && { theirs: two }),
      }
      collisions.push(collision)
      // What one side removed and the other changed stays: a text that is gone cannot be chosen.
      text = prefer(collision) === 'ours' ? (one ?? two) : (two ?? one)
    }
    if (text !== undefined) merged.push({ id, text })
  }
  return { merged, collisions }
}

/** By the name that a unit has now. A unit that stands twice is the first one. */
function textsOf(
  units: readonly MergeUnit[],
  names: ReadonlyMap<string, string>,
): Map<string, string> {
  const texts = new Map<string, string>()
  for (const { id, text } of units) {
    const name = names.get(id) ?? id
    if (!texts.has(name)) texts.set(name, text)
  }
  return texts
}

/**
 * Old names with their new ones: a unit that one side removed, where the same side added one with
 * the same text, and nobody else has that text or that name. If both sides renamed it, each in its
 * own way, neither name is taken.
 */
function renamesIn(
  base: readonly MergeUnit[],
  ours: readonly MergeUnit[],
  theirs: readonly MergeUnit[],
): ReadonlyMap<string, string> {
  const [mine, other] = [renamesOn(base, ours), renamesOn(base, theirs)]
  const [here, there] = [idsOf(ours), idsOf(theirs)]
  const names = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id } of base) {
    const [one, two] = [mine.get(id), other.get(id)]
    const name = one ?? two
    if (name === undefined || taken.has(name) || (one && two && one !== two)) continue
    if (one !== two && (one === undefined ? here : there).has(name)) continue
    taken.add(name)
    names.set(id, name)
  }
  return names
}

function renamesOn(
  base: readonly MergeUnit[],
  side: readonly MergeUnit[],
): ReadonlyMap<string, string> {
  const [before, after] = [idsOf(base), idsOf(side)]
  const gone = alone(base.filter(({ id }) => !after.has(id)))
  const added = alone(side.filter(({ id }) => !before.has(id)))
  const names = new Map<string, string>()
  for (const [text, id] of gone) {
    const name = added.get(text)
    if (id !== undefined && name !== undefined) names.set(id, name)
  }
  return names
}

const idsOf = (units: readonly MergeUnit[]): ReadonlySet<string> =>
  new Set(units.map(({ id }) => id))

/** Texts with the id of their unit; undefined where several have the same text. */
function alone(units: readonly MergeUnit[]): ReadonlyMap<string, string | undefined> {
  const found = new Map<string, string | undefined>()
  for (const { id, text } of units) found.set(text, found.has(text) ? undefined : id)
  return found
}

function orderOf(ours: readonly string[], theirs: readonly string[]): string[] {
  const here = new Set(ours)
  const after = new Map<string | undefined, string[]>()
  let last: string | undefined
  for (const id of theirs) {
    if (here.has(id)) last = id
    else push(after, last, id)
  }
  return [...(after.get(undefined) ?? []), ...ours.flatMap((id) => [id, ...(after.get(id) ?? [])])]
}

function push(lists: Map<string | undefined, string[]>, key: string | undefined, id: string): void {
  const known = lists.get(key)
  if (known) known.push(id)
  else lists.set(key, [id])
}
