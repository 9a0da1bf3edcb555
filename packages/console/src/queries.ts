/**
 * Reads and actions for pages, cached by TanStack Query. The first element of a key is the call.
 */
import {
  keepPreviousData,
  type Query,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import {
  type CallAnswer,
  type CallInput,
  type CallName,
  call,
  credentials,
  HubFailure,
  isUnknown,
  rowOf,
} from './hub.ts'
import { readsAgain } from './live/missed.ts'

/** Repeating a refused call does not help; only a call that the hub did not answer is retried. */
const maySolveItself = (failure: unknown): boolean =>
  failure instanceof HubFailure && (failure.status === 0 || failure.status >= 500)

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (count, failure) => count < 3 && maySolveItself(failure),
      refetchOnWindowFocus: true,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

export const keyOf = <N extends CallName>(name: N, input: CallInput<N> = {}) =>
  [name, credentials.siteId, input] as const

/** The key of a list read page by page, whose data differ in form from those of one call. */
export const pagesKeyOf = <N extends CallName>(name: N, input: CallInput<N> = {}) =>
  [...keyOf(name, input), 'pages'] as const

type Options = {
  readonly enabled?: boolean
  readonly refetchInterval?: number | false
  readonly keepOld?: boolean
}

/** One thing. Old data is shown while new data loads. */
export function useCall<N extends CallName>(
  name: N,
  input: CallInput<N> = {},
  { keepOld = true, ...options }: Options = {},
): UseQueryResult<CallAnswer<N>, HubFailure> {
  return useQuery<CallAnswer<N>, HubFailure>({
    queryKey: keyOf(name, input),
    queryFn: ({ signal }) => call(name, input, { signal }),
    ...(keepOld && { placeholderData: keepPreviousData as never }),
    ...options,
  })
}

export type ItemOf<N extends CallName> = {
  [K in keyof CallAnswer<N>]: CallAnswer<N>[K] extends (infer I)[] ? I : never
}[Exclude<keyof CallAnswer<N>, 'pagination' | 'next' | '_embedded' | '_links'>]

export type Pages<Item> = {
  readonly items: readonly Item[]
  readonly isLoading: boolean
  readonly isFetching: boolean
  readonly failure: HubFailure | null
  readonly hasMore: boolean
  readonly loadMore: () => void
  readonly reload: () => void
  /** These are the items of another input, until those of this one are read. */
  readonly isOld?: boolean
  /** Why the next page could not be read. */
  readonly failedMore?: HubFailure | undefined
  /** How many items before the first were dropped from memory; `loadEarlier` reads them again. */
  readonly start?: number
  readonly loadEarlier?: () => void
}

/**
 * The maximum number of pages in memory: 5,000 rows. Beyond that, the farthest pages are dropped.
 */
const maxPages = 100
/**
 * Longer lists are not read again when the window gets the focus, or when a person comes back to
 * them.
 */
const cheapPages = 3
export const isCheap = (data: unknown): boolean =>
  ((data as { pages?: readonly unknown[] } | undefined)?.pages?.length ?? 0) <= cheapPages

/**
 * Where the page of a cursor begins, and the cursor of the previous page. The first page has the
 * cursor ''.
 */
type Places = Map<string, { readonly start: number; readonly before?: string }>
/**
 * As long as the pages are cached: whoever comes back to a list finds its later pages where they
 * were.
 */
const placesOf = new WeakMap<object, Places>()

/** A list, page by page. */
export function usePages<N extends CallName>(
  name: N,
  input: CallInput<N> = {},
  options: Options = {},
): Pages<ItemOf<N>> {
  const { collection = '' } = rowOf(name)
  const reads = useQueryClient().getQueryCache()
  const queryKey = pagesKeyOf(name, input)
  const findPlaces = (): Places => {
    const query = reads.find({ queryKey })
    const places: Places = (query && placesOf.get(query)) ?? new Map([['', { start: 0 }]])
    if (query) placesOf.set(query, places)
    return places
  }
  const found = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      call(
        name,
        {
          ...input,
          query: { ...input.query, ...(pageParam && { navNext: pageParam }) },
        } as CallInput<N>,
        {
          signal,
        },
      ),
    initialPageParam: '',
    maxPages,
    getNextPageParam: (last) => nextOf(last),
    getPreviousPageParam: (_first, _pages, cursor) => findPlaces().get(cursor)?.before,
    refetchOnWindowFocus: ({ state }) => isCheap(state.data),
    refetchOnMount: (query) => readsAgain(query as unknown as Query),
    placeholderData: keepPreviousData as never,
    ...options,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: of the same data.
  const { items, start } = useMemo(() => {
    const places = findPlaces()
    const pages = (found.data?.pages ?? []) as Record<string, unknown>[]
    const cursors = (found.data?.pageParams ?? []) as string[]
    pages.forEach((page, at) => {
      const cursor = cursors[at] ?? ''
      const next = nextOf(page)
      const begins = (places.get(cursor)?.start ?? 0) + (page[collection] as unknown[]).length
      if (next !== undefined) places.set(next, { start: begins, before: cursor })
    })
    return {
      items: pages.flatMap((page) => page[collection] as ItemOf<N>[]),
      start: places.get(cursors[0] ?? '')?.start ?? 0,
    }
  }, [found.data, collection])
  return {
    items,
    start,
    isLoading: found.isLoading,
    isFetching: found.isFetching,
    failure: (found.error as HubFailure | null) ?? null,
    isOld: found.isPlaceholderData,
    failedMore: found.isFetchNextPageError ? (found.error as unknown as HubFailure) : undefined,
    hasMore: found.hasNextPage,
    loadMore: () => void (found.isFetchingNextPage || found.fetchNextPage()),
    loadEarlier: () => void (found.isFetchingPreviousPage || found.fetchPreviousPage()),
    reload: () => void found.refetch(),
  }
}

const nextOf = (page: unknown): string | undefined =>
  (page as { pagination?: { navNext?: string } }).pagination?.navNext

/** An action of a person. Afterwards the named calls are read again. */
export function useAct<N extends CallName>(
  name: N,
  changes: readonly CallName[] = [],
): UseMutationResult<CallAnswer<N>, HubFailure, CallInput<N>> {
  const client = useQueryClient()
  // A click that is sent again after a lost response has the same key, so it takes effect once.
  // Another input is another action.
  const sent = useRef<{ readonly key: string; readonly input: string }>(undefined)
  return useMutation<CallAnswer<N>, HubFailure, CallInput<N>>({
    mutationFn: (input) => {
      const text = JSON.stringify(input)
      if (sent.current?.input !== text) sent.current = { key: crypto.randomUUID(), input: text }
      return call(name, input, { key: sent.current.key })
    },
    onSettled: (_, failure) => {
      if (!isUnknown(failure)) sent.current = undefined
    },
    onSuccess: () =>
      Promise.all(changes.map((changed) => client.invalidateQueries({ queryKey: [changed] }))),
  })
}
