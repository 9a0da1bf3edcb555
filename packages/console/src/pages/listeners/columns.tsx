/** The columns of the list of listeners. */
import type { ListenerStatistics } from '@dragoman/contract/wire'
import { Pill } from '../../look/states.tsx'
import type { Column } from '../../parts/grid.tsx'
import { columnsOf } from '../../parts/list/columns.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Spark } from '../../parts/plots/spark.tsx'
import { type SeenListener, shortOf } from '../../parts/seen-listeners.ts'
import { useWriters } from '../../times.ts'
import { useFigures } from './figures.ts'
import css from './listeners.module.css'
import { type Key, useListenersWords, useScope } from './words.ts'

/** Beside an inspector there is room only for the main columns. */
const beside = 'hidden' as const

export function useColumns(
  statistics: ReadonlyMap<string, ListenerStatistics>,
): readonly Column<SeenListener>[] {
  const t = useListenersWords()
  const writers = useWriters()
  const scopeOf = useScope()
  const figuresOf = useFigures()
  const of = ({ listenerId }: SeenListener) => statistics.get(listenerId)
  const column = columnsOf<SeenListener, Key>(t)
  return [
    column('listener', 'minmax(0, 1.4fr)', 1, ({ urls, clientId = '' }) => (
      <>
        <span className={`${css.url} clip`} dir="ltr" title={urls.join('\n')}>
          {urls.map(shortOf).join(', ') || '–'}
        </span>
        <span className={`${css.below} ${css.wideOnly}`}>
          <bdi>{clientId}</bdi>
        </span>
      </>
    )),
    column('state', '116px', 1, (seen) => <ListenerPill seen={seen} statistics={of(seen)} />),
    column(
      'scope',
      'minmax(0, 1.4fr)',
      2,
      (seen) => {
        const { whose, isWide, what } = scopeOf(seen)
        return (
          <span title={`${whose}, ${what}`}>
            <b className={isWide ? css.wide : css.narrow}>
              <bdi>{whose}</bdi>
            </b>{' '}
            <span className={css.below}>
              <bdi>{what}</bdi>
            </span>
          </span>
        )
      },
      { beside },
    ),
    column(
      'day',
      '104px',
      'hidden',
      (seen) => {
        const found = of(seen)
        return (
          found && <Spark up={found.delivered} down={found.failed} label={figuresOf(found).says} />
        )
      },
      { beside },
    ),
    column(
      'success',
      '72px',
      2,
      (seen) => {
        const found = of(seen)
        const figures = found && figuresOf(found)
        return (
          <span className={figures && figures.failed > 0 ? css.bad : undefined}>
            {figures?.percent || '–'}
          </span>
        )
      },
      { atEnd: true },
    ),
    column(
      'p95',
      '76px',
      'hidden',
      (seen) => {
        const ms = of(seen)?.p95Ms
        return ms === undefined ? '–' : writers.duration(ms)
      },
      { atEnd: true, beside },
    ),
    column(
      'lastError',
      '120px',
      'hidden',
      (seen) => {
        const last = of(seen)?.lastError
        return (
          last && (
            <span title={last.error}>
              <b className={css.bad}>{last.responseCode ?? t('noAnswer')}</b>
              <span className={css.below}>
                <Moment at={last.time} as="relative" />
              </span>
            </span>
          )
        )
      },
      { beside },
    ),
  ]
}

export function ListenerPill({
  seen,
  statistics,
}: {
  readonly seen: SeenListener
  readonly statistics: ListenerStatistics | undefined
}) {
  const t = useListenersWords()
  if (seen.listener.disabled)
    return (
      <Pill look="cancelled" glyph="cancelled">
        {t('disabled')}
      </Pill>
    )
  if ((statistics?.failing ?? 0) > 0)
    return (
      <Pill look="rejected" glyph="error">
        {t('failing')}
      </Pill>
    )
  return (
    <Pill look="approved" glyph="approved">
      {t('enabled')}
    </Pill>
  )
}
