/** The ids in the responses of this visit, by name: the next call is filled in with them. */
const kept = 'dragoman:ids'

export function readIds(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(kept) ?? '{}') as Record<string, string>
  } catch {
    return {}
  }
}

/** Ids of the object itself, or of the first item of its first list. */
export function rememberIds(answer: unknown): void {
  if (typeof answer !== 'object' || answer === null) return
  const lists = Object.values(answer).filter((value) => Array.isArray(value))
  const things = [lists[0]?.[0], answer].filter(
    (thing) => typeof thing === 'object' && thing !== null,
  )
  const pairs = things.flatMap((thing) =>
    Object.entries(thing as object).filter(
      ([name, value]) => name.endsWith('Id') && typeof value === 'string',
    ),
  )
  const ids = { ...readIds(), ...(Object.fromEntries(pairs) as Record<string, string>) }
  delete ids.traceId
  try {
    sessionStorage.setItem(kept, JSON.stringify(ids))
  } catch {
    // Without storage, the reader fills in the ids.
  }
}
