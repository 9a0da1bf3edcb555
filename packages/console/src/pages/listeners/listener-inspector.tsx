/** One listener: its scope, its last day, its secrets, a test, and what can be done with it. */
import type { ListenerStatistics } from '@dragoman/contract/wire'
import { useState } from 'react'
import { Link } from 'wouter'
import { AskDialog } from '../../parts/ask-dialog.tsx'
import { Button, Copy } from '../../parts/controls.tsx'
import { adviceIn, useDeliveryWords } from '../../parts/deliveries/delivery-words.ts'
import { Moment } from '../../parts/moment.tsx'
import { Facts, Inspector, Panel } from '../../parts/page.tsx'
import { Spark } from '../../parts/plots/spark.tsx'
import { Empty, Refused } from '../../parts/said.tsx'
import type { SeenListener } from '../../parts/seen-listeners.ts'
import { useMay } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import { lists, useChange } from './acts.ts'
import { ListenerPill } from './columns.tsx'
import { useFigures } from './figures.ts'
import { ListenerForm } from './listener-form.tsx'
import css from './listeners.module.css'
import { Secrets } from './secrets.tsx'
import { Test } from './test.tsx'
import { useListenersWords, useScope } from './words.ts'

type InspectorProps = {
  readonly seen: SeenListener | undefined
  readonly statistics: ListenerStatistics | undefined
  readonly onClose: () => void
}

export function ListenerInspector({ seen, statistics, onClose }: InspectorProps) {
  const t = useListenersWords()
  return (
    <Inspector
      label={t('listener')}
      title={
        <>
          <bdi>{seen?.host || t('listener')}</bdi>
          {seen && <ListenerPill seen={seen} statistics={statistics} />}
        </>
      }
      onClose={onClose}
    >
      {seen ? (
        <Details seen={seen} statistics={statistics} onClose={onClose} />
      ) : (
        <Empty glyph="listeners" title={t('gone')} />
      )}
    </Inspector>
  )
}

function Details({ seen, statistics, onClose }: InspectorProps & { readonly seen: SeenListener }) {
  const t = useListenersWords()
  const scopeOf = useScope()
  const { whose, isWide, what } = scopeOf(seen)
  const { listener, listenerId, side, urls, clientId } = seen
  const may = useMay('developer', ...(side === 'provider' ? (['provider-manager'] as const) : []))
  const refusal = may ? undefined : t('needsDeveloper')
  const [asked, ask] = useState<'change' | 'delete'>()
  const change = useChange(seen)
  return (
    <>
      {listener.disabled && (
        <Panel tone="bad" title={t('isDisabled')}>
          <p className="mut">
            <bdi>{listener.disabledReason ?? t('byPerson')}</bdi>
          </p>
          <p>{t('enableSends')}</p>
          <div>
            <Button
              small
              glyph="play"
              refusal={refusal}
              busy={change.isPending}
              onClick={() => change.mutate({ disabled: false })}
            >
              {t('enable')}
            </Button>
          </div>
        </Panel>
      )}
      <Refused failure={change.error} withCode />
      <Panel {...(isWide && { tone: 'warn' as const })} title={<bdi>{whose}</bdi>}>
        <p className="mut">
          <bdi>{what}</bdi>
        </p>
        {isWide && (
          <p>
            {t(side === 'connector' ? 'wideJobs' : 'wideProviders', { client: clientId ?? '' })}
          </p>
        )}
        <Facts
          facts={[
            ...urls.map((url) => ({
              name: t('url'),
              value: <code className={css.whole}>{url}</code>,
            })),
            { name: t('owner'), value: <bdi>{clientId}</bdi> },
            { name: t('side'), value: t(side) },
            { name: t('auth'), value: <code>{listener.authType}</code> },
            'acknowledgeStatusUpdate' in listener && {
              name: t('acknowledges'),
              value: listener.acknowledgeStatusUpdate ? t('yes') : t('no'),
            },
            {
              name: t('id'),
              value: (
                <span className={css.id}>
                  <code>{listenerId}</code>
                  <Copy text={listenerId} label={t('copyId')} />
                </span>
              ),
            },
          ]}
        />
      </Panel>
      {statistics && <Day seen={seen} statistics={statistics} />}
      <Test seen={seen} refusal={refusal} />
      {listener.authType !== 'NONE' && (
        <Secrets seen={seen} oldSecrets={statistics?.oldSecrets ?? []} refusal={refusal} />
      )}
      <div className={css.acts}>
        <Button small refusal={refusal} onClick={() => ask('change')}>
          {t('change')}
        </Button>
        {!listener.disabled && (
          <Button
            small
            refusal={refusal}
            busy={change.isPending}
            onClick={() => change.mutate({ disabled: true })}
          >
            {t('disable')}
          </Button>
        )}
        <Button small kind="danger" glyph="bin" refusal={refusal} onClick={() => ask('delete')}>
          {t('delete')}
        </Button>
      </div>
      {asked === 'change' && <ListenerForm seen={seen} onClose={() => ask(undefined)} />}
      {asked === 'delete' && (
        <AskDialog
          title={t('deleteTitle')}
          act={t('delete')}
          kind="danger"
          call={side === 'connector' ? 'deleteListener' : 'deleteProviderListener'}
          input={{ params: { listenerId } }}
          changes={lists}
          onDone={onClose}
          onClose={() => ask(undefined)}
        >
          <p>
            <code className={css.whole}>{urls.join(' ')}</code>
          </p>
          <p>{t('deleteSays')}</p>
        </AskDialog>
      )}
    </>
  )
}

function Day({
  seen,
  statistics,
}: {
  readonly seen: SeenListener
  readonly statistics: ListenerStatistics
}) {
  const t = useListenersWords()
  const d = useDeliveryWords()
  const writers = useWriters()
  const figuresOf = useFigures()
  const { delivered, failed, p95Ms, failing, failingSince, lastError, newest } = statistics
  const { percent, says } = figuresOf(statistics)
  return (
    <Panel
      title={t('day')}
      beside={<Link href={`/deliveries?listener=${seen.listenerId}`}>{t('toDeliveries')}</Link>}
    >
      <Spark up={delivered} down={failed} label={says} large />
      <p className="meta dim">
        {says} {newest && t('newestOnly')}
      </p>
      <Facts
        facts={[
          { name: t('success'), value: percent || '–' },
          { name: t('p95'), value: p95Ms === undefined ? '–' : writers.duration(p95Ms) },
          failing > 0 && {
            name: t('failingNow'),
            value: <b className={css.bad}>{writers.number(failing)}</b>,
          },
          failingSince !== undefined && {
            name: t('failingSince'),
            value: <Moment at={failingSince} as="relative" />,
          },
        ]}
      />
      {lastError && (
        <>
          <p>
            {t('lastError')}: <b className={css.bad}>{lastError.responseCode ?? t('noAnswer')}</b>{' '}
            <span className="dim">
              <Moment at={lastError.time} as="relative" />
            </span>
          </p>
          {lastError.error && (
            <p className="meta dim">
              <bdi>{lastError.error}</bdi>
            </p>
          )}
          {failing > 0 && <p className="mut">{adviceIn(d, lastError)}</p>}
        </>
      )}
    </Panel>
  )
}
