/**
 * A list whose rows do not move under the pointer: new rows wait until the person asks for them,
 * and a changed row is updated in place. Events contain only ids, and only the hub knows whether a
 * new row matches the filter, so the first page is read again and compared with the list.
 */
import type { StreamEvent } from '@dragoman/contract/wire'
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type CallInput, type CallName, call, rowOf } from '../hub.ts'
import { pagesKeyOf } from '../queries.ts'
import { stay } from '../stream.ts'
import type { ReadKey } from './affected.ts'

export type Newer = {
  /** How many rows are waiting. */
  readonly count: number
  /** The whole first page is new, so there may be more. */
  readonly isMore: boolean
  /** Shows them by starting the list again. */
  readonly show: () => void
}

type ListRow = Readonly<Record<string, unknown>>
type Page = { readonly [collection: string]: unknown }
type List = InfiniteData<Page>

/**
 * The id field of a row, the call that reads a single row, and whether finished rows leave the
 * list.
 */
const rows: Readonly<
  Partial<
    Record<CallName, { readonly id: string; readonly one?: CallName; readonly leaves?: true }>
  >
> = {
  listJobs: { id: 'jobId', one: 'findJob' },
  listArchivedJobs: { id: 'jobId', one: 'findJob' },
  listSiteDeliveries: { id: 'deliveryId', one: 'findDelivery' },
  listCalls: { id: 'traceId' },
  listListeners: { id: 'listenerId', leaves: true },
  listProviderListeners: { id: 'listenerId', leaves: true },
  listTasks: { id: 'taskId', leaves: true },
  listAudit: { id: 'auditId' },
  listFindings: { id: 'findingId' },
  listWork: { id: 'requestId', leaves: true },
}
/** The maximum number of rows further down that are read one by one. */
const maxSingle = 20
const none = { count: 0, isMore: false }

export function useNewer<N extends CallName>(name: N, input: CallInput<N> = {}): Newer {
  const client = useQueryClient()
  const [waiting, setWaiting] = useState(none)
  const newest = useRef<Page>(undefined)
  const text = JSON.stringify(pagesKeyOf(name, input))

  useEffect(() => {
    setWaiting(none)
    newest.current = undefined
    let isLeft = false
    const key = JSON.parse(text) as unknown as ReadKey
    const asked = key[2] as CallInput<N>
    const { collection = '' } = rowOf(name)
    const { id = '', one, leaves } = rows[name] ?? {}
    const idOf = (row: ListRow): string => String(row[id])
    const listOf = (page: Page): ListRow[] => (page[collection] ?? []) as ListRow[]
    const cached = (): ListRow[] => (client.getQueryData<List>(key)?.pages ?? []).flatMap(listOf)
    const put = (fresh: ReadonlyMap<string, ListRow>): void => {
      client.setQueryData<List>(
        key,
        (list) =>
          list && {
            ...list,
            pages: list.pages.map((page) => ({
              ...page,
              [collection]: listOf(page).map((row) => {
                const now = fresh.get(idOf(row))
                return now ? { ...row, ...now } : row
              }),
            })),
          },
      )
    }
    const begin = (page: Page): void => {
      client.setQueryData<List>(key, (list) => list && { pages: [page], pageParams: [''] })
    }
    const look = async (events: readonly StreamEvent[]): Promise<boolean> => {
      // Through the query client, so that the read is retried if the hub does not respond.
      const reads = {
        queryKey: ['newer', text],
        queryFn: () => call(name, asked),
        staleTime: 0,
        gcTime: 0,
      }
      const page = (await client.fetchQuery<unknown>(reads)) as Page
      // The list now has another filter: these are not its rows.
      if (isLeft) return false
      const first = listOf(page)
      newest.current = page
      const known = new Set(cached().map(idOf))
      const fresh = new Map(first.map((row) => [idOf(row), row]))
      const unknown = first.filter((row) => !known.has(idOf(row)))
      const further = events.flatMap(({ id: thing }) =>
        thing && known.has(thing) && !fresh.has(thing) ? [thing] : [],
      )
      for (const thing of one ? [...new Set(further)].slice(0, maxSingle) : []) {
        const row = (await call(
          one as CallName,
          { params: { [id]: thing }, query: ofOne(asked) } as never,
        ).catch(() => undefined)) as ListRow | undefined
        if (row) fresh.set(thing, row)
      }
      if (isLeft) return false
      // An empty list has no row to point at; and showing rows that no longer exist is worse than
      // moving rows.
      const isOnePage = client.getQueryData<List>(key)?.pages.length === 1
      if (known.size === 0 || (leaves && unknown.length === 0 && isOnePage)) begin(page)
      else {
        put(fresh)
        setWaiting({
          count: unknown.length,
          isMore: first.length > 0 && unknown.length === first.length,
        })
      }
      return true
    }
    /** Events that the list does not show yet. */
    let unseen: readonly StreamEvent[] = []
    let isLooking = false
    /**
     * One check at a time, so that an older response never replaces a newer one. The next check
     * makes up for one that fails.
     */
    const lookInTurn = async (events: readonly StreamEvent[]): Promise<void> => {
      unseen = [...unseen, ...events]
      if (isLooking) return
      isLooking = true
      for (let seen: typeof unseen | undefined; seen !== unseen && unseen.length > 0 && !isLeft; ) {
        seen = unseen
        const isShown = await look(seen).catch(() => false)
        if (isShown) unseen = unseen.slice(seen.length)
      }
      isLooking = false
    }
    const leave = stay({ key, look: (events) => void lookInTurn(events) })
    return () => {
      isLeft = true
      leave(unseen)
    }
  }, [client, name, text])

  const show = useCallback(() => {
    const page = newest.current
    if (page)
      client.setQueryData<List>(JSON.parse(text) as ReadKey, { pages: [page], pageParams: [''] })
    setWaiting(none)
  }, [client, text])
  return { ...waiting, show }
}

/** Several lists that are shown as one. */
export const joinNewer = (all: readonly Newer[]): Newer => ({
  count: all.reduce((sum, { count }) => sum + count, 0),
  isMore: all.some(({ isMore }) => isMore),
  show: () => {
    for (const { show } of all) show()
  },
})

/** The query parameters that a list of jobs and a single job share. */
function ofOne({ query }: { readonly query?: unknown }): ListRow {
  const { aggregateRequests } = (query ?? {}) as ListRow
  return aggregateRequests === undefined ? {} : { aggregateRequests }
}
