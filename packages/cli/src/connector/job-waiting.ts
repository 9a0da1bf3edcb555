/**
 * Says what it is waiting for while a job is translated: how many are done, and the statuses of the
 * others.
 */
import type { Job } from '@dragoman/contract/wire'
import type { Screen } from '../command.ts'
import { openWait, type Waiting } from '../waiting.ts'

type JobWaiting = { tell(job: Job): void; end(): void }

const settled: readonly string[] = ['REVIEW_TRANSLATION', 'TRANSLATION_APPROVED', 'CANCELLED']

export function openJobWaiting(screen: Screen): JobWaiting {
  let waiting: Waiting | undefined
  return {
    tell: (job) => {
      const what = waitedFor(job)
      if (what === undefined) return
      if (waiting) waiting.show(what)
      else waiting = openWait(screen, { what })
    },
    end: () => waiting?.end(),
  }
}

/** `job 7Qm2xT9aLk: 2 of 6 translated, 4 SENT_TO_PROVIDER`; undefined if nothing is open. */
export function waitedFor({ jobId, aggregateRequests }: Job): string | undefined {
  const { total = 0, byStatusCode = {} } = aggregateRequests ?? {}
  const done = (byStatusCode.REVIEW_TRANSLATION ?? 0) + (byStatusCode.TRANSLATION_APPROVED ?? 0)
  const open = Object.entries(byStatusCode).filter(
    ([status, many]) => many && !settled.includes(status),
  )
  if (open.length === 0) return undefined
  return `job ${jobId}: ${done} of ${total} translated, ${open.map(([status, many]) => `${many} ${status}`).join(', ')}`
}
