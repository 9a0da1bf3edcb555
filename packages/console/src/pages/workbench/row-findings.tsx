/**
 * What the checks find in rows that are not at hand, with the way out: fix it there, or keep it
 * with a reason.
 */
import type { CheckFinding, TextParts } from '@dragoman/contract/wire'
import { type ReactNode, useCallback, useRef } from 'react'
import { Findings } from './active-row.tsx'
import { foundIn } from './filters.ts'
import { SegmentNote } from './reject-note.tsx'
import type { Shown } from './use-segments.ts'

type Acts = {
  readonly onFix: (row: Shown, target: TextParts) => void
  readonly onKeep: (row: Shown, finding: CheckFinding) => void
}

/** More than these are listed in the panel. */
const most = 2

/** Stays the same function, so that rows are not rendered again. */
export function useRowFindings(acts: Acts): (row: Shown) => ReactNode {
  const latest = useRef(acts)
  latest.current = acts
  return useCallback((row) => {
    const found = row.target?.length ? foundIn(row).slice(0, most) : []
    if (found.length === 0 && row.state !== 'REJECTED') return null
    return (
      <>
        {row.state === 'REJECTED' && <SegmentNote row={row} />}
        <Findings
          findings={found}
          onFix={(target) => latest.current.onFix(row, target)}
          onKeep={(finding) => latest.current.onKeep(row, finding)}
        />
      </>
    )
  }, [])
}
