/** The columns of the list of requests. */
import {
  type Job,
  type JobRequest,
  type RequestStatus,
  translationReady,
} from '@dragoman/contract/wire'
import { Pill, StatePill } from '../../look/states.tsx'
import { Download } from '../../parts/download.tsx'
import type { Column } from '../../parts/grid.tsx'
import { Moment } from '../../parts/moment.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import css from './job.module.css'
import { inReview } from './request-pages.ts'
import type { Key } from './sentence.tsx'
import { useJobVerdicts } from './verdicts.tsx'

export const isReady = (status: RequestStatus): boolean =>
  (translationReady.status as readonly string[]).includes(status)

export function useRequestColumns(
  job: Job,
  marked: ReadonlySet<string>,
  toggle: (request: JobRequest) => void,
  /** Beside a panel there is room for the first columns only. */
  isBeside: boolean,
): Column<JobRequest>[] {
  const t = useWords<Key>('job')
  const writers = useWriters()
  const verdicts = useJobVerdicts()
  const columns: Column<JobRequest>[] = [
    {
      name: 'mark',
      title: <span className="unseen">{t('marked')}</span>,
      width: '20px',
      narrow: 0,
      cell: (request) =>
        request.statusCode === inReview &&
        verdicts.on(request.requestId) === undefined && (
          <input
            type="checkbox"
            tabIndex={-1}
            className={css.check}
            aria-label={t('markOne', { name: request.requestName })}
            checked={marked.has(request.requestId)}
            onChange={() => toggle(request)}
          />
        ),
    },
    {
      name: 'name',
      title: t('request'),
      width: 'minmax(0, 2fr)',
      cell: (request) => (
        <span className={css.two}>
          <bdi className="clip" lang={request.sourceNativeLanguageCode}>
            {request.requestName}
          </bdi>
          {request.hasError && (
            <span className={`${css.bad} clip`} dir="auto">
              <bdi>{request.latestErrorMessage ?? t('hasError')}</bdi>
            </span>
          )}
          {request.rejectNote && (
            <span className="dim clip">
              <bdi>“{request.rejectNote}”</bdi>
            </span>
          )}
        </span>
      ),
    },
    {
      name: 'language',
      title: t('language'),
      width: 'minmax(0, 110px)',
      narrow: 2,
      cell: ({ targetNativeLanguageCode: code }) => (
        <bdi title={writers.language(code)}>{code}</bdi>
      ),
    },
    {
      name: 'state',
      title: t('state'),
      width: '150px',
      narrow: 2,
      cell: ({ requestId, statusCode }) => {
        const verdict = verdicts.on(requestId)
        if (!verdict) return <StatePill status={statusCode} />
        return (
          <Pill look={verdict === 'approve' ? 'approved' : 'rejected'}>
            {t(`willBe.${verdict}`)}
          </Pill>
        )
      },
    },
    {
      name: 'file',
      title: t('content'),
      width: 'minmax(0, 1fr)',
      narrow: 'hidden',
      cell: ({ fileName }) =>
        fileName ? <bdi>{fileName}</bdi> : <span className="dim">{t('keyValue')}</span>,
    },
    {
      name: 'modified',
      title: t('changed'),
      width: '120px',
      narrow: 2,
      cell: ({ modifiedDate }) => <Moment at={modifiedDate} as="relative" />,
    },
    {
      name: 'download',
      title: t('translation'),
      width: '90px',
      atEnd: true,
      narrow: 'hidden',
      cell: ({ requestId, requestName, statusCode, fileName }) =>
        isReady(statusCode) &&
        job.archiveStatus === 'ACTIVE' && (
          <Download
            path={`/jobs/${job.jobId}/requests/${requestId}/retrievefile`}
            name={fileName ?? `${requestName}.json`}
            label={t('downloadTranslation', { name: requestName })}
          />
        ),
    },
  ]
  return isBeside
    ? columns.filter(({ name }) => !['file', 'modified', 'download'].includes(name))
    : columns
}
