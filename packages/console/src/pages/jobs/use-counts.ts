/**
 * How many jobs there are, by state and by what needs attention; of all active jobs, or of those
 * that match a filter.
 */
import type { JobCounts } from '@dragoman/contract/wire'
import { useCall } from '../../queries.ts'
import { useLive } from '../../stream.ts'

export function useCounts(filter = '', enabled = true): JobCounts | undefined {
  useLive('countJobs')
  return useCall('countJobs', { query: { ...(filter && { filter }) } }, { enabled }).data
}

/** The number of jobs in all states together; `isMore` if counting stopped early. */
export function totalOf({ states, atLeast }: JobCounts): {
  readonly total: number
  readonly isMore: boolean
} {
  return {
    total: Object.values(states).reduce((sum, many) => sum + many, 0),
    isMore: atLeast.some((name) => name in states),
  }
}
