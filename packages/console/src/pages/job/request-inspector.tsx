/**
 * One request beside the list: its verdict, what went wrong, source and translation side by side,
 * and its facts.
 */
import type { Job, JobRequest } from '@dragoman/contract/wire'
import { StatePill } from '../../look/states.tsx'
import { Comments } from '../../parts/comments/comments.tsx'
import { Copy } from '../../parts/controls.tsx'
import { Download } from '../../parts/download.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Inspector, Panel } from '../../parts/page.tsx'
import { RequestSegments } from '../../parts/review/request-segments.tsx'
import { Shown } from '../../parts/said.tsx'
import { useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import css from './job.module.css'
import { isReady as hasTranslation } from './request-columns.tsx'
import { ReviewActs } from './review-acts.tsx'
import { SendAgain } from './send-again.tsx'
import type { Key } from './sentence.tsx'

type Props = { readonly job: Job; readonly requestId: string; readonly onClose: () => void }

export function RequestInspector({ job, requestId, onClose }: Props) {
  const t = useWords<Key>('job')
  const { jobId } = job
  const request = useCall('findRequest', { params: { jobId, requestId } }, { keepOld: false })
  return (
    <Inspector
      label={t('request')}
      title={
        <>
          <bdi>{request.data?.requestName ?? t('request')}</bdi>
          {request.data && <StatePill status={request.data.statusCode} />}
        </>
      }
      onClose={onClose}
      wide
    >
      <ReviewActs job={job} requestId={requestId} request={request.data} />
      <Shown of={request}>{(shown) => <Details request={shown} job={job} />}</Shown>
    </Inspector>
  )
}

function Details({ request, job }: { readonly request: JobRequest; readonly job: Job }) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  const { requestId, statusCode } = request
  const { jobId } = job
  const isReady = hasTranslation(statusCode)
  const code = request.targetNativeLanguageCode
  return (
    <>
      {request.hasError && (
        <Panel tone="bad">
          <h3>{t('hasError')}</h3>
          <p>
            <bdi>{request.latestErrorMessage}</bdi>
          </p>
          <SendAgain job={job} />
        </Panel>
      )}
      {request.lastTry && (
        <Panel tone="warn">
          <h3>{t('lastTry')}</h3>
          <p>
            <bdi>{request.lastTry.message}</bdi>
          </p>
          <p className="dim">
            <Moment at={request.lastTry.nextTime} as="relative" />
          </p>
        </Panel>
      )}
      {request.rejectNote && (
        <Panel title={t('note')}>
          <p dir="auto">{request.rejectNote}</p>
        </Panel>
      )}
      {isReady && job.archiveStatus === 'ACTIVE' && (
        <Panel title={t('sideBySide')}>
          <RequestSegments
            key={requestId}
            jobId={jobId}
            requestId={requestId}
            from={request.sourceNativeLanguageCode}
            to={code}
          />
        </Panel>
      )}
      <Panel title={t('tab.comments')}>
        <Comments place={{ jobId, requestId }} />
      </Panel>
      <Panel title={t('facts')}>
        <dl className={css.pairs}>
          <dt>{t('requestId')}</dt>
          <dd>
            <span className="mono">{requestId}</span> <Copy text={requestId} label={t('copyId')} />
          </dd>
          <dt>{t('languages')}</dt>
          <dd>
            <bdi>{writers.language(request.sourceNativeLanguageCode)}</bdi> –{' '}
            <bdi>{writers.language(code)}</bdi>
          </dd>
          <dt>{t('content')}</dt>
          <dd>{request.fileName ? <bdi>{request.fileName}</bdi> : t('keyValue')}</dd>
          <dt>{t('nativeId')}</dt>
          <dd>
            <bdi>{request.sourceNativeId}</bdi>
          </dd>
          <dt>{t('changed')}</dt>
          <dd>
            <Moment at={request.modifiedDate} />
          </dd>
        </dl>
        {isReady && (
          <div className={css.bar}>
            <Download
              path={`/jobs/${jobId}/requests/${requestId}/retrievefile`}
              name={request.fileName ?? `${request.requestName}.json`}
              label={t('downloadTranslation', { name: request.requestName })}
            />
            <span>{t('translation')}</span>
          </div>
        )}
      </Panel>
      {request.warnings && request.warnings.length > 0 && (
        <Panel title={t('warnings')} tone="warn">
          <ul>
            {request.warnings.map((warning) => (
              <li key={warning}>
                <bdi>{warning}</bdi>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  )
}
