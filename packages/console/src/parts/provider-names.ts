/** The providers of the site, all of them, and their names by id. */
import type { Provider } from '@dragoman/contract/wire'
import { useEffect, useMemo } from 'react'
import { usePages } from '../queries.ts'

export function useProviders(): {
  readonly all: readonly Provider[]
  readonly isLoading: boolean
  readonly nameOf: (id: string) => string
} {
  const { items, hasMore, isFetching, isLoading, failure, loadMore } = usePages('listProviders')
  useEffect(() => {
    if (hasMore && !isFetching) loadMore()
  }, [hasMore, isFetching, loadMore])
  return useMemo(() => {
    const names = new Map(items.map(({ id, name }) => [id, name]))
    return {
      all: items,
      isLoading: isLoading || hasMore || failure !== null,
      nameOf: (id) => names.get(id) ?? id,
    }
  }, [items, isLoading, hasMore, failure])
}
