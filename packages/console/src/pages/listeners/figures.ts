/** The statistics of the listeners on the page, read for many at once. */
import type { ListenerStatistics } from '@dragoman/contract/wire'
import { useQueries } from '@tanstack/react-query'
import { call } from '../../hub.ts'
import { keyOf } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { useListenersWords } from './words.ts'

/** The call accepts a page of listeners at once. */
const atOnce = 50
const againMs = 30_000

export function useStatistics(
  listenerIds: readonly string[],
): ReadonlyMap<string, ListenerStatistics> {
  const parts = Array.from({ length: Math.ceil(listenerIds.length / atOnce) }, (_, at) =>
    listenerIds.slice(at * atOnce, (at + 1) * atOnce),
  )
  const found = useQueries({
    queries: parts.map((listenerId) => {
      const input = { query: { listenerId: [...listenerId] } }
      return {
        queryKey: keyOf('listListenerStatistics', input),
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          call('listListenerStatistics', input, { signal }),
        refetchInterval: againMs,
      }
    }),
  })
  return new Map(
    found
      .flatMap(({ data }) => data?.statistics ?? [])
      .map((one): [string, ListenerStatistics] => [one.listenerId, one]),
  )
}

export type Figures = {
  readonly arrived: number
  readonly failed: number
  readonly percent: string
  readonly says: string
}

/** "98% of 412", and a sentence for the plot. */
export function useFigures(): (of: ListenerStatistics) => Figures {
  const t = useListenersWords()
  const writers = useWriters()
  const sum = (hours: readonly number[]) => hours.reduce((total, count) => total + count, 0)
  return ({ delivered, failed, retried, failing, lastError }) => {
    const [arrived, lost] = [sum(delivered), sum(failed)]
    const total = arrived + lost
    // Never 100 % while something fails.
    const percent =
      total === 0 ? '' : writers.percent(Math.floor((arrived / total) * 1_000) / 1_000)
    const older = Math.max(0, failing - lost)
    const trouble = retried > 0 || older > 0 || lastError ? 'some' : 'none'
    return {
      arrived,
      failed: lost,
      percent,
      says: t('daySays', { arrived, failed: lost, retried, older, trouble }),
    }
  }
}
