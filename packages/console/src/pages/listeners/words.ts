/** The texts of the page, and what a listener receives, in words. */
import type { Listener, ProviderListener } from '@dragoman/contract/wire'
import { type Status, useStateWord } from '../../look/states.tsx'
import type { SeenListener } from '../../parts/seen-listeners.ts'
import { useWriters } from '../../times.ts'
import type en from '../../words/en/listeners.json'
import { useWords, type Words } from '../../words/words.ts'

export type Key = keyof typeof en
export const useListenersWords = (): Words<Key> => useWords<Key>('listeners')

/** The statuses that each kind can report; all of them means any. */
export const statusesOf = {
  REQUEST_STATUS_UPDATED: ['IN_TRANSLATION', 'REVIEW_TRANSLATION', 'CANCELLED'],
  JOB_STATUS_UPDATED: ['SENT_TO_PROVIDER', 'IN_TRANSLATION', 'CANCELLED'],
  job: ['SENDING_READY_FOR_RETRIEVE', 'IN_TRANSLATION', 'COMPLETED', 'CANCELLED'],
  assetTask: ['TRANSLATION_APPROVED', 'TRANSLATION_REJECTED', 'CANCELLED'],
} as const satisfies Record<Listener['type'], readonly Listener['statusCodes'][number][]> & {
  job: readonly ProviderListener['jobStatusCodes'][number][]
  assetTask: readonly ProviderListener['assetTaskStatusCodes'][number][]
}

export type Scope = {
  /** "All jobs", "Job 7Qm2xT9aLk", "All providers". */
  readonly whose: string
  /** Covers more than one job or provider: easily more than intended. */
  readonly isWide: boolean
  /** "Requests: In review". */
  readonly what: string
}

export function useScope(): (seen: SeenListener) => Scope {
  const t = useListenersWords()
  const writers = useWriters()
  const word = useStateWord()
  const states = (codes: readonly string[], all: readonly string[]): string =>
    codes.length >= all.length
      ? t('anyStatus')
      : writers.list(
          codes.map((code) =>
            code === 'SENDING_READY_FOR_RETRIEVE' ? t('ready') : word(code as Status),
          ),
        )
  return (seen) => {
    if (seen.side === 'connector') {
      const { jobId, type, statusCodes } = seen.listener
      const what = t(type === 'JOB_STATUS_UPDATED' ? 'ofJobs' : 'ofRequests', {
        states: states(statusCodes, statusesOf[type]),
      })
      return { whose: jobId ? t('oneJob', { jobId }) : t('allJobs'), isWide: !jobId, what }
    }
    const { providerId, jobUri, assetTaskUri, jobStatusCodes, assetTaskStatusCodes } = seen.listener
    const parts = [
      ...(jobUri ? [t('ofJobs', { states: states(jobStatusCodes, statusesOf.job) })] : []),
      ...(assetTaskUri
        ? [t('ofTasks', { states: states(assetTaskStatusCodes, statusesOf.assetTask) })]
        : []),
    ]
    return {
      whose: providerId ? t('oneProvider', { providerId }) : t('allProviders'),
      isWide: !providerId,
      what: parts.join('; ') || t('nothing'),
    }
  }
}
