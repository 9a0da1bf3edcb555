/** The filters of the workbench: which segments they show, and how many there are. */
import { checkNames, type Segment } from '@dragoman/contract/wire'
import { textKey } from './task.ts'

export const filters = [
  'all',
  'open',
  'risky',
  'warnings',
  'fuzzy',
  'repetitions',
  'changed',
] as const
export type Filter = (typeof filters)[number]
export const isFilter = (text: string | undefined): text is Filter =>
  filters.some((name) => name === text)

export const isOpen = ({ state }: Pick<Segment, 'state'>): boolean =>
  state !== 'TRANSLATED' && state !== 'APPROVED'

/** What the hub filters by itself; the rest is chosen here, among what was read. */
export const queryOf = (filter: Filter) =>
  filter === 'open'
    ? { state: ['NEW', 'DRAFT', 'REJECTED'] as Segment['state'][] }
    : filter === 'warnings'
      ? { check: [...checkNames] }
      : filter === 'risky'
        ? { risk: leastRisk, sort: 'RISK' as const }
        : {}

/** Machine translations from this risk on want a person's look first. */
const leastRisk = 30

export const isRisky = ({
  target,
  risk = 0,
  openReason,
}: Omit<Partial<Segment>, 'position'>): boolean =>
  target?.length ? risk >= leastRisk : openReason !== undefined

/** Which segments repeat the source of one before them. */
export function repeatsIn(segments: readonly Segment[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const found = new Set<string>()
  for (const { segmentId, source } of segments) {
    const key = textKey(source)
    if (seen.has(key)) found.add(segmentId)
    else seen.add(key)
  }
  return found
}

/** Findings that the translator has not kept. */
export const foundIn = ({ checks, kept = [] }: Pick<Segment, 'checks' | 'kept'>) =>
  checks.filter(({ check }) => !kept.some((one) => one.check === check))

type Seen = { readonly repeats: ReadonlySet<string>; readonly since: string }

export function fits(
  filter: Filter,
  segment: Segment & { readonly match?: number },
  { repeats, since }: Seen,
): boolean {
  if (filter === 'open') return isOpen(segment)
  if (filter === 'risky') return isRisky(segment)
  if (filter === 'warnings') return foundIn(segment).length > 0
  if (filter === 'fuzzy')
    return segment.match !== undefined && segment.match > 0 && segment.match < 100
  if (filter === 'repetitions') return repeats.has(segment.segmentId)
  if (filter === 'changed') return segment.changedTime !== undefined && segment.changedTime > since
  return true
}
