/**
 * What the Jobs page shows, as given in its URL; and the same in the filter language of the
 * contract.
 */
import { filterOfWords, isJobFilter, type JobStatus } from '@dragoman/contract/wire'
import type { Search } from '../../search.ts'

export const views = ['open', 'all', 'archived'] as const
export type View = (typeof views)[number]
export const marks = ['late', 'soon', 'errors', 'review', 'mine'] as const
export type Mark = (typeof marks)[number]
export const orders = [
  'dueDate',
  'dueDate desc',
  'createdDate desc',
  'createdDate',
  'activityDate desc',
] as const
export type Order = (typeof orders)[number]

export type Chosen = {
  readonly view: View
  readonly is: readonly Mark[]
  /** Plain words, or the contract's filter language, as the person wrote them. */
  readonly text: string
  readonly order: Order
  readonly as: 'table' | 'board'
}

export function chosenIn(search: Search): Chosen {
  const view = oneOf(views, search.view) ?? 'open'
  const is = (search.is ?? '').split(',').flatMap((name) => oneOf(marks, name) ?? [])
  const order =
    oneOf(orders, search.order) ?? (view === 'archived' ? 'createdDate desc' : 'dueDate')
  return {
    view,
    is,
    text: search.filter ?? '',
    order,
    as: search.as === 'board' ? 'board' : 'table',
  }
}

const oneOf = <T extends string>(all: readonly T[], text: string | undefined): T | undefined =>
  all.find((one) => one === text)

/** Late and due soon exclude each other. */
export function toggled(is: readonly Mark[], mark: Mark): string {
  if (is.includes(mark)) return is.filter((one) => one !== mark).join()
  const others: readonly Mark[] = mark === 'late' ? ['soon'] : mark === 'soon' ? ['late'] : []
  return [...is.filter((one) => !others.includes(one)), mark].join()
}

/** Jobs created by hand have the person who created them in this label. */
const personLabel = 'person'

const day = 86_400_000
const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`
const timeOf = (ms: number): string => quoted(new Date(ms).toISOString().replace(':00.000Z', 'Z'))
const isOpen = "statusCode ne 'COMPLETED' and statusCode ne 'CANCELLED'"

/**
 * The whole filter. What the person wrote comes first, so that the hub's error positions match it
 * as far as possible.
 */
export function filterOf({ view, is, text }: Chosen, now: number, personId: string): string {
  const others = [
    ...(view === 'open' ? [isOpen] : []),
    ...is.map(
      (mark) =>
        ({
          late: `dueDate lt ${timeOf(now)}${view === 'open' ? '' : ` and ${isOpen}`}`,
          soon: `dueDate ge ${timeOf(now)} and dueDate lt ${timeOf(now + 3 * day)}${view === 'open' ? '' : ` and ${isOpen}`}`,
          errors: 'hasError eq true',
          review: "statusCode eq 'IN_TRANSLATION'",
          mine: `labels.${personLabel} eq ${quoted(personId)}`,
        })[mark],
    ),
  ]
  const own = isJobFilter(text) ? text.trim() : filterOfWords(text)
  if (!own) return others.join(' and ')
  return others.length === 0 ? own : [`(${own})`, ...others].join(' and ')
}

/** The columns of the board, and whether the view includes them. */
export const boardStates = (view: View): readonly JobStatus[] => [
  'CREATED',
  'SENDING',
  'SENT_TO_PROVIDER',
  'IN_TRANSLATION',
  ...(view === 'open' ? [] : (['COMPLETED', 'CANCELLED'] as const)),
]

export const inState = (filter: string, status: JobStatus): string =>
  [...(filter ? [`(${filter})`] : []), `statusCode eq ${quoted(status)}`].join(' and ')

/** What is currently shown, to be stored as a saved filter. */
export const queryOf = ({ view, is, text, order, as }: Chosen): Search => ({
  view: view === 'open' ? undefined : view,
  is: is.join() || undefined,
  filter: text || undefined,
  order: order === 'dueDate' ? undefined : order,
  as: as === 'table' ? undefined : as,
})
