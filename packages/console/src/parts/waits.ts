/**
 * What an open job waits for, and since when: worst first, at most one thing of the provider and
 * one of the reviewers. The list of jobs knows no more than the job itself; the page of a job also
 * knows when its requests came into their states.
 */
import type { Job, JobLanes, RequestStatus } from '@dragoman/contract/wire'
import { useMinute } from '../clock.ts'
import { useWriters } from '../times.ts'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'

type WaitKind =
  | 'empty'
  | 'unsubmitted'
  | 'sending'
  | 'engine'
  | 'failed'
  | 'provider'
  | 'translation'
  | 'rejected'
  | 'review'
  | 'done'
export type Wait = {
  readonly kind: WaitKind
  readonly count: number
  readonly since?: string | undefined
}

type Known = Pick<JobLanes, 'states' | 'lastTry'>
type Waiting = Pick<
  Job,
  'statusCode' | 'archiveStatus' | 'createdDate' | 'submittedDate' | 'aggregateRequests'
>
const withProvider: readonly RequestStatus[] = [
  'SENT_TO_PROVIDER',
  'IN_TRANSLATION',
  'TRANSLATION_REJECTED',
]

export function waitsOf(job: Waiting, known?: Known): readonly Wait[] {
  const { statusCode, archiveStatus, createdDate, submittedDate, aggregateRequests } = job
  if (archiveStatus !== 'ACTIVE' || statusCode === 'COMPLETED' || statusCode === 'CANCELLED')
    return []
  const { total, withErrors, byStatusCode } = aggregateRequests ?? {
    total: 0,
    withErrors: 0,
    byStatusCode: {},
  }
  if (statusCode === 'CREATED')
    return [{ kind: total === 0 ? 'empty' : 'unsubmitted', count: total, since: createdDate }]
  if (statusCode === 'SENDING') return [{ kind: 'sending', count: total, since: submittedDate }]
  const countOf = (status: RequestStatus): number => byStatusCode[status] ?? 0
  const sinceOf = (...statuses: readonly RequestStatus[]): string | undefined =>
    known?.states
      .filter((one) => statuses.includes(one.statusCode))
      .map(({ since }) => since)
      .toSorted()[0]
  const waits: Wait[] = []
  const count = withProvider.reduce((sum, status) => sum + countOf(status), 0)
  if (count > 0) {
    const failed = Math.min(withErrors, count)
    const kind = known?.lastTry
      ? 'engine'
      : failed > 0
        ? 'failed'
        : countOf('SENT_TO_PROVIDER') === count
          ? 'provider'
          : countOf('TRANSLATION_REJECTED') === count
            ? 'rejected'
            : 'translation'
    const since = known ? sinceOf(...withProvider) : kind === 'provider' ? submittedDate : undefined
    waits.push({ kind, count: kind === 'failed' ? failed : count, since })
  }
  const inReview = countOf('REVIEW_TRANSLATION')
  if (inReview > 0)
    waits.push({ kind: 'review', count: inReview, since: sinceOf('REVIEW_TRANSLATION') })
  if (waits.length > 0 || total === 0) return waits
  const ended = known?.states.map(({ latest }) => latest).toSorted()
  return [{ kind: 'done', count: total, since: ended?.at(-1) }]
}

/** "13 Mar 16:40 (17 h 1 min)". */
export function useSince(): (at: string) => string {
  const writers = useWriters()
  const now = useMinute()
  return (at) =>
    `${writers.date(at)} ${writers.shortClock(at)} (${writers.duration(Math.max(60_000, now - Date.parse(at)))})`
}

/** A wait as a sentence. */
export function useWaitWords(): (wait: Wait) => string {
  const t = useWords<keyof typeof en>('parts')
  const since = useSince()
  return (wait) =>
    t(`wait.${wait.kind}`, {
      count: wait.count,
      has: wait.since === undefined ? 'none' : 'since',
      since: wait.since === undefined ? '' : since(wait.since),
    })
}
