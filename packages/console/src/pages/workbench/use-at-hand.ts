/**
 * The segment at hand. It stays the same while others are looked at, also when it was dropped from
 * memory meanwhile: then there is none until it is read again.
 */
import { useEffect, useRef } from 'react'
import type { Shown } from './use-segments.ts'

type Wish<Row> = {
  /** The position that was asked for, and the row to begin with where none was. */
  readonly wanted: number
  readonly first: Row | undefined
  /** How many rows before the first were dropped from memory. */
  readonly start: number | undefined
}

/**
 * `onChange` is called when another segment is at hand. `position` is known also of one that was
 * dropped.
 */
export function useAtHand<Row extends Shown>(
  rows: readonly Row[],
  { wanted, first, start = 0 }: Wish<Row>,
  onChange: (row: Row, index: number) => void,
): { readonly current: Row | undefined; readonly index: number; readonly position: number } {
  const current =
    rows.find(({ position }) => position === wanted) ?? (start === 0 ? first : undefined)
  const index = current ? rows.indexOf(current) : -1
  const last = useRef<Row>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another segment is at hand.
  useEffect(() => {
    if (!current || current.segmentId === last.current?.segmentId) return
    last.current = current
    onChange(current, index)
  }, [current?.segmentId])
  return {
    current,
    index,
    position: current?.position ?? (wanted || (last.current?.position ?? 0)),
  }
}
