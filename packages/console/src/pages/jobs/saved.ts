/** The person's saved filters, stored in this browser. */
import { useState } from 'react'
import type { Search } from '../../search.ts'
import { storeChoice, storedChoice } from '../../stored-choices.ts'

export type Saved = { readonly name: string; readonly query: Search }
const most = 50

export function useSaved(personId: string) {
  const place = `filters:${personId}`
  const [saved, setSaved] = useState(() => read(storedChoice(place)))
  const write = (next: readonly Saved[]) => {
    storeChoice(place, JSON.stringify(next))
    setSaved(next)
  }
  return {
    saved,
    save: (name: string, query: Search) =>
      write([...saved.filter((one) => one.name !== name), { name, query }].slice(-most)),
    remove: (name: string) => write(saved.filter((one) => one.name !== name)),
  }
}

export const isSame = (one: Search, other: Search): boolean =>
  ['view', 'is', 'filter', 'order', 'as'].every((name) => (one[name] ?? '') === (other[name] ?? ''))

function read(text: string | undefined): readonly Saved[] {
  try {
    const found: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(found)
      ? found.filter((one) => typeof one?.name === 'string' && one.query)
      : []
  } catch {
    return []
  }
}
