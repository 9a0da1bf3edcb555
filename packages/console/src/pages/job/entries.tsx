/**
 * The entries of the timeline as a grid of rows, each below its cause. Only the visible rows are in
 * the document.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { useNow } from '../../clock.ts'
import { useKeys } from '../../keys.ts'
import { Glyph } from '../../look/glyphs.tsx'
import { focusRow } from '../../parts/grid.tsx'
import { DayName } from '../../parts/moment.tsx'
import { useNarrow } from '../../parts/narrow.ts'
import { Failed, Loading } from '../../parts/said.tsx'
import { useSearchState } from '../../search.ts'
import { useWriters, type Writers } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import type { Selection } from './entry-inspector.tsx'
import { glyphs, isFailure, type Key, Outcome, Sentence } from './sentence.tsx'
import css from './timeline.module.css'
import { idOf, rowsOf, type TimelineRow } from './timeline-rows.ts'
import type { Timeline } from './use-timeline.ts'

const heights = { day: 38, gap: 30, head: 34, child: 30 }
const narrowHeights = { day: 38, gap: 30, head: 54, child: 50 }

export function Entries({
  timeline,
  provider,
  frame,
  label,
  onSelected,
  empty,
}: {
  readonly timeline: Timeline
  readonly provider: string
  readonly frame: React.RefObject<HTMLDivElement | null>
  readonly label: string
  readonly onSelected: (selected: Selection | undefined) => void
  readonly empty: React.ReactNode
}) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  const now = useNow()
  const [search, setSearch] = useSearchState()
  const isNarrow = useNarrow()
  const list = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(0)
  const { entries, hasMore, loadMore } = timeline
  const rows = useMemo(() => rowsOf(entries, writers.longDate), [entries, writers])
  const sizes = isNarrow ? narrowHeights : heights
  const [margin, setMargin] = useState(0)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: (at) => sizes[rows[at]?.type ?? 'child'],
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 8,
    scrollMargin: margin,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are measured again when their sizes change.
  useEffect(() => virtual.measure(), [virtual, sizes, rows])
  useEffect(() => {
    const measure = () => setMargin(list.current?.offsetTop ?? 0)
    measure()
    const watch = new ResizeObserver(measure)
    if (frame.current?.firstElementChild) watch.observe(frame.current.firstElementChild)
    return () => watch.disconnect()
  }, [frame])
  const { at } = search
  useEffect(() => {
    const row = at ? rows.find((one) => 'told' in one && idOf(one.told.entry) === at) : undefined
    onSelected(row && 'told' in row ? row : undefined)
  }, [at, rows, onSelected])
  const shown = virtual.getVirtualItems()
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (hasMore && last >= rows.length - 30) loadMore()
  }, [hasMore, last, rows.length, loadMore])

  const isEntry = (at: number) => rows[at]?.type === 'head' || rows[at]?.type === 'child'
  const goTo = (from: number, step: 1 | -1) => {
    let to = from
    while (to >= 0 && to < rows.length && !isEntry(to)) to += step
    if (!isEntry(to)) return
    setFocused(to)
    virtual.scrollToIndex(to)
    focusRow(list.current, to)
  }
  const open = (row: TimelineRow | undefined) => {
    if (row && 'told' in row)
      setSearch({ at: idOf(row.told.entry) }, search.at ? 'replace' : 'push')
  }
  const isInside = () => list.current?.contains(document.activeElement) === true
  useKeys([
    { keys: 'j', says: t('nextEntry'), act: () => goTo(isInside() ? focused + 1 : focused, 1) },
    { keys: 'k', says: t('previousEntry'), act: () => goTo(focused - 1, -1) },
    { keys: 'o', says: t('openEntry'), act: () => open(rows[focused]) },
  ])
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, readonly [number, 1 | -1]> = {
      ArrowDown: [focused + 1, 1],
      ArrowUp: [focused - 1, -1],
      Home: [0, 1],
      End: [rows.length - 1, -1],
    }
    const step = steps[event.key]
    if (!step && event.key !== 'Enter') return
    event.preventDefault()
    if (step) goTo(...step)
    else open(rows[focused])
  }
  if (rows.length === 0) {
    if (timeline.failure) return <Failed failure={timeline.failure} retry={timeline.reload} />
    return timeline.isLoading ? <Loading rows={10} /> : empty
  }
  // The first entry is in the tab order until another one has had the focus.
  const inOrder = isEntry(focused) ? focused : rows.findIndex(({ type }) => type === 'head')
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are virtual, which a table does not allow.
    <div
      role="grid"
      aria-label={label}
      aria-rowcount={hasMore ? -1 : rows.length}
      className={css.list}
      ref={list}
      onKeyDown={onKey}
    >
      <div role="presentation" className={css.all} style={{ blockSize: virtual.getTotalSize() }}>
        {shown.map(({ index, start }) => {
          const row = rows[index]
          if (!row) return null
          const style = { blockSize: sizes[row.type], transform: `translateY(${start - margin}px)` }
          if (!('told' in row))
            return <Between key={row.key} row={row} index={index} style={style} />
          const id = idOf(row.told.entry)
          const isBad = isFailure(row.told)
          return (
            // biome-ignore lint/a11y/useSemanticElements: as above.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of all its rows.
            <div
              key={row.key}
              role="row"
              data-index={index}
              aria-rowindex={index + 1}
              aria-selected={search.at === id}
              tabIndex={index === inOrder ? 0 : -1}
              className={`${css.row} ${css[row.type]} ${row.isLast ? css.lastOne : ''} ${isBad ? css.isBad : ''}`}
              style={style}
              onFocus={() => setFocused(index)}
              onClick={(event) => {
                if (!(event.target as HTMLElement).closest('a')) open(row)
              }}
            >
              {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
              <span role="gridcell" tabIndex={-1} className={css.time}>
                <Time row={row} writers={writers} />
              </span>
              <span className={css.glyph} aria-hidden="true">
                <Glyph name={glyphs[row.told.entry.kind]} size={row.type === 'head' ? 16 : 14} />
              </span>
              {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
              <span role="gridcell" tabIndex={-1} className={css.text}>
                <Sentence told={row.told} caused={row.caused} provider={provider} />
              </span>
              {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
              <span role="gridcell" tabIndex={-1} className={css.outcome}>
                <Outcome told={row.told} now={now} />
              </span>
            </div>
          )
        })}
      </div>
      {hasMore && <p className={css.more}>{t('olderFollow')}</p>}
    </div>
  )
}

function Time({
  row,
  writers,
}: {
  readonly row: Extract<TimelineRow, { told: unknown }>
  readonly writers: Writers
}) {
  const { time } = row.told.entry
  return (
    <time dateTime={time} title={time}>
      {row.type === 'head' ? writers.clock(time) : `+${writers.duration(row.ms)}`}
    </time>
  )
}

/** A day, or how long nothing happened. */
function Between({
  row,
  index,
  style,
}: {
  readonly row: Extract<TimelineRow, { type: 'day' | 'gap' }>
  readonly index: number
  readonly style: React.CSSProperties
}) {
  const t = useWords<Key>('job')
  const writers = useWriters()
  return (
    // biome-ignore lint/a11y/useSemanticElements: as above.
    // biome-ignore lint/a11y/useFocusableInteractive: keyboard navigation skips what is not an entry.
    <div role="row" aria-rowindex={index + 1} className={css[row.type]} style={style}>
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <span role="gridcell" tabIndex={-1}>
        {row.type === 'gap' ? (
          t('nothingFor', { time: writers.duration(row.ms) })
        ) : (
          <DayName at={row.at} />
        )}
      </span>
    </div>
  )
}
