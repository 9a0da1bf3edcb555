/** The filters of a list, which the URL holds by these names. */
import { type Search, useSearchState } from '../../search.ts'

export type UrlFilter = {
  readonly search: Search
  readonly change: (some: Search, how?: 'push' | 'replace') => void
  readonly isSet: boolean
  readonly clear: () => void
}

export function useUrlFilter(names: readonly string[]): UrlFilter {
  const [search, change] = useSearchState()
  return {
    search,
    change,
    isSet: names.some((name) => search[name]),
    clear: () => change(Object.fromEntries(names.map((name) => [name, undefined]))),
  }
}
