/** The reports of a site, and what each can be grouped by. */
export const reportNames = [
  'throughput',
  'time-in-state',
  'words',
  'money',
  'on-time',
  'rejects',
  'latency',
  'engines',
  'effort',
] as const
export type ReportName = (typeof reportNames)[number]

export const reportUnits = ['day', 'week', 'month'] as const
export type ReportUnit = (typeof reportUnits)[number]

const levels = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const
export const codeGroups = levels.map((level) => `code${level}` as const)
export const reportGroups = [
  'provider',
  'language',
  'provider-language',
  'provider-pair',
  'pair',
  'listener',
  'route',
  'job',
  ...codeGroups,
] as const
export type ReportGroup = (typeof reportGroups)[number]

/** The figures of each report, in the order shown; those of the unit and the group come first. */
export const reportFigures = {
  throughput: [
    'submitted',
    'delivered',
    'approved',
    'rejected',
    'cancelled',
    'backlog',
    'inReview',
  ],
  'time-in-state': ['state', 'count', 'medianMs', 'p75Ms', 'p95Ms'],
  words: [
    ...(['currency', 'jobs', 'words', 'repetition', 'context', 'exact', 'fuzzy', 'new'] as const),
    ...(['savedByMemory', 'savedByRepetition'] as const),
  ],
  money: ['currency', 'jobs', 'amount', 'cancelledAmount', 'amountBefore'],
  'on-time': ['due', 'onTime', 'late', 'missing'],
  rejects: ['delivered', 'rejected', 'words', 'withoutWords'],
  latency: ['count', 'medianMs', 'p95Ms', 'p99Ms'],
  engines: ['countedIn', 'estimated', 'billed', 'savedCharacters', 'calls'],
  effort: ['segments', 'unedited', 'characters', 'editDistance', 'timed', 'spentMs'],
} as const satisfies Record<ReportName, readonly string[]>

/** What each report can be grouped by; the first is the default, if the report must be grouped. */
export const groupsOfReport: Readonly<Record<ReportName, readonly ReportGroup[]>> = {
  throughput: [],
  'time-in-state': ['provider', 'language', 'provider-language'],
  words: [],
  money: ['provider', ...codeGroups],
  'on-time': ['provider'],
  rejects: ['provider', 'language'],
  latency: ['listener', 'route'],
  engines: ['provider', 'job'],
  effort: ['provider-pair', 'provider', 'pair'],
}

type Line = { readonly bands: readonly { readonly words: number }[] }

/**
 * The words of a quote or a count, summed over its bands: each ideograph counts as one, as it does
 * for the price.
 */
export const paidWords = (lines: readonly Line[]): number =>
  lines.reduce((sum, { bands }) => bands.reduce((all, { words }) => all + words, sum), 0)
