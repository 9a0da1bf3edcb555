/** The query of the URL is the state of a page: filters, the selected row, the time range. */
import { useCallback, useMemo } from 'react'
import { useLocation, useSearch } from 'wouter'

export type Search = Readonly<Record<string, string | undefined>>

/**
 * Reads the query and changes parts of it; an empty value is removed. `push` adds the step to the
 * history.
 */
export function useSearchState(): [Search, (change: Search, how?: 'push' | 'replace') => void] {
  const text = useSearch()
  const [path, go] = useLocation()
  const search = useMemo(() => Object.fromEntries(new URLSearchParams(text)), [text])
  const change = useCallback(
    (some: Search, how: 'push' | 'replace' = 'replace') =>
      go(path + withQuery(text, some), { replace: how === 'replace' }),
    [go, path, text],
  )
  return [search, change]
}

function withQuery(text: string, change: Search): string {
  const query = new URLSearchParams(text)
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined || value === '') query.delete(name)
    else query.set(name, value)
  }
  const made = query.toString()
  return made && `?${made}`
}
