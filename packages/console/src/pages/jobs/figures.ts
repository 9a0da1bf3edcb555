/** Words and money of the jobs that have a stored quote, read for many jobs at once. */
import type { Job, JobFigures } from '@dragoman/contract/wire'
import { useQueries } from '@tanstack/react-query'
import { call } from '../../hub.ts'
import { keyOf } from '../../queries.ts'

export type Figures = ReadonlyMap<string, JobFigures>
const perCall = 50

/** Only submitted jobs that asked for a quote have one; it no longer changes. */
export function useFigures(jobs: readonly Job[]): Figures {
  const chunks: (readonly string[])[] = []
  for (let at = 0; at < jobs.length; at += perCall) {
    const ids = jobs
      .slice(at, at + perCall)
      .flatMap((job) => (job.shouldQuote && job.submittedDate ? job.jobId : []))
    if (ids.length > 0) chunks.push(ids)
  }
  return useQueries({
    queries: chunks.map((ids) => {
      const input = { query: { jobId: [...ids] } }
      return {
        queryKey: keyOf('listJobFigures', input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call('listJobFigures', input, { signal }),
        staleTime: 60_000,
      }
    }),
    combine: joined,
  })
}

/** A stable function, so that it runs only when a response arrives. */
const joined = (
  found: readonly { readonly data: { readonly figures: readonly JobFigures[] } | undefined }[],
): Figures =>
  new Map(
    found.flatMap(({ data }) => (data?.figures ?? []).map((one) => [one.jobId, one] as const)),
  )
