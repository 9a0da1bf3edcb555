/**
 * The segments as rows of their own height. Only those that are seen are in the document; the next
 * page is read before the end is reached. The row at hand is rendered by `active`.
 */
import { useVirtualizer } from '@tanstack/react-virtual'
import { memo, type ReactNode, useEffect, useImperativeHandle, useRef } from 'react'
import { Glyph, type GlyphName } from '../../look/glyphs.tsx'
import { ChipText } from '../../parts/chip-editor/chip-text.tsx'
import { useWriters } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { DraftNote } from './draft-note.tsx'
import { foundIn, isOpen } from './filters.ts'
import type { Task } from './task.ts'
import type { Key } from './texts.ts'
import type { Shown } from './use-segments.ts'
import css from './workbench.module.css'

const rowHeight = 45
/** The heading stays in view, above the rows. */
const headHeight = 37
export type RowsHandle = { readonly show: (index: number) => void }

type RowsProps<Row extends Shown> = {
  readonly task: Task
  readonly rows: readonly Row[]
  readonly current: string | undefined
  readonly onChoose: (row: Row) => void
  readonly onEnd: (() => void) | undefined
  /** How many rows before the first were dropped from memory, and how to read them again. */
  readonly start?: number
  readonly onStart?: (() => void) | undefined
  readonly active: (row: Row) => ReactNode
  readonly markOf?: (row: Row) => Mark
  /**
   * Below the target of a row that is not at hand: what the checks find. Must not change between
   * renderings.
   */
  readonly below?: (row: Row) => ReactNode
  /** Between target and match. */
  readonly extra?: (row: Row) => ReactNode
  readonly headings: readonly string[]
  readonly hasNoMatch?: boolean
  readonly handle: React.Ref<RowsHandle>
}

export function Rows<Row extends Shown>(props: RowsProps<Row>) {
  const {
    task,
    rows,
    current,
    onChoose,
    onEnd,
    start: dropped = 0,
    onStart,
    active,
    markOf = markOfSegment,
    below,
    extra,
    headings,
    hasNoMatch,
    handle,
  } = props
  const t = useWords<Key>('workbench')
  const frame = useRef<HTMLDivElement>(null)
  const list = useVirtualizer({
    count: dropped + rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index - dropped]?.position ?? index + 1,
    overscan: 6,
    scrollMargin: headHeight,
    scrollPaddingStart: headHeight,
  })
  useImperativeHandle(handle, () => ({ show: (index) => list.scrollToIndex(dropped + index) }), [
    list,
    dropped,
  ])
  const shown = list.getVirtualItems()
  const first = shown[0]?.index ?? 0
  const last = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (last >= dropped + rows.length - 20) onEnd?.()
    else if (dropped > 0 && first < dropped + 20) onStart?.()
  }, [first, last, dropped, rows.length, onEnd, onStart])
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are virtual, which a table does not allow.
    <div
      role="table"
      aria-label={t('segments')}
      aria-rowcount={onEnd ? -1 : dropped + rows.length + 1}
      className={[css.table, extra && css.wide, hasNoMatch && css.noMatch]
        .filter(Boolean)
        .join(' ')}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      <div
        className={css.scroll}
        ref={frame}
        role="rowgroup"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls.
        tabIndex={0}
        aria-label={t('segments')}
      >
        {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
        {/* biome-ignore lint/a11y/useFocusableInteractive: a heading takes no focus. */}
        <div role="row" aria-rowindex={1} className={`${css.row} ${css.headRow}`}>
          {['', ...headings].map((text, at) => (
            // biome-ignore lint/a11y/useSemanticElements: as above.
            // biome-ignore lint/a11y/useFocusableInteractive: as above.
            // biome-ignore lint/suspicious/noArrayIndexKey: the columns do not move.
            <span key={at} role="columnheader">
              {text || <span className="unseen">{at === 0 ? t('position') : t('state')}</span>}
            </span>
          ))}
        </div>
        <div className={css.space} role="presentation" style={{ blockSize: list.getTotalSize() }}>
          {shown.map(({ index, start }) => {
            const row = rows[index - dropped]
            if (!row) return null
            const isCurrent = row.segmentId === current
            return (
              // biome-ignore lint/a11y/useSemanticElements: as above.
              // biome-ignore lint/a11y/useFocusableInteractive: its button takes the focus.
              <div
                key={row.segmentId}
                ref={list.measureElement}
                data-index={index}
                data-segment={row.position}
                role="row"
                aria-rowindex={index + 2}
                aria-current={isCurrent || undefined}
                className={isCurrent ? `${css.row} ${css.current}` : css.row}
                style={{ transform: `translateY(${start - headHeight}px)` }}
              >
                {isCurrent ? (
                  active(row)
                ) : (
                  <PlainRow
                    row={row}
                    task={task}
                    mark={markOf(row)}
                    onChoose={onChoose as (row: Shown) => void}
                    below={below as Below}
                    extra={extra as Below}
                  />
                )}
              </div>
            )
          })}
        </div>
      </div>
    </div>
  )
}

export type Mark = { readonly glyph: GlyphName; readonly look: string; readonly word: Key }

/** A pencil until the text is confirmed: what the checks find stands below it. */
export const markAtHand = (row: Shown): Mark =>
  isOpen(row)
    ? { glyph: 'work', look: 'draft', word: `mark.${row.state === 'NEW' ? 'new' : 'draft'}` }
    : markOfSegment(row)

export function markOfSegment(row: Shown): Mark {
  if (row.state === 'REJECTED') return { glyph: 'again', look: 'bad', word: 'mark.rejected' }
  const found = foundIn(row)
  if (found.length > 0) {
    const isBad = found.some(({ severity }) => severity === 'BLOCKING')
    return { glyph: 'error', look: isBad ? 'bad' : 'warn', word: 'mark.check' }
  }
  if (row.state === 'DRAFT') return { glyph: 'work', look: 'draft', word: 'mark.draft' }
  if (row.state === 'NEW') return { glyph: 'created', look: 'none', word: 'mark.new' }
  return {
    glyph: 'tick',
    look: 'good',
    word: row.state === 'APPROVED' ? 'mark.approved' : 'mark.done',
  }
}

type Below = ((row: Shown) => ReactNode) | undefined

type PlainRowProps = {
  readonly below: Below
  readonly extra: Below
  readonly row: Shown
  readonly task: Task
  readonly mark: Mark
  readonly onChoose: (row: Shown) => void
}

const PlainRow = memo(
  function PlainRow({ row, task: { task }, mark, onChoose, below, extra }: PlainRowProps) {
    const t = useWords<Key>('workbench')
    return (
      <>
        <Cell kind="position">
          <button
            type="button"
            className={css.choose}
            onClick={() => onChoose(row)}
            aria-label={t('open', { position: row.position })}
          >
            {row.position}
          </button>
        </Cell>
        <Cell>
          <ChipText text={row.source} tags={row.tags} language={task.sourceNativeLanguageCode} />
        </Cell>
        <Cell onClick={() => onChoose(row)}>
          {row.target?.length ? (
            <ChipText text={row.target} tags={row.tags} language={task.targetNativeLanguageCode} />
          ) : (
            <span className={`dim ${css.empty}`}>{t('notTranslated')}</span>
          )}
          <DraftNote row={row} />
          {below?.(row)}
        </Cell>
        {extra && <Cell>{extra(row)}</Cell>}
        <MarkCells row={row} mark={mark} />
      </>
    )
  },
  (one, other) =>
    one.row === other.row &&
    one.onChoose === other.onChoose &&
    one.below === other.below &&
    one.extra === other.extra &&
    one.task.task === other.task.task,
)

export function MarkCells({ row, mark }: { readonly row: Shown; readonly mark: Mark }) {
  const t = useWords<Key>('workbench')
  const writers = useWriters()
  return (
    <>
      <Cell kind="match">{matchOf(row, t, (percent) => writers.percent(percent / 100, 0))}</Cell>
      <Cell kind="mark">
        <span className={css[mark.look]}>
          <Glyph name={mark.glyph} size={16} label={t(mark.word)} />
        </span>
      </Cell>
    </>
  )
}

/** A filled-in repeat, a repetition, how alike the best match is, or new. */
function matchOf(
  { isFilled, isRepeat, match, percent = match }: Shown,
  t: (key: Key) => string,
  writePercent: (percent: number) => string,
): string {
  if (isFilled) return t('filled')
  if (isRepeat) return t('repeat')
  if (percent === undefined) return ''
  return percent === 0 ? t('noMatch') : writePercent(percent)
}

type CellProps = {
  readonly kind?: 'position' | 'match' | 'mark'
  readonly onClick?: () => void
  readonly children: ReactNode
}

export function Cell({ kind, onClick, children }: CellProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are virtual, which a table does not allow.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the button of the row does the same.
    <div role="cell" className={kind ? `${css.cell} ${css[kind]}` : css.cell} onClick={onClick}>
      {children}
    </div>
  )
}
