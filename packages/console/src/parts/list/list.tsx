/** The rows of a list page: what is new, the grid, and why it is empty. */
import type { ComponentProps, ReactNode } from 'react'
import type { CallInput, CallName } from '../../hub.ts'
import { type Newer, useNewer } from '../../live/newer.ts'
import type { GlyphName } from '../../look/glyphs.tsx'
import { type ItemOf, type Pages, usePages } from '../../queries.ts'
import { useLive } from '../../stream.ts'
import { Button } from '../controls.tsx'
import { Grid } from '../grid.tsx'
import { NewerBar } from '../live.tsx'
import { Empty } from '../said.tsx'
import type { OpenRow } from './open-row.ts'
import type { UrlFilter } from './url-filter.ts'

type GridProps<Row> = ComponentProps<typeof Grid<Row>>
export type ListProps<Row> = Omit<GridProps<Row>, 'empty' | 'onOpen'> & {
  readonly newer?: Newer
  /** Why there are no rows, and the next step. */
  readonly none: { readonly glyph: GlyphName; readonly title: string; readonly body: ReactNode }
  /** The filters in the URL, and what is shown when no row matches them. */
  readonly filter?: UrlFilter
  readonly noMatch?: {
    readonly glyph?: GlyphName
    readonly title: string
    readonly body?: ReactNode
    readonly clear: string
  }
  /** Where the URL names the row that is shown beside the list. */
  readonly open?: OpenRow
  /** What opening a row does, if its page is elsewhere. */
  readonly onOpen?: (row: Row) => void
  /** In place of `none` and `noMatch`. */
  readonly empty?: ReactNode
}

/** A list that the hub reports changes of: its pages, and the rows that wait. */
export function useLiveList<N extends CallName>(
  name: N,
  input: CallInput<N> = {},
): { readonly pages: Pages<ItemOf<N>>; readonly newer: Newer } {
  const pages = usePages(name, input)
  const newer = useNewer(name, input)
  useLive(name)
  return { pages, newer }
}

export function List<Row>(props: ListProps<Row>) {
  const { newer, none, filter, noMatch, open, onOpen, empty, ...grid } = props
  const isFiltered = noMatch !== undefined && filter?.isSet === true
  return (
    <>
      {newer && <NewerBar newer={newer} />}
      <Grid
        selected={open?.id}
        {...grid}
        onOpen={onOpen ?? ((row) => open?.show(grid.idOf(row)))}
        empty={
          empty ??
          (isFiltered ? (
            <Empty title={noMatch.title} {...(noMatch.glyph && { glyph: noMatch.glyph })}>
              {noMatch.body}
              <Button onClick={filter.clear}>{noMatch.clear}</Button>
            </Empty>
          ) : (
            <Empty glyph={none.glyph} title={none.title}>
              {none.body}
            </Empty>
          ))
        }
      />
    </>
  )
}
