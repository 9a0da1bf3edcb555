/**
 * How well the memory knows each segment, read page by page as far as the segments are. The rows do
 * not wait for it.
 */
import { useEffect, useState } from 'react'
import { call } from '../../hub.ts'
import type { At } from './task.ts'

export type BestMatches = {
  /** By segment; 0 if the memory has no match. */
  readonly percents: ReadonlyMap<string, number>
}

type Read = BestMatches & { readonly upTo: number; readonly next: string | undefined }
const nothing: Read = { percents: new Map(), upTo: 0, next: '' }

export function useBestMatches(at: At, wanted: number): BestMatches {
  const [read, setRead] = useState<Read>(nothing)
  const { next, upTo } = read
  useEffect(() => {
    if (next === undefined || upTo >= wanted) return
    const aborts = new AbortController()
    call(
      'listSegmentMatches',
      { params: at, query: next ? { navNext: next } : {} },
      { signal: aborts.signal },
    ).then(
      ({ matches, pagination }) =>
        setRead((before) => ({
          percents: new Map([
            ...before.percents,
            ...matches.map((one) => [one.segmentId, one.percent] as const),
          ]),
          upTo: matches.at(-1)?.position ?? before.upTo,
          next: pagination.navNext,
        })),
      // The column stays empty; everything else works without it.
      () => !aborts.signal.aborted && setRead((before) => ({ ...before, next: undefined })),
    )
    return () => aborts.abort()
  }, [at, next, upTo, wanted])
  return read
}
