/** How many jobs there are, by state and by what needs attention; of all active jobs or those that a filter matches. */
import type { JobStatus } from '@dragoman/contract/wire'
import { useQuery } from '@tanstack/react-query'
import { callPath, credentials } from '../../hub.ts'

export type JobCounts = {
  readonly states: Readonly<Record<JobStatus, number>>
  readonly late: number
  readonly dueSoon: number
  readonly withErrors: number
  readonly inReview: number
  /** The names of the numbers that may be larger. */
  readonly atLeast: readonly string[]
}

export function useCounts(filter = '', enabled = true): JobCounts | undefined {
  const { data } = useQuery({
    queryKey: ['countJobs', credentials.siteId, { query: { filter } }],
    queryFn: () =>
      callPath<JobCounts>('GET', `/console/api/jobs/counts${filter && `?filter=${encodeURIComponent(filter)}`}`),
    retry: false,
    enabled,
  })
  return data
}

/** How many jobs there are in all states together; `isMore` if counting stopped. */
export function totalOf({ states, atLeast }: JobCounts): { readonly total: number; readonly isMore: boolean } {
  return {
    total: Object.values(states).reduce((sum, many) => sum + many, 0),
    isMore: atLeast.some((name) => name in states),
  }
}
