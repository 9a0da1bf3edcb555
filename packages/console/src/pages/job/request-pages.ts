/**
 * The requests of a job as the list shows them, by the filters in the URL; and all of them that are
 * in review, however many.
 */
import { type Job, type JobRequest, requestStatuses } from '@dragoman/contract/wire'
import { call } from '../../hub.ts'
import { type Pages, usePages } from '../../queries.ts'
import { useSearchState } from '../../search.ts'
import { useJobVerdicts } from './verdicts.tsx'

export const inReview = 'REVIEW_TRANSLATION'

export function useRequestFilter() {
  const [{ state, language }] = useSearchState()
  return { status: requestStatuses.find((one) => one === state), language: language || undefined }
}

export function useRequestPages({ jobId }: Job): Pages<JobRequest> {
  const { status, language } = useRequestFilter()
  const query = {
    ...(status && { statusCode: [status] }),
    ...(language && { targetNativeLanguageCode: language }),
  }
  return usePages('listRequests', { params: { jobId }, query })
}

/** The ids of all requests in review, not only of those that were read. */
export async function allInReview(jobId: string, language: string | undefined): Promise<string[]> {
  const ids: string[] = []
  let navNext: string | undefined
  do {
    const query = {
      statusCode: [inReview] as (typeof inReview)[],
      ...(language && { targetNativeLanguageCode: language }),
      ...(navNext && { navNext }),
    }
    const page = await call('listRequests', { params: { jobId }, query })
    ids.push(...page.requests.map(({ requestId }) => requestId))
    navNext = page.pagination?.navNext
  } while (navNext)
  return ids
}

/** How many requests in review match the filter; undefined as long as nobody has counted them. */
export function useMatching(job: Job, { items, hasMore }: Pages<JobRequest>): number | undefined {
  const { status, language } = useRequestFilter()
  const verdicts = useJobVerdicts()
  const waiting = verdicts.waiting.reduce((sum, { requestIds }) => sum + requestIds.length, 0)
  if (status && status !== inReview) return 0
  if (!hasMore)
    return items.filter(
      (one) => one.statusCode === inReview && verdicts.on(one.requestId) === undefined,
    ).length
  if (language) return undefined
  return Math.max(0, (job.aggregateRequests?.byStatusCode?.[inReview] ?? 0) - waiting)
}
