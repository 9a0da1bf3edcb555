/**
 * What completing the job would leave behind: how many requests in which state, and the first ones
 * by name.
 */
import type { Job } from '@dragoman/contract/wire'
import type { CallInput } from '../../hub.ts'
import { type Status, useStateWord } from '../../look/states.tsx'
import { useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { openStatesOf } from './acts.ts'
import css from './job.module.css'
import type { Key } from './sentence.tsx'

const namedAtMost = 5

export function NotApproved({ job }: { readonly job: Job }) {
  const t = useWords<Key>('job')
  const word = useStateWord()
  const writers = useWriters()
  const open = openStatesOf(job) as readonly (readonly [Status, number])[]
  const statusCode = open.map(([status]) => status) as NonNullable<
    CallInput<'listRequests'>['query']
  >['statusCode']
  const input = {
    params: { jobId: job.jobId },
    query: { ...(statusCode && { statusCode }), pageSize: namedAtMost },
  }
  const requests = useCall('listRequests', input, { enabled: open.length > 0 }).data?.requests ?? []
  if (open.length === 0) return null
  const rest = open.reduce((sum, [, count]) => sum + count, 0) - requests.length
  return (
    <>
      <p>
        {t('notApproved', {
          states: writers.list(
            open.map(([status, count]) => `${writers.number(count)} ${word(status)}`),
          ),
        })}
      </p>
      <ul className={css.open}>
        {requests.map(
          ({ requestId, requestName, targetNativeLanguageCode: language, statusCode: status }) => (
            <li key={requestId}>
              <bdi>{requestName}</bdi>, <bdi>{writers.language(language)}</bdi>: {word(status)}
            </li>
          ),
        )}
        {rest > 0 && requests.length > 0 && <li>{t('andMore', { count: rest })}</li>}
      </ul>
    </>
  )
}
