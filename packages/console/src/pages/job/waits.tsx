/** What the job waits for, since when, and the button that helps. */
import type { Job } from '@dragoman/contract/wire'
import { useMinute } from '../../clock.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { ButtonLink } from '../../parts/controls.tsx'
import { useSince, useWaitWords, type Wait, waitsOf } from '../../parts/waits.ts'
import { useCall } from '../../queries.ts'
import { useMay } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import css from './job.module.css'
import { SendAgain } from './send-again.tsx'
import type { Key } from './sentence.tsx'

export function Waits({ job }: { readonly job: Job }) {
  const t = useWords<Key>('job')
  const now = useMinute()
  const isSent = job.statusCode === 'SENT_TO_PROVIDER' || job.statusCode === 'IN_TRANSLATION'
  const params = { jobId: job.jobId }
  const lanes = useCall(
    'findJobLanes',
    { params },
    { enabled: isSent && job.archiveStatus === 'ACTIVE' },
  ).data
  // A sentence without its time would change under the eyes of the reader.
  if (isSent && !lanes) return null
  const waits = waitsOf(job, isSent ? lanes : undefined)
  if (waits.length === 0) return null
  const isLate = job.dueDate !== undefined && Date.parse(job.dueDate) < now
  return (
    <section className={css.waits} aria-label={t('waitsFor')}>
      <span className={isLate ? css.bad : 'dim'}>
        <Glyph name="clock" size={16} />
        {isLate && <b>{t('isLate')}</b>}
      </span>
      {waits.map((wait) => (
        <span key={wait.kind}>
          {wait.kind === 'unsubmitted' ? (
            <Unsubmitted job={job} wait={wait} />
          ) : (
            <Told wait={wait} message={lanes?.lastTry?.message} next={lanes?.lastTry?.nextTime} />
          )}
          <Help job={job} wait={wait} />
        </span>
      ))}
    </section>
  )
}

type ToldProps = {
  readonly wait: Wait
  readonly message?: string | undefined
  readonly next?: string | undefined
}

function Told({ wait, message = '', next }: ToldProps) {
  const t = useWords<Key>('job')
  const words = useWaitWords()
  const writers = useWriters()
  const now = useMinute()
  if (wait.kind !== 'engine') return <span>{words(wait)}</span>
  return (
    <span>
      {words(wait)} <bdi>{message}</bdi>{' '}
      {next && t('nextTryWhen', { when: writers.relative(next, now) })}
    </span>
  )
}

/** Somebody may have tried to submit it: then the refusal is the reason. */
function Unsubmitted({ job: { jobId }, wait }: { readonly job: Job; readonly wait: Wait }) {
  const t = useWords<Key>('job')
  const words = useWaitWords()
  const since = useSince()
  const query = {
    kind: ['call' as const],
    only: 'errors' as const,
    order: 'desc' as const,
    pageSize: 20,
  }
  const calls = useCall('listTimeline', { params: { jobId }, query }).data?.timeline ?? []
  const refused = calls.find(({ method, route }) => method === 'PUT' && route?.endsWith('/submit'))
  if (!refused) return <span>{words(wait)}</span>
  const isLimit = refused.code === 'QUOTA_EXCEEDED' || refused.code === 'RATE_LIMITED'
  return (
    <>
      <span>
        {t.rich(isLimit ? 'waitsLimit' : 'waitsRefused', {
          since: since(refused.time),
          code: refused.code ?? String(refused.statusCode),
          c: (inside) => <code>{inside}</code>,
        })}
      </span>
      <ButtonLink
        small
        href={
          isLimit ? '/health/storage' : `/jobs/${jobId}/timeline?show=errors&at=call.${refused.id}`
        }
      >
        {t(isLimit ? 'showLimits' : 'showRefusal')}
      </ButtonLink>
    </>
  )
}

/** The main button of the page submits and completes, so those need no second one. */
function Help({ job, wait }: { readonly job: Job; readonly wait: Wait }) {
  const t = useWords<Key>('job')
  const { jobId, providerId = '' } = job
  const mayReview = useMay('reviewer', 'manager')
  const requests = (state: string) => `/jobs/${jobId}/requests?state=${state}`
  switch (wait.kind) {
    case 'review':
      return (
        <ButtonLink small kind={mayReview ? 'main' : 'plain'} href={requests('REVIEW_TRANSLATION')}>
          {t(mayReview ? 'reviewThese' : 'showThese', { count: wait.count })}
        </ButtonLink>
      )
    case 'engine':
      return (
        <ButtonLink small href={`/providers/${encodeURIComponent(providerId)}`}>
          {t('openProvider')}
        </ButtonLink>
      )
    case 'failed':
    case 'provider':
      return <SendAgain job={job} />
    case 'translation':
      return (
        <ButtonLink small href={requests('IN_TRANSLATION')}>
          {t('showThese')}
        </ButtonLink>
      )
    case 'rejected':
      return (
        <ButtonLink small href={requests('TRANSLATION_REJECTED')}>
          {t('showThese')}
        </ButtonLink>
      )
    case 'sending':
      return (
        <ButtonLink small href="/health">
          {t('openHealth')}
        </ButtonLink>
      )
    default:
      return null
  }
}
