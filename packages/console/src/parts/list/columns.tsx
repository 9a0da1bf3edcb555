/** The columns of a list, one line each. */
import type { Words } from '../../words/words.ts'
import type { Column } from '../grid.tsx'
import { Moment } from '../moment.tsx'
import css from './list.module.css'

type More<Row> = Pick<Column<Row>, 'atEnd' | 'beside' | 'sort'>

/** Makes columns whose headings are texts of the page, by their keys there. */
export const columnsOf =
  <Row, Key extends string>(t: Words<Key>) =>
  (
    title: Key,
    width: string,
    narrow: Column<Row>['narrow'],
    cell: Column<Row>['cell'],
    more: More<Row> = {},
  ): Column<Row> => ({
    name: title,
    title: t(title),
    width,
    cell,
    ...(narrow !== undefined && { narrow }),
    ...more,
  })

/** For a row that may never have had one: its last use, or the word for never. */
export const momentOr = (at: string | undefined, never: string) =>
  at ? <Moment at={at} as="relative" /> : <span className="dim">{never}</span>

/** The checkboxes of the rows, which the key x sets, too. */
export const markColumn = <Row,>(
  isMarked: (row: Row) => boolean,
  onMark: (row: Row) => void,
  labelOf: (row: Row) => string,
): Column<Row> => ({
  name: 'mark',
  title: '',
  width: '20px',
  narrow: 0,
  cell: (row) => (
    <input
      type="checkbox"
      tabIndex={-1}
      className={css.mark}
      aria-label={labelOf(row)}
      checked={isMarked(row)}
      onChange={() => onMark(row)}
    />
  ),
})
