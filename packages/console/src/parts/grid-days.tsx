/**
 * The names of days between the rows of a grid: one above the first row of each day, and one that
 * stays at the top.
 */
import { useMemo } from 'react'
import css from './grid.module.css'
import { DayName, useDayOf } from './moment.tsx'

/** The same number of pixels is in grid.module.css. */
export const dayHeight = 28

/**
 * Whether a new day begins with the row. The first row needs no name: the one that stays at the top
 * is above it.
 */
export function useDayStarts<Row>(
  items: readonly Row[],
  start: number,
  timeOf: ((row: Row) => string) | undefined,
): (index: number) => boolean {
  const dayOf = useDayOf()
  const starts = useMemo(() => {
    const days = timeOf ? items.map((row) => dayOf(timeOf(row))) : []
    return new Set(days.flatMap((day, at) => (at > 0 && day !== days[at - 1] ? start + at : [])))
  }, [items, start, timeOf, dayOf])
  return (index) => starts.has(index)
}

/** Without `top` it stays at the top and names the day of the first visible row. */
export function Day({ at, top }: { readonly at: string; readonly top?: number }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are virtual, which a table does not allow.
    // biome-ignore lint/a11y/useFocusableInteractive: keyboard navigation skips what is not a row of the list.
    <div
      role="row"
      className={`${css.day} ${top === undefined ? css.topDay : ''}`}
      style={top === undefined ? {} : { transform: `translateY(${top}px)` }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above. */}
      {/* biome-ignore lint/a11y/useFocusableInteractive: as above. */}
      <span role="gridcell">
        <DayName at={at} />
      </span>
    </div>
  )
}
