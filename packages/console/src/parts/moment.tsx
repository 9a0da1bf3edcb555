/**
 * Times and days in the person's format, by the hub's clock. UTC is in the tooltip of a time and in
 * copies.
 */
import { useMemo } from 'react'
import { useMinute, useNow } from '../clock.ts'
import { useWriters } from '../times.ts'
import type en from '../words/en/parts.json'
import { useWords } from '../words/words.ts'

type MomentProps = {
  readonly at: string
  /**
   * `near` and `nearClock`, with seconds, have the date only if it is not today by the hub's clock.
   */
  readonly as?: 'full' | 'date' | 'relative' | 'dateYear' | 'clock' | 'near' | 'nearClock'
}

export function Moment({ at, as = 'full' }: MomentProps) {
  if (as === 'relative') return <Relative at={at} />
  return as === 'near' || as === 'nearClock' ? <Near at={at} as={as} /> : <Fixed at={at} as={as} />
}

function Near({ at, as }: { readonly at: string; readonly as: 'near' | 'nearClock' }) {
  const writers = useWriters()
  const now = useMinute()
  return (
    <time dateTime={at} title={at}>
      {writers.near(at, now, as === 'near' ? 'shortClock' : 'clock')}
    </time>
  )
}

function Fixed({
  at,
  as,
}: {
  readonly at: string
  readonly as: 'full' | 'date' | 'dateYear' | 'clock'
}) {
  const writers = useWriters()
  return (
    <time dateTime={at} title={at}>
      {writers[as](at)}
    </time>
  )
}

function Relative({ at }: { readonly at: string }) {
  const writers = useWriters()
  const now = useNow()
  return (
    <time dateTime={at} title={`${writers.full(at)}, ${at}`}>
      {writers.relative(at, now)}
    </time>
  )
}

const dayMs = 24 * 3_600_000

/**
 * Which day a time belongs to. Many times of a list are in the same minute, and formatting one
 * costs more than looking it up.
 */
export function useDayOf(): (at: string) => string {
  const writers = useWriters()
  return useMemo(() => {
    const known = new Map<string, string>()
    return (at) => {
      const minute = at.slice(0, 16)
      const day = known.get(minute) ?? writers.longDate(at)
      known.set(minute, day)
      return day
    }
  }, [writers])
}

/** "Today, 18 Nov", "Yesterday, 17 Nov", "Monday 16 November 2026". */
export function DayName({ at }: { readonly at: number | string }) {
  const t = useWords<keyof typeof en>('parts')
  const writers = useWriters()
  const now = useMinute()
  const day = writers.longDate(at)
  const near =
    writers.longDate(now) === day
      ? 'today'
      : writers.longDate(now - dayMs) === day
        ? 'yesterday'
        : undefined
  return <>{near ? t(near, { date: writers.date(at) }) : day}</>
}
