/** The rows that a person marked in a list, by id. Back finds them marked. */
import { useCallback, useMemo } from 'react'
import { useLeft } from '../../left.ts'

export type Marked<Row> = ReadonlyMap<string, Row>

/** The marked rows, what marks a row or takes its mark away, and what marks these rows only. */
export function useMarked<Row>(
  idOf: (row: Row) => string,
): [Marked<Row>, (row: Row) => void, (rows: readonly Row[]) => void] {
  const [rows, change] = useLeft<readonly Row[]>('marked', [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: how a row is named does not change.
  const marked = useMemo(() => new Map(rows.map((row) => [idOf(row), row])), [rows])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above.
  const toggle = useCallback(
    (row: Row) =>
      change((before) => {
        const others = before.filter((one) => idOf(one) !== idOf(row))
        return others.length < before.length ? others : [...before, row]
      }),
    [change],
  )
  const markOnly = useCallback((only: readonly Row[]) => change(() => only), [change])
  return [marked, toggle, markOnly]
}
