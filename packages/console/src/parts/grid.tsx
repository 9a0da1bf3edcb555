/**
 * A list as a grid of rows: only the visible rows are in the document, the next page is read before
 * the end is reached, arrow keys and j k move, Enter opens. During fast scrolling, rows show only
 * what a narrow screen shows on its first line. Back returns to the row and the place that a person
 * left.
 */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import {
  Fragment,
  type KeyboardEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useKeys } from '../keys.ts'
import type { Pages } from '../queries.ts'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'
import css from './grid.module.css'
import { Day, dayHeight, useDayStarts } from './grid-days.tsx'
import { type Column, GridRow, Head } from './grid-row.tsx'
import { useGridPlace } from './left/grid-place.ts'
import { useNarrow } from './narrow.ts'
import { Failed, Loading } from './said.tsx'

export type { Column }

type GridProps<Row> = {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly pages: Pages<Row>
  readonly idOf: (row: Row) => string
  readonly selected?: string | undefined
  readonly onOpen: (row: Row) => void
  readonly empty: ReactNode
  readonly rowHeight?: 32 | 34 | 40 | 52
  /** The height of a row on a narrow screen. */
  readonly narrowHeight?: 60 | 84
  /** The total number, if the server has counted. */
  readonly total?: number
  /** Marked rows, for bulk actions. */
  readonly marked?: ReadonlySet<string>
  readonly onMark?: (row: Row) => void
  /** Rows are listed below the name of the day of this time. */
  readonly timeOf?: (row: Row) => string
  /** More keys for the row that has the focus. */
  readonly rowKeys?: readonly {
    readonly keys: string
    readonly says: string
    readonly act: (row: Row) => void
  }[]
}

/** The maximum number of rows rendered, however tall the screen is. */
const maxRows = 60

/** The rows to render: the visible ones and some around them. */
function fewRows(range: Range): number[] {
  const visible = range.endIndex - range.startIndex + 1
  const overscan = Math.max(0, Math.min(range.overscan, Math.floor((maxRows - visible) / 2)))
  return defaultRangeExtractor({ ...range, overscan }).slice(0, maxRows)
}

/** Scrolling by this many rows in two steps in a row is too fast to read. */
const fastRows = 5

/**
 * Whether a row may be rendered in brief: it became visible during fast scrolling, and the list is
 * still scrolling fast.
 */
function useBrief(
  offset: number,
  size: number,
  isScrolling: boolean,
  shown: readonly { index: number }[],
) {
  const last = useRef({ offset, wasFar: false, isFast: false })
  const whole = useRef(new Set<number>())
  if (offset !== last.current.offset) {
    const isFar = Math.abs(offset - last.current.offset) > fastRows * size
    last.current = { offset, wasFar: isFar, isFast: isFar && last.current.wasFar }
  }
  if (!isScrolling) last.current = { offset, wasFar: false, isFast: false }
  const { isFast } = last.current
  whole.current = new Set(
    shown.flatMap(({ index }) => (!isFast || whole.current.has(index) ? index : [])),
  )
  return (index: number): boolean => !whole.current.has(index)
}

/** At once where the row is in the document: the next key may come before the next frame. */
export function focusRow(list: HTMLElement | null, index: number): void {
  const focus = () => {
    const row = list?.querySelector<HTMLElement>(`[data-index="${index}"]`)
    row?.focus()
    return row
  }
  if (!focus()) requestAnimationFrame(focus)
}

export function Grid<Row>(props: GridProps<Row>) {
  const {
    label,
    columns: every,
    pages,
    idOf,
    selected,
    onOpen,
    empty,
    rowHeight = 40,
    narrowHeight = 60,
    total,
    marked,
    onMark,
    timeOf,
    rowKeys = [],
  } = props
  const isBeside = selected !== undefined
  const columns = useMemo(
    () => (isBeside ? every.filter(({ beside }) => beside !== 'hidden') : every),
    [every, isBeside],
  )
  const { items, hasMore, loadMore, start = 0, loadEarlier, failedMore } = pages
  const end = start + items.length
  const t = useWords<keyof typeof en>('parts')
  const frame = useRef<HTMLDivElement>(null)
  const isNarrow = useNarrow()
  const size = isNarrow ? narrowHeight : rowHeight
  const place = useGridPlace({ name: `list ${label}`, frame, size, pages, idOf })
  const [focused, setFocused] = useState(place.index)
  // Keys may come faster than the page renders.
  const here = useRef({ index: place.index, isInside: false })
  const startsDay = useDayStarts(items, start, timeOf)
  const headOf = (index: number) => (startsDay(index) ? dayHeight : 0)
  const rows = useVirtualizer({
    count: end,
    getScrollElement: () => frame.current,
    estimateSize: (index) => size + headOf(index),
    scrollPaddingEnd: timeOf ? dayHeight : 0,
    initialOffset: place.offset,
    overscan: 8,
    rangeExtractor: fewRows,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows are measured again when their size changes.
  useEffect(() => rows.measure(), [rows, size, timeOf && items])
  const shown = rows.getVirtualItems()
  const isBrief = useBrief(rows.scrollOffset ?? 0, size, rows.isScrolling, shown)
  const last = shown.at(-1)?.index ?? 0
  const first = shown[0]?.index ?? 0
  const top =
    items[
      (shown.find(({ end: below }) => below > (rows.scrollOffset ?? 0))?.index ?? start) - start
    ]
  useEffect(() => {
    if (hasMore && !failedMore && last >= end - 20) loadMore()
    else if (start > 0 && first < start + 20) loadEarlier?.()
  }, [hasMore, failedMore, first, last, start, end, loadMore, loadEarlier])

  const noteFocus = useRef(place.noteFocus)
  noteFocus.current = place.noteFocus
  const onFocus = useCallback((index: number) => {
    here.current = { index, isInside: true }
    setFocused(index)
    noteFocus.current(index)
  }, [])
  const goTo = (index: number) => {
    const to = Math.max(0, Math.min(end - 1, index))
    onFocus(to)
    rows.scrollToIndex(to)
    focusRow(frame.current, to)
  }
  const at = (act: (row: Row) => void) => () => {
    const row = items[here.current.index - start]
    if (row !== undefined) act(row)
  }
  useKeys([
    {
      keys: 'j',
      says: t('nextRow'),
      act: () => goTo(here.current.index + (here.current.isInside ? 1 : 0)),
    },
    { keys: 'k', says: t('previousRow'), act: () => goTo(here.current.index - 1) },
    { keys: 'o', says: t('openRow'), act: at(onOpen) },
    ...(onMark ? [{ keys: 'x', says: t('markRow'), act: at(onMark) }] : []),
    ...rowKeys.map(({ keys, says, act }) => ({ keys, says, act: at(act) })),
  ])
  const onKey = (event: KeyboardEvent) => {
    const steps: Record<string, number> = {
      ArrowDown: here.current.index + 1,
      ArrowUp: here.current.index - 1,
      Home: 0,
      End: end - 1,
    }
    const to = steps[event.key]
    if (to !== undefined) {
      event.preventDefault()
      goTo(to)
    } else if (event.key === 'Enter' && (event.target as HTMLElement).role === 'row') {
      event.preventDefault()
      at(onOpen)()
    }
  }
  if (items.length === 0) {
    if (pages.failure) return <Failed failure={pages.failure} retry={pages.reload} />
    return pages.isLoading ? <Loading rows={10} /> : empty
  }
  if (place.isReading) return <Loading rows={10} />
  const tracks = columns.map(({ width }) => width).join(' ')
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are virtual, which a table does not allow.
    <div
      role="grid"
      aria-label={label}
      aria-rowcount={total === undefined ? (hasMore ? -1 : end + 1) : Math.max(total, end) + 1}
      className={css.grid}
      style={{ '--tracks': tracks } as React.CSSProperties}
      onKeyDown={onKey}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (currentTarget.contains(relatedTarget)) return
        here.current.isInside = false
        place.noteFocus(undefined)
      }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div role="row" aria-rowindex={1} className={css.head} tabIndex={-1}>
        {columns.map((column) => (
          <Head key={column.name} column={column} />
        ))}
      </div>
      <div className={css.frame} ref={frame} role="presentation" onScroll={place.noteScroll}>
        {timeOf && top !== undefined && <Day at={timeOf(top)} />}
        <div className={css.all} role="presentation" style={{ blockSize: rows.getTotalSize() }}>
          {shown.map(({ index, start: above }) => {
            const row = items[index - start]
            // Dropped from memory; it is being read again.
            if (row === undefined) return null
            const id = idOf(row)
            return (
              <Fragment key={id}>
                {timeOf && startsDay(index) && <Day at={timeOf(row)} top={above} />}
                <GridRow
                  row={row}
                  index={index}
                  top={above + headOf(index)}
                  size={size}
                  columns={columns as readonly Column<unknown>[]}
                  isSelected={selected === id || marked?.has(id) || false}
                  isFocused={index === focused}
                  isBrief={isBrief(index)}
                  onFocus={onFocus}
                  onOpen={onOpen as (row: unknown) => void}
                />
              </Fragment>
            )
          })}
        </div>
      </div>
      {failedMore && <Failed failure={failedMore} retry={loadMore} />}
    </div>
  )
}
