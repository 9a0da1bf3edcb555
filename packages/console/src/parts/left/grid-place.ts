/**
 * Where a person is in a list, left on the entry of the history. Back reads as many pages as that
 * takes, scrolls there and gives the focus to the row that had it. Rows are found by their ids,
 * since others may have come or gone.
 */
import { type RefObject, useEffect, useRef, useState } from 'react'
import { leave, leftOn, useEntry } from '../../left.ts'
import type { Pages } from '../../queries.ts'

type LeftPlace = {
  /** The first visible row, with the part of it that is hidden; and how many rows are visible. */
  readonly row: number
  readonly visible: number
  readonly id?: string | undefined
  /** The row with the focus. */
  readonly focus?: { readonly index: number; readonly id: string | undefined } | undefined
}

type List<Row> = {
  readonly name: string
  readonly frame: RefObject<HTMLElement | null>
  /** The height of a row. */
  readonly size: number
  readonly pages: Pages<Row>
  readonly idOf: (row: Row) => string
}

export type GridPlace = {
  /** The first render begins at this pixel. */
  readonly offset: number
  /** The row that had the focus. */
  readonly index: number
  /** Pages are still being read. */
  readonly isReading: boolean
  readonly noteScroll: () => void
  /** The row that has the focus; undefined if none has. */
  readonly noteFocus: (index: number | undefined) => void
}

export function useGridPlace<Row>({ name, frame, size, pages, idOf }: List<Row>): GridPlace {
  const { items, start = 0, hasMore, loadMore, failure, isOld } = pages
  const entry = useEntry()
  const [returning, setReturning] = useState(() => leftOn<LeftPlace>(entry, name))
  const first = useRef(returning)
  const here = useRef<LeftPlace>(returning ?? { row: 0, visible: 0 })
  const seen = useRef(entry)
  const idAt = (index: number): string | undefined => {
    const row = items[index - start]
    return row === undefined ? undefined : idOf(row)
  }
  const note = (some: Partial<LeftPlace>): void => {
    here.current = { ...here.current, ...some }
    leave(name, here.current)
  }
  const indexOf = (id: string | undefined, otherwise: number): number => {
    const at =
      id === undefined || idAt(otherwise) === id ? -1 : items.findIndex((row) => idOf(row) === id)
    return at < 0 ? otherwise : at + start
  }
  const isReading =
    returning !== undefined &&
    items.length > 0 &&
    (isOld === true ||
      (hasMore && !failure && start + items.length < returning.row + returning.visible))

  useEffect(() => {
    if (seen.current === entry) return
    seen.current = entry
    const place = leftOn<LeftPlace>(entry, name)
    if (place) setReturning(place)
    else leave(name, here.current)
  }, [entry, name])

  useEffect(() => {
    if (!returning) return
    if (isReading && !isOld) return loadMore()
    const list = frame.current
    if (!list || isReading) return
    const whole = Math.floor(returning.row)
    list.scrollTop = (indexOf(returning.id, whole) + returning.row - whole) * size
    if (returning.focus) focusWhenDrawn(list, indexOf(returning.focus.id, returning.focus.index))
    here.current = returning
    setReturning(undefined)
  })

  return {
    offset: (first.current?.row ?? 0) * size,
    index: first.current?.focus?.index ?? 0,
    isReading,
    noteScroll: () => {
      const list = frame.current
      // While Back is under way, the list is not where the person left it.
      if (!list || returning) return
      const row = list.scrollTop / size
      note({ row, visible: list.clientHeight / size, id: idAt(Math.floor(row)) })
    },
    noteFocus: (index) =>
      note({ focus: index === undefined ? undefined : { index, id: idAt(index) } }),
  }
}

/**
 * The row is drawn within some frames, if it is in sight. Whoever has moved the focus meanwhile
 * keeps it.
 */
function focusWhenDrawn(list: HTMLElement, index: number, frames = 30): void {
  if (document.activeElement !== document.body && document.activeElement !== null) return
  const row = list.querySelector<HTMLElement>(`[data-index="${index}"]`)
  if (row) row.focus({ preventScroll: true })
  else if (frames > 0) requestAnimationFrame(() => focusWhenDrawn(list, index, frames - 1))
}
