/**
 * The head and the rows of a grid. Cells are plain elements. On a narrow screen a row becomes two
 * lines.
 */
import { memo, type ReactNode } from 'react'
import css from './grid.module.css'

export type Column<Row> = {
  readonly name: string
  readonly title: ReactNode
  /** A grid track: `minmax(0, 2fr)`, `90px`. */
  readonly width: string
  readonly cell: (row: Row) => ReactNode
  /** Numbers are aligned at the end of their column. */
  readonly atEnd?: true
  /**
   * Where it is shown on a narrow screen: before the first line, on it, on the second, or not at
   * all.
   */
  readonly narrow?: 0 | 1 | 2 | 'hidden'
  /** Left out beside the panel of a selected row, which has it. */
  readonly beside?: 'hidden'
  readonly sort?: { readonly direction?: 'ascending' | 'descending'; readonly toggle: () => void }
}

type GridRowProps = {
  readonly row: unknown
  readonly index: number
  readonly top: number
  readonly size: number
  readonly columns: readonly Column<unknown>[]
  readonly isSelected: boolean
  readonly isFocused: boolean
  readonly isBrief: boolean
  readonly onFocus: (index: number) => void
  readonly onOpen: (row: unknown) => void
}

/** Memoised: while the list scrolls, only rows that become visible are rendered. */
export const GridRow = memo(function GridRow(props: GridRowProps) {
  const { row, index, top, size, columns, isSelected, isFocused, isBrief, onFocus, onOpen } = props
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are virtual, which a table does not allow.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid takes the keys of all its rows.
    <div
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isFocused ? 0 : -1}
      className={css.row}
      style={{ blockSize: size, transform: `translateY(${top}px)` }}
      onFocus={() => onFocus(index)}
      onClick={(event) => {
        if (!(event.target as HTMLElement).closest('a, button, input')) onOpen(row)
      }}
    >
      {columns.map((column) => (
        <Cell
          key={column.name}
          column={column}
          row={row}
          isEmpty={isBrief && (column.narrow === 2 || column.narrow === 'hidden')}
        />
      ))}
    </div>
  )
})

export function Head<Row>({ column: { title, atEnd, sort } }: { readonly column: Column<Row> }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are virtual, which a table does not allow.
    <div
      role="columnheader"
      tabIndex={-1}
      className={atEnd ? `${css.title} ${css.atEnd}` : css.title}
      title={typeof title === 'string' ? title : undefined}
      aria-sort={sort?.direction ?? (sort ? 'none' : undefined)}
    >
      {sort ? (
        <button type="button" className={css.sort} onClick={sort.toggle}>
          {title}
          <span aria-hidden="true">
            {sort.direction === 'ascending' ? ' ↑' : sort.direction === 'descending' ? ' ↓' : ''}
          </span>
        </button>
      ) : (
        title
      )}
    </div>
  )
}

type CellProps<Row> = { readonly column: Column<Row>; readonly row: Row; readonly isEmpty: boolean }

function Cell<Row>({ column: { cell, atEnd, narrow }, row, isEmpty }: CellProps<Row>) {
  const place =
    narrow === 'hidden'
      ? css.hidden
      : narrow === 2
        ? css.second
        : narrow === 0
          ? css.lead
          : css.first
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are virtual, which a table does not allow.
    // biome-ignore lint/a11y/useFocusableInteractive: the row takes the focus.
    <div
      role="gridcell"
      className={[css.cell, place, atEnd && css.atEnd].filter(Boolean).join(' ')}
    >
      {!isEmpty && cell(row)}
    </div>
  )
}
