/**
 * The row that is shown beside its list. The URL names it, in its path or in its query, so that a
 * link opens it and Back closes it.
 */
import { useLocation, useParams, useSearch } from 'wouter'
import { useSearchState } from '../../search.ts'

export type OpenRow = {
  readonly id: string | undefined
  readonly show: (id: string) => void
  readonly close: () => void
}

/** Named in the query: `/health/tasks?task=17`. */
export function useRowInQuery(name: string): OpenRow {
  const [search, change] = useSearchState()
  return {
    id: search[name],
    show: (id) => change({ [name]: id }, 'push'),
    close: () => change({ [name]: undefined }),
  }
}

/** What the query says of one row only. */
const ofRow = ['attempt', 'form']

/** Named in the path: `/deliveries/17?state=PARKED`. The filters in the query stay. */
export function useRowInPath(list: string, param: string): OpenRow {
  const { [param]: given } = useParams<Readonly<Record<string, string | undefined>>>()
  const text = useSearch()
  const [, go] = useLocation()
  const to = (path: string) => {
    const query = new URLSearchParams(text)
    for (const name of ofRow) query.delete(name)
    go(query.size > 0 ? `${path}?${query}` : path)
  }
  return {
    id: given === undefined ? undefined : decoded(given),
    show: (id) => to(`${list}/${encodeURIComponent(id)}`),
    close: () => to(list),
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
