/** The columns of the list of listeners. */
import type { ListenerStatistics } from '@dragoman/contract/wire'
import { Pill } from '../../look/states.tsx'
import type { Column } from '../../parts/grid.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Spark } from '../../parts/plots/spark.tsx'
import { type SeenListener, shortOf } from '../../parts/seen-listeners.ts'
import { useWriters } from '../../times.ts'
import { useFigures } from './figures.ts'
import css from './listeners.module.css'
import { useListenersWords, useScope } from './words.ts'

/** Beside an inspector there is room only for the main ones. */
const main = ['url', 'state', 'success']

export function useColumns(
  statistics: ReadonlyMap<string, ListenerStatistics>,
  isNarrow: boolean,
): readonly Column<SeenListener>[] {
  const t = useListenersWords()
  const writers = useWriters()
  const scopeOf = useScope()
  const figuresOf = useFigures()
  const of = ({ listenerId }: SeenListener) => statistics.get(listenerId)
  const all: readonly Column<SeenListener>[] = [
    {
      name: 'url',
      title: t('listener'),
      width: 'minmax(0, 1.4fr)',
      narrow: 1,
      cell: ({ urls, clientId = '' }) => (
        <>
          <span className={`${css.url} clip`} dir="ltr" title={urls.join('\n')}>
            {urls.map(shortOf).join(', ') || '–'}
          </span>
          <span className={`${css.below} ${css.wideOnly}`}>
            <bdi>{clientId}</bdi>
          </span>
        </>
      ),
    },
    {
      name: 'state',
      title: t('state'),
      width: '116px',
      narrow: 1,
      cell: (seen) => <ListenerPill seen={seen} statistics={of(seen)} />,
    },
    {
      name: 'scope',
      title: t('scope'),
      width: 'minmax(0, 1.4fr)',
      narrow: 2,
      cell: (seen) => {
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
    },
    {
      name: 'day',
      title: t('day'),
      width: '104px',
      narrow: 'hidden',
      cell: (seen) => {
        const found = of(seen)
        return (
          found && <Spark up={found.delivered} down={found.failed} label={figuresOf(found).says} />
        )
      },
    },
    {
      name: 'success',
      title: t('success'),
      width: '72px',
      atEnd: true,
      narrow: 2,
      cell: (seen) => {
        const found = of(seen)
        const figures = found && figuresOf(found)
        return (
          <span className={figures && figures.failed > 0 ? css.bad : undefined}>
            {figures?.percent || '–'}
          </span>
        )
      },
    },
    {
      name: 'p95',
      title: t('p95'),
      width: '76px',
      atEnd: true,
      narrow: 'hidden',
      cell: (seen) => {
        const ms = of(seen)?.p95Ms
        return ms === undefined ? '–' : writers.duration(ms)
      },
    },
    {
      name: 'last',
      title: t('lastError'),
      width: '120px',
      narrow: 'hidden',
      cell: (seen) => {
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
    },
  ]
  return isNarrow ? all.filter(({ name }) => main.includes(name)) : all
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
