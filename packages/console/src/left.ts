/**
 * What a person leaves on an entry of the browser's history: how far a list is scrolled, which row
 * has the focus, which rows are marked. Back finds it again, after a reload too. The key of an
 * entry is in its state.
 */
import { useCallback, useEffect, useState } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'

type Left = Map<string, unknown>

const storedAs = 'dragoman:left'
const maxEntries = 50
/** The names of what is too large to store begin with this: a reload forgets it. */
const unstored = '~'
const entries = new Map<string, Left>(stored())

const keyIn = (state: unknown): string | undefined => (state as { entry?: string } | null)?.entry
const newKey = (): string => Math.random().toString(36).slice(2)

let current = keyIn(history.state) ?? newKey()

/**
 * Gives the entry its key. A replaced URL is still the same entry; the state that replaces the old
 * one has no key.
 */
function nameEntry({ type }: { readonly type: string }): void {
  const known = keyIn(history.state)
  if (known !== undefined) {
    current = known
    return
  }
  if (type !== 'replaceState') current = newKey()
  history.replaceState({ ...(history.state as object | null), entry: current }, '')
}
// The router dispatches the first two. Listened to before any page does, so that pages find the
// key.
for (const type of ['pushState', 'replaceState', 'popstate']) addEventListener(type, nameEntry)
nameEntry({ type: 'replaceState' })

/** Renders again on another entry. */
export const useEntry = (): string => useLocationProperty(() => current)

export const leftOn = <T>(entry: string, name: string): T | undefined =>
  entries.get(entry)?.get(name) as T | undefined

export function leave(name: string, value: unknown): void {
  const left: Left = entries.get(current) ?? new Map()
  left.set(name, value)
  // The entry used last is the last one, and the first is forgotten.
  entries.delete(current)
  entries.set(current, left)
  const [oldest] = entries.keys()
  if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest)
}

/** A state of a page that Back restores. On a new entry of the same page it stays as it is. */
export function useLeft<T>(name: string, first: T): [T, (change: (before: T) => T) => void] {
  const entry = useEntry()
  const [held, setHeld] = useState(() => ({ entry, value: leftOn<T>(entry, name) ?? first }))
  const isOther = held.entry !== entry
  const value = (isOther ? leftOn<T>(entry, name) : undefined) ?? held.value
  if (isOther) setHeld({ entry, value })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry has its own.
  useEffect(() => leave(name, value), [entry, name, value])
  const change = useCallback(
    (next: (before: T) => T) => setHeld((before) => ({ ...before, value: next(before.value) })),
    [],
  )
  return [value, change]
}

function stored(): [string, Left][] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storedAs) ?? '[]') as [
      string,
      [string, unknown][],
    ][]
    return kept.map(([entry, left]) => [entry, new Map(left)])
  } catch {
    return []
  }
}

addEventListener('pagehide', () => {
  const kept = [...entries].map(([entry, left]) => [
    entry,
    [...left].filter(([name]) => !name.startsWith(unstored)),
  ])
  try {
    sessionStorage.setItem(storedAs, JSON.stringify(kept))
  } catch {
    // Storage is switched off or full: what was left lasts as long as the page.
  }
})
