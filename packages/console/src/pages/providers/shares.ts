/**
 * How often each provider was on time and how often its work was rejected in the last twelve weeks,
 * from the reports.
 */
import { useMemo } from 'react'
import { useMinute } from '../../clock.ts'
import type { CallAnswer } from '../../hub.ts'
import { useCall } from '../../queries.ts'

export type Shares = {
  /** Share of what was due; undefined if nothing was. */
  readonly onTime: number | undefined
  /** Share of what was delivered; undefined if nothing was. */
  readonly rejected: number | undefined
}

const day = 86_400_000
const period = (now: number) => {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  return {
    from: dayOf(now - (12 * 7 - 1) * day),
    to: dayOf(now),
    unit: 'week',
    by: 'provider',
  } as const
}
type ReportTotal = CallAnswer<'findReport'>['totals'][number]

export function useShares(): (providerId: string) => Shares {
  const today = Math.floor(useMinute() / day) * day
  const query = useMemo(() => period(today), [today])
  const dates = useCall('findReport', { params: { report: 'on-time' }, query })
  const rejects = useCall('findReport', { params: { report: 'rejects' }, query })
  const rowOf = (rows: readonly ReportTotal[] | undefined, id: string): ReportTotal | undefined =>
    rows?.find(({ group }) => group === id)
  const share = (some: number | undefined, of: number | undefined) =>
    of ? (some ?? 0) / of : undefined
  return (providerId) => {
    // The first report has a row for each week, the second one for the whole period.
    const [time, reject] = [
      rowOf(dates.data?.totals, providerId),
      rowOf(rejects.data?.rows, providerId),
    ]
    return {
      onTime: share(time?.onTime, time?.due),
      rejected: share(reject?.rejected, reject?.delivered),
    }
  }
}
