/**
 * Reports of a site (contract, section 12): words, money and speed over a period of whole UTC days
 * or weeks.
 */
import type { Static } from 'typebox'
import { limits } from '../../limits.ts'
import { reportGroups, reportNames, reportUnits } from '../../reports.ts'
import { Count, choice, forms, GivenSiteId } from '../parts.ts'
import Type from '../type.ts'

const Day = Type.String({ format: 'date', description: forms.utcDay })
const GivenDay = (description: string) => Type.String({ time: true, maxLength: 40, description })
const ReportUnit = choice(reportUnits, {
  title: 'ReportUnit',
  description: 'A UTC day, a week from Monday to Sunday, or a month.',
})
const GroupName = choice(reportGroups, {
  title: 'ReportGroup',
  description:
    'code1 to code10: the analysis code of that level. listener and route: only for latency. job: only for engines. provider-pair and pair, the pair of source and target language: only for effort.',
})

export const reportPath = Type.Object({ report: choice(reportNames, { title: 'ReportName' }) })
export const ReportQuery = Type.Object({
  from: Type.Optional(
    GivenDay(
      `The first day; by default the period has twelve weeks. A period has at most ${limits.reportDays} days. With the unit week or month it is widened to whole weeks or months.`,
    ),
  ),
  to: Type.Optional(GivenDay('The last day; today by default, and no later than today.')),
  by: Type.Optional(GroupName),
  unit: Type.Optional(ReportUnit),
  siteId: Type.Optional({
    ...GivenSiteId,
    description: 'Only for an operator, who must name a site.',
  }),
})
export type ReportQuery = Static<typeof ReportQuery>

const number = (reports: string, says: string) =>
  Type.Optional(Type.Integer({ minimum: 0, description: `${reports}: ${says}` }))
/** A difference may be below zero. */
const amount = (reports: string, says: string) =>
  Type.Optional(
    Type.String({
      pattern: `^-?\\d+(\\.\\d{1,${limits.moneyPlaces}})?$`,
      description: `${reports}: ${says}`,
    }),
  )

export const ReportRow = Type.Object(
  {
    day: Type.Optional({ ...Day, description: 'The first day of the unit.' }),
    group: Type.Optional(
      Type.String({
        description:
          'An id, a language or a call; empty for what has none, * for all further groups together.',
      }),
    ),
    groupName: Type.Optional(Type.String()),
    currency: Type.Optional(Type.String()),
    submitted: number('throughput', 'requests that were submitted'),
    delivered: number(
      'throughput, rejects',
      'requests that came into review; for rejects, for the first time',
    ),
    approved: number('throughput', 'requests that were approved'),
    rejected: number('throughput, rejects', 'requests that were rejected'),
    cancelled: number('throughput', 'requests that were cancelled'),
    backlog: number('throughput', 'requests that waited for their provider at the end of the unit'),
    inReview: number('throughput', 'requests that waited for review at the end of the unit'),
    state: Type.Optional(
      choice(['SENT_TO_PROVIDER', 'IN_TRANSLATION', 'REVIEW_TRANSLATION'], {
        description: 'time-in-state: the state that the requests have left.',
      }),
    ),
    count: number(
      'time-in-state, latency',
      'how many times a request has left the state; for latency, how many attempts or calls',
    ),
    medianMs: number(
      'time-in-state, latency',
      'half of the stays, attempts or calls were at most this long',
    ),
    p75Ms: number('time-in-state', 'three quarters of the stays were at most this long'),
    p95Ms: number('time-in-state, latency', '95 % were at most this long'),
    p99Ms: number('latency', '99 % were at most this long'),
    repetition: number('words', 'words in the band'),
    context: number('words', 'words in the band'),
    exact: number('words', 'words in the band'),
    fuzzy: number('words', 'words in the bands'),
    new: number('words', 'words in the band'),
    words: number(
      'words, rejects',
      'all words; for rejects, those of the requests that were delivered',
    ),
    savedByMemory: amount(
      'words',
      'how much more the quotes would cost if all memory matches were new words',
    ),
    savedByRepetition: amount(
      'words',
      'how much more they would cost if repetitions were new words as well',
    ),
    jobs: number('words, money', 'jobs with a quote'),
    amount: amount('money', 'the total of the quotes of jobs that were not cancelled'),
    cancelledAmount: amount('money', 'the total of the quotes of cancelled jobs'),
    amountBefore: amount(
      'money, in totals',
      'the same as amount, for the period of the same length before',
    ),
    due: number('on-time', 'requests whose due date was in the unit'),
    onTime: number('on-time', 'those delivered by their due date'),
    late: number('on-time', 'those delivered later'),
    missing: number('on-time', 'those not delivered yet'),
    countedIn: Type.Optional(
      choice(['CHARACTERS', 'TOKENS'], {
        description: 'engines: what the engine bills. Each has its own rows.',
      }),
    ),
    estimated: number('engines', 'what was reserved, corrected by what the vendor reports'),
    billed: number('engines', 'what the vendor reports as billed; absent if it reports nothing'),
    savedCharacters: number(
      'engines',
      'source characters that were found in the translation memory',
    ),
    calls: number('engines', 'calls to the engine'),
    withoutWords: number('rejects', 'delivered requests whose words have not been counted'),
    segments: number('effort', 'segments with a draft of an engine that people delivered'),
    unedited: number('effort', 'those delivered as the engine wrote them'),
    characters: number(
      'effort',
      'characters of these segments, counting the longer of draft and target',
    ),
    editDistance: number('effort', 'characters inserted, removed or replaced'),
    timed: number('effort', 'segments whose time is known'),
    spentMs: number('effort', 'the time that people spent on them'),
  },
  { title: 'ReportRow' },
)
export type ReportRow = Static<typeof ReportRow>

export const Report = Type.Object(
  {
    report: choice(reportNames),
    from: Day,
    to: Day,
    unit: ReportUnit,
    by: Type.Optional(GroupName),
    rows: Type.Array(ReportRow),
    totals: Type.Array(ReportRow, { description: 'Over the whole period.' }),
    jobsWithoutQuote: Type.Optional({
      ...Count,
      description:
        'words, money: jobs of the period that have no stored quote. No sum includes them.',
    }),
    incompleteQuotes: Type.Optional({
      ...Count,
      description: 'words, money: quotes that leave out a request without a price.',
    }),
  },
  { title: 'Report' },
)
export type Report = Static<typeof Report>
