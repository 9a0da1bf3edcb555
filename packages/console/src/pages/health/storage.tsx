/**
 * What is stored, compared with the limits: quotas of the site; for operators also the sites by
 * size, and the disk.
 */
import type { CallAnswer } from '../../hub.ts'
import { Page, Panel } from '../../parts/page.tsx'
import { Empty, Failed, Loading, Shown } from '../../parts/said.tsx'
import { useCall, usePages } from '../../queries.ts'
import { useSession } from '../../session.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import css from './health.module.css'
import { NotShown } from './not-shown.tsx'
import type { Key, PartProps } from './part.ts'
import { useOperator } from './use-operator.ts'

type Quota = CallAnswer<'findQuota'>['quotas'][number]
/** From this share on, a bar is marked. */
const near = 0.9

export function Storage({ frame }: PartProps) {
  const { siteId } = useSession()
  const isOperator = useOperator()
  const t = useWords<Key>('health')
  return (
    <Page {...frame}>
      <div className={css.panels}>
        <Panel title={t('quotas')}>
          {siteId === '' ? (
            <Empty glyph="lock" title={t('noQuotas')}>
              {t('noQuotasBody')}
            </Empty>
          ) : (
            <Quotas />
          )}
        </Panel>
        <Panel title={t('sites')}>
          {isOperator ? (
            <Sites />
          ) : (
            <NotShown
              title={t('noSites')}
              body={t('noSitesBody')}
              command="dragoman sites list --local"
            />
          )}
        </Panel>
        {isOperator && <Disk />}
      </div>
    </Page>
  )
}

function Quotas() {
  const t = useWords<Key>('health')
  const { number } = useWriters()
  const quotas = useCall('findQuota', {})
  const isOfSite = (quota: Quota) => quota.used !== undefined
  return (
    <Shown of={quotas} rows={6}>
      {({ quotas: all }) => (
        <>
          <p className="dim meta">{t('quotasBody')}</p>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll a page without links only from an element in it */}
          <ul className={css.meters} tabIndex={0} aria-label={t('quotas')}>
            {all.filter(isOfSite).map(({ name, used = 0, value }) => (
              <Meter
                key={name}
                name={t(`quota.${name}`)}
                used={used}
                limit={value}
                bytes={name === 'MaxBytesPerSite'}
              />
            ))}
          </ul>
          <h3>{t('limits')}</h3>
          <dl className={css.pairs}>
            {all
              .filter((quota) => !isOfSite(quota))
              .flatMap(({ name, value }) => [
                <dt key={name}>{t(`quota.${name}`)}</dt>,
                <dd key={`${name} value`}>{number(value)}</dd>,
              ])}
          </dl>
        </>
      )}
    </Shown>
  )
}

type MeterProps = {
  readonly name: string
  readonly used: number
  readonly limit: number
  readonly bytes?: boolean
}

/** A bar with its text; the pattern changes near the limit. */
function Meter({ name, used, limit, bytes }: MeterProps) {
  const t = useWords<Key>('health')
  const writers = useWriters()
  const share = limit > 0 ? Math.min(1, used / limit) : 1
  const write = bytes ? writers.bytes : writers.number
  return (
    <li className={css.meter}>
      <span>{name}</span>
      <span>
        {t('used', {
          used: write(used),
          limit: write(limit),
          percent: writers.percent(Math.round(share * 100) / 100),
        })}
      </span>
      <span className={css.track} aria-hidden="true">
        <span
          className={`${css.used} ${share >= near ? css.near : ''}`}
          style={{ inlineSize: `${share * 100}%` }}
        />
      </span>
    </li>
  )
}

function Sites() {
  const t = useWords<Key>('health')
  const { bytes } = useWriters()
  const { items, isLoading, failure, reload } = usePages('listSites', {})
  if (isLoading) return <Loading rows={4} />
  if (failure) return <Failed failure={failure} retry={reload} />
  const largest = Math.max(1, ...items.map((site) => site.bytes))
  return (
    <ul className={css.meters}>
      {[...items]
        .sort((one, other) => other.bytes - one.bytes)
        .map((site) => (
          <li key={site.siteId} className={css.meter}>
            <bdi>{site.siteId}</bdi>
            <span>
              {[
                bytes(site.bytes),
                t('siteJobs', { count: site.jobs }),
                t('siteClients', { count: site.clients }),
                ...(site.removalDate ? [t('removing')] : []),
              ].join(' · ')}
            </span>
            <span className={css.track} aria-hidden="true">
              <span
                className={css.used}
                style={{ inlineSize: `${(site.bytes / largest) * 100}%` }}
              />
            </span>
          </li>
        ))}
    </ul>
  )
}

/** The hub reports its disk when it is nearly full. */
function Disk() {
  const t = useWords<Key>('health')
  const found = useCall('listFindings', { query: { rule: ['disk-near'] } })
  return (
    <Shown of={found} rows={1}>
      {({ findings: [finding] }) => (
        <Panel title={t('disk')} tone={finding ? 'bad' : 'good'}>
          {finding ? (
            <p lang="en" dir="ltr">
              {finding.sentence}
            </p>
          ) : (
            <p>{t('diskFine')}</p>
          )}
        </Panel>
      )}
    </Shown>
  )
}
