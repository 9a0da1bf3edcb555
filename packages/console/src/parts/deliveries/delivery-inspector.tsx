/**
 * Everything about one delivery: its result, its attempts, its signature, its body, and code that
 * sends or verifies it.
 */
import type { SentDelivery } from '@dragoman/contract/wire'
import { Link } from 'wouter'
import { useAct, useCall } from '../../queries.ts'
import { useWriters } from '../../times.ts'
import { Button, Copy } from '../controls.tsx'
import css from '../delivery.module.css'
import { readable } from '../json-lines.ts'
import { Moment } from '../moment.tsx'
import { Code, Facts, Inspector, Panel } from '../page.tsx'
import { Refused, Shown } from '../said.tsx'
import { DeliveryAttempts } from './delivery-attempts.tsx'
import { DeliveryCode } from './delivery-code.tsx'
import { ReplayEdited } from './delivery-edited.tsx'
import { DeliverySignature } from './delivery-signature.tsx'
import { DeliveryPill, standingOf } from './delivery-state.tsx'
import { adviceIn, causeIn, hostOf, useDeliveryWords } from './delivery-words.ts'

export function DeliveryInspector({
  deliveryId,
  onClose,
}: {
  readonly deliveryId: string
  readonly onClose: () => void
}) {
  const t = useDeliveryWords()
  const found = useCall('findDelivery', { params: { deliveryId } }, { keepOld: false })
  const replay = useAct('replaySiteDeliveries', [
    'findDelivery',
    'listSiteDeliveries',
    'listDeliveryCauses',
    'listTimeline',
  ])
  const { data } = found
  const name =
    data?.sequence === undefined ? t('delivery') : t('deliveryNumber', { number: data.sequence })
  return (
    <Inspector
      label={name}
      title={
        <>
          {name}
          {data && <DeliveryPill delivery={data} />}
        </>
      }
      acts={
        <Button
          small
          glyph="again"
          busy={replay.isPending}
          onClick={() => replay.mutate({ body: { deliveryIds: [deliveryId] } })}
        >
          {t('replay')}
        </Button>
      }
      onClose={onClose}
    >
      {replay.data && (
        <p role="status" className={css.said}>
          {t('replayed')}
        </p>
      )}
      <Refused failure={replay.error} withCode />
      <Shown of={found}>{(delivery) => <Details delivery={delivery} />}</Shown>
    </Inspector>
  )
}

/** A sample and an edited body have a job id of their own, which leads nowhere. */
function JobOf({ delivery: { jobId, sequence } }: { readonly delivery: SentDelivery }) {
  const isTold = sequence !== undefined
  const { data } = useCall('findJob', { params: { jobId } }, { enabled: !isTold, keepOld: false })
  if (!isTold && !data) return <code>{jobId}</code>
  return <Link href={`/jobs/${jobId}`}>{jobId}</Link>
}

function Details({ delivery }: { readonly delivery: SentDelivery }) {
  const t = useDeliveryWords()
  const { body, url, listenerId, eventType, causeId, createdTime } = delivery
  return (
    <>
      <Verdict delivery={delivery} />
      <Panel>
        <Facts
          facts={[
            { name: t('to'), value: <code className={css.url}>{url}</code> },
            { name: t('event'), value: <code>{eventType}</code> },
            { name: t('job'), value: <JobOf delivery={delivery} /> },
            {
              name: t('listener'),
              value: <Link href={`/listeners/${listenerId}`}>{t('openListener')}</Link>,
            },
            { name: t('created'), value: <Moment at={createdTime} /> },
            { name: t('causedBy'), value: <Link href={`/calls/${causeId}`}>{t('openCall')}</Link> },
          ]}
        />
      </Panel>
      <DeliveryAttempts delivery={delivery} />
      <DeliverySignature key={delivery.deliveryId} delivery={delivery} />
      {body !== undefined && (
        <Panel title={t('body')} beside={<Copy text={body} label={t('copyBody')} />}>
          <Code text={readable(body)} label={t('body')} />
          <ReplayEdited delivery={delivery} />
        </Panel>
      )}
      <DeliveryCode delivery={delivery} />
    </>
  )
}

/** First one plain sentence, then the details. */
function Verdict({ delivery }: { readonly delivery: SentDelivery }) {
  const t = useDeliveryWords()
  const writers = useWriters()
  const { url, responseCode, error, tries, nextAttemptTime } = delivery
  const standing = standingOf(delivery)
  const last = delivery.attempts.at(-1)
  const failure = {
    ...(responseCode !== undefined && { responseCode }),
    ...(error !== undefined && { error }),
  }
  if (standing === 'delivered')
    return (
      <Panel tone="good" title={t('arrived')}>
        <p className="mut">
          {t('arrivedAfter', {
            code: String(responseCode ?? ''),
            tries,
            duration: last ? writers.duration(last.durationMs) : '',
          })}
        </p>
      </Panel>
    )
  if (standing === 'waiting')
    return (
      <Panel title={t('waits')}>
        <p className="mut">{t('waitsWhy')}</p>
      </Panel>
    )
  return (
    <Panel tone="bad" title={<bdi>{causeIn(t, failure, hostOf(url))}</bdi>}>
      <p className="mut">
        {standing === 'parked' ? t('parkedWhy', { tries }) : t('retryingWhy', { tries })}{' '}
        {nextAttemptTime &&
          t.rich('nextAttempt', { when: () => <Moment at={nextAttemptTime} as="relative" /> })}
      </p>
      <p className={css.advice}>{adviceIn(t, failure)}</p>
      {error !== undefined && (
        <p className="meta dim">
          <bdi>{error}</bdi>
        </p>
      )}
    </Panel>
  )
}
