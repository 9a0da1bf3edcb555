/** A report in one sentence. */
import type { Report, ReportRow } from '@dragoman/contract/wire'
import { useWriters, type Writers } from '../../times.ts'
import { useWords, type Words } from '../../words/words.ts'
import { addAmounts } from './amounts.ts'
import {
  changeOfRow,
  changeText,
  editedOf,
  paceOf,
  rateOf,
  shareOf,
  uneditedOf,
} from './columns.ts'
import type { Key } from './part.ts'

export function useSummary(report: Report | undefined): string {
  const t = useWords<Key>('reports')
  const writers = useWriters()
  if (!report) return ''
  return isEmpty(report) ? t('says.nothing') : makers[report.report](report, t, writers)
}

/** The sentence if nothing happened in the period. */
export const isEmpty = ({ rows }: Report): boolean =>
  rows.every((row) => Object.values(row).every((value) => typeof value !== 'number' || value === 0))

type Maker = (report: Report, t: Words<Key>, writers: Writers) => string

const sum = (
  rows: readonly ReportRow[],
  name:
    | 'jobs'
    | 'words'
    | 'new'
    | 'due'
    | 'onTime'
    | 'late'
    | 'missing'
    | 'estimated'
    | 'calls'
    | 'savedCharacters',
): number => rows.reduce((all, row) => all + (row[name] ?? 0), 0)

/** The totals of all groups, by currency. */
function byCurrency(totals: readonly ReportRow[]): ReportRow[] {
  const all = new Map<string, ReportRow[]>()
  for (const row of totals)
    all.set(row.currency ?? '', [...(all.get(row.currency ?? '') ?? []), row])
  return [...all].map(([currency, rows]) => ({
    currency,
    jobs: sum(rows, 'jobs'),
    amount: addAmounts(rows.map(({ amount = '0' }) => amount)),
    amountBefore: addAmounts(rows.map(({ amountBefore = '0' }) => amountBefore)),
  }))
}

const makers: Readonly<Record<Report['report'], Maker>> = {
  throughput: ({ totals: [row = {}] }, t) => {
    const { submitted = 0, delivered = 0, approved = 0, backlog = 0 } = row
    return t('says.throughput', { submitted, delivered, approved, backlog })
  },
  'time-in-state': ({ totals }, t, { duration }) => {
    const median = (state: string) => {
      const ms = totals.find((row) => row.state === state)?.medianMs
      return ms === undefined ? '–' : duration(ms)
    }
    return t('says.time-in-state', {
      provider: median('SENT_TO_PROVIDER'),
      translation: median('IN_TRANSLATION'),
      review: median('REVIEW_TRANSLATION'),
    })
  },
  words: ({ totals }, t, { money, list, percent }) => {
    const words = sum(totals, 'words')
    const saved = (name: 'savedByMemory' | 'savedByRepetition') =>
      list(totals.map((row) => money(row[name] ?? '0', row.currency ?? '')))
    return t('says.words', {
      words,
      share: percent(
        words === 0 ? 0 : Math.round((100 * (words - sum(totals, 'new'))) / words) / 100,
      ),
      saved: t('says.saved', {
        memory: saved('savedByMemory'),
        repetition: saved('savedByRepetition'),
      }),
    })
  },
  money: ({ totals }, t, writers) => {
    const { money, list } = writers
    const all = byCurrency(totals)
    const [only] = all
    const change = all.length === 1 && only ? changeOfRow(only) : ''
    return t('says.money', {
      total: list(all.map(({ amount = '0', currency = '' }) => money(amount, currency))),
      jobs: sum(all, 'jobs'),
      change: change === '' ? 'none' : changeText(change, writers),
    })
  },
  'on-time': ({ totals }, t, { percent }) => {
    const all = { due: sum(totals, 'due'), onTime: sum(totals, 'onTime') }
    return t('says.on-time', {
      ...all,
      share: percent(Number(shareOf(all)) / 100),
      late: sum(totals, 'late'),
      missing: sum(totals, 'missing'),
    })
  },
  latency: ({ totals: [row = {}], by }, t, { duration }) => {
    const { count = 0, medianMs = 0, p95Ms = 0, p99Ms = 0 } = row
    const times = { count, median: duration(medianMs), p95: duration(p95Ms), p99: duration(p99Ms) }
    return by === 'route' ? t('says.latency-route', times) : t('says.latency', times)
  },
  engines: ({ totals }, t, { list }) => {
    const used = (unit: 'CHARACTERS' | 'TOKENS') => totals.filter((row) => row.countedIn === unit)
    const amounts = (['CHARACTERS', 'TOKENS'] as const).filter((unit) => used(unit).length > 0)
    return t('says.engines', {
      amount: list(
        amounts.map((unit) => t(`says.${unit}`, { count: sum(used(unit), 'estimated') })),
      ),
      calls: sum(totals, 'calls'),
      saved: sum(totals, 'savedCharacters'),
    })
  },
  effort: ({ totals: [row = {}] }, t, { percent, duration }) => {
    const pace = paceOf(row)
    return t('says.effort', {
      segments: row.segments ?? 0,
      unedited: percent(Number(uneditedOf(row)) / 100),
      edited: percent(Number(editedOf(row)) / 100),
      time: pace === '' ? 'none' : duration(Number(pace)),
    })
  },
  rejects: ({ totals: [row = {}] }, t) =>
    t('says.rejects', { rejected: row.rejected ?? 0, rate: rateOf(row) || 'none' }),
}
