/**
 * The figures of each report: their order, and how they are formatted. The table and the CSV share
 * them.
 */
import {
  type Report,
  type ReportRow,
  type RequestStatus,
  reportFigures,
} from '@dragoman/contract/wire'
import { useStateWord } from '../../look/states.tsx'
import { useWriters, type Writers } from '../../times.ts'
import { useWords } from '../../words/words.ts'
import { changeOf } from './amounts.ts'
import type { Key } from './part.ts'

export type Figure = {
  readonly name: string
  readonly title: string
  readonly isNumber: boolean
  readonly text: (row: ReportRow) => string
  /** For a file: as the hub wrote it. */
  readonly plain: (row: ReportRow) => string | number | undefined
}

const amounts: readonly string[] = [
  'savedByMemory',
  'savedByRepetition',
  'amount',
  'cancelledAmount',
  'amountBefore',
]
const lengths: readonly string[] = ['medianMs', 'p75Ms', 'p95Ms', 'p99Ms', 'spentMs']

export const shareOf = ({ due = 0, onTime = 0 }: ReportRow): string =>
  due === 0 ? '' : ((100 * onTime) / due).toFixed(1)
/** As on the page Providers: of what was delivered. */
const rejectedOf = ({ delivered = 0, rejected = 0 }: ReportRow): string =>
  delivered === 0 ? '' : ((100 * rejected) / delivered).toFixed(1)
export const rateOf = ({ rejected = 0, words = 0 }: ReportRow): string =>
  words === 0 ? '' : ((1000 * rejected) / words).toFixed(2)

export const uneditedOf = ({ segments = 0, unedited = 0 }: ReportRow): string =>
  segments === 0 ? '' : ((100 * unedited) / segments).toFixed(1)
export const editedOf = ({ characters = 0, editDistance = 0 }: ReportRow): string =>
  characters === 0 ? '' : ((100 * editDistance) / characters).toFixed(1)
/** Returns the milliseconds that a segment took on average. */
export const paceOf = ({ timed = 0, spentMs = 0 }: ReportRow): string =>
  timed === 0 ? '' : String(Math.round(spentMs / timed))

/** The display name of a group. */
export function useGroupName(by: Report['by']): (row: ReportRow) => string {
  const t = useWords<Key>('reports')
  const { language } = useWriters()
  return ({ group, groupName = '' }) => {
    if (group === '*') return t('others')
    if (group === '') return t('noGroup')
    return by === 'language' ? `${language(groupName)} (${groupName})` : groupName
  }
}

export function useFigures({ report, unit, by, rows, totals }: Report): Figure[] {
  const t = useWords<Key>('reports')
  const writers = useWriters()
  const stateWord = useStateWord()
  const groupName = useGroupName(by)
  const all = [...rows, ...totals]
  const has = (name: keyof ReportRow) => all.some((row) => row[name] !== undefined)
  const write = (name: string, row: ReportRow): string => {
    const value = row[name as keyof ReportRow]
    if (value === undefined) return ''
    if (name === 'countedIn') return t(`countedIn.${value as 'CHARACTERS' | 'TOKENS'}`)
    if (name === 'state') return stateWord(value as RequestStatus)
    if (amounts.includes(name)) return writers.money(String(value), row.currency ?? '')
    if (lengths.includes(name)) return writers.duration(value as number)
    return typeof value === 'number' ? writers.number(value) : value
  }
  const figure = (name: keyof ReportRow): Figure => ({
    name,
    title: t(report === 'latency' && name === 'count' ? 'times' : (name as Key)),
    isNumber: name !== 'state' && name !== 'currency' && name !== 'countedIn',
    text: (row) => write(name, row),
    plain: (row) => row[name],
  })
  const extra = (
    name: Key,
    of: (row: ReportRow) => string,
    write = (plain: string) => plain,
  ): Figure => ({
    name,
    title: t(name),
    isNumber: true,
    text: (row) => (of(row) === '' ? '' : write(of(row))),
    plain: of,
  })
  const share = (of: (row: ReportRow) => string, name: Key = 'share'): Figure =>
    extra(name, of, (plain) => writers.percent(Number(plain) / 100))
  return [
    ...(has('day')
      ? [
          {
            name: 'day',
            title: t(unit),
            isNumber: false,
            text: (row: ReportRow) => (row.day ? writers.dateYear(`${row.day}T12:00:00Z`) : ''),
            plain: (row: ReportRow) => row.day,
          },
        ]
      : []),
    ...(by
      ? [
          {
            name: 'group',
            title: t('group'),
            isNumber: false,
            text: groupName,
            plain: (row: ReportRow) => row.groupName,
          },
        ]
      : []),
    ...reportFigures[report].filter(has).map(figure),
    ...(report === 'money'
      ? [extra('change', changeOfRow, (plain) => changeText(plain, writers))]
      : []),
    ...(report === 'effort'
      ? [
          share(uneditedOf, 'uneditedShare'),
          share(editedOf, 'editShare'),
          extra('perSegment', paceOf, (plain) => writers.duration(Number(plain))),
        ]
      : []),
    ...(report === 'on-time' ? [share(shareOf)] : []),
    ...(report === 'rejects'
      ? [share(rejectedOf), extra('perThousand', rateOf, (plain) => writers.number(Number(plain)))]
      : []),
  ]
}

/** In per cent; empty if there is no previous period. */
export function changeOfRow({ amount, amountBefore }: ReportRow): string {
  if (amount === undefined || amountBefore === undefined) return ''
  return String(changeOf(amount, amountBefore) ?? '')
}

/** Writes a change as `+12.5%`. */
export const changeText = (plain: string, { percent }: Writers): string =>
  `${Number(plain) > 0 ? '+' : ''}${percent(Number(plain) / 100)}`
