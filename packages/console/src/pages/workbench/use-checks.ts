/**
 * Checks a text while it is written: a moment after the last key, and never with the answer to an
 * older text.
 */
import type { CheckFinding, Segment, TextParts } from '@dragoman/contract/wire'
import { useEffect, useRef, useState } from 'react'
import { call } from '../../hub.ts'
import { pairOf, type Task, textKey } from './task.ts'

const waitMs = 400

/** The findings, or undefined until the first answer for this text. */
export function useChecks(
  task: Task,
  segment: Segment,
  target: TextParts,
): readonly CheckFinding[] | undefined {
  const [found, setFound] = useState<{
    readonly key: string
    readonly checks: readonly CheckFinding[]
  }>()
  const key = `${segment.segmentId} ${textKey(target)}`
  const latest = useRef({ task, segment, target })
  latest.current = { task, segment, target }
  useEffect(() => {
    const now = latest.current
    if (now.target.length === 0) return
    const aborts = new AbortController()
    const timer = setTimeout(() => {
      const { source, tags, maxLength } = now.segment
      const body = {
        ...pairOf(now.task),
        source,
        tags,
        target: now.target,
        ...(maxLength && { maxLength }),
      }
      call(
        'checkTranslation',
        { params: { providerId: now.task.at.providerId }, body },
        { signal: aborts.signal },
      ).then(
        ({ checks }) => setFound({ key, checks }),
        // The next key asks again; the delivery checks in any case.
        () => {},
      )
    }, waitMs)
    return () => {
      clearTimeout(timer)
      aborts.abort()
    }
  }, [key])
  return found?.key === key ? found.checks : undefined
}
