/** Whether a rule fits a job, and if not, why. Pure: what is known of the job is given. */
import { findLanguage, type RouteCondition } from '@dragoman/contract'

/**
 * The words of a job; in the bands of a language by name. `because` where they cannot be counted.
 */
export type JobWordCounts =
  | { readonly all: number; readonly byLanguage?: ReadonlyMap<string, ReadonlyMap<string, number>> }
  | { readonly because: string }

export type JobFacts = {
  readonly pairs: readonly { readonly source: string; readonly target: string }[]
  /** A named label stands here as name and as name=value. */
  readonly labels: ReadonlySet<string>
  readonly metadata: Readonly<Record<string, unknown>>
  /** Absent where no rule asks for them. */
  readonly words?: JobWordCounts
}

/** Undefined if all conditions hold. */
export function whyNot(when: RouteCondition, facts: JobFacts): string | undefined {
  return (
    languageFault('source', when.source, facts) ??
    languageFault('target', when.target, facts) ??
    labelFault(when.labels, facts) ??
    metadataFault(when.extendedMetadata, facts) ??
    wordFault(when.words, facts) ??
    bandFault(when.band, facts)
  )
}

const listOf = (some: string | readonly string[]): readonly string[] =>
  typeof some === 'string' ? [some] : some

function languageFault(
  side: 'source' | 'target',
  wanted: string | readonly string[] | undefined,
  { pairs }: JobFacts,
): string | undefined {
  if (wanted === undefined) return undefined
  if (pairs.length === 0) return `the job has no ${side} language yet`
  const codes = listOf(wanted)
  const other = pairs.find((pair) => !codes.some((code) => isIn(code, pair[side])))
  const choices = codes.length === 1 ? codes[0] : `one of ${codes.join(', ')}`
  return other && `the ${side} language ${other[side]} is not ${choices}`
}

const normal = (code: string): string =>
  (findLanguage(code) ?? code).replaceAll('_', '-').toLowerCase()

/** A code without a region stands for all regions of its language. */
function isIn(wanted: string, code: string): boolean {
  const [ours, theirs] = [normal(wanted), normal(code)]
  return ours === theirs || (!ours.includes('-') && theirs.startsWith(`${ours}-`))
}

function labelFault(
  wanted: string | readonly string[] | undefined,
  { labels }: JobFacts,
): string | undefined {
  if (wanted === undefined) return undefined
  const some = listOf(wanted)
  if (some.some((label) => labels.has(label))) return undefined
  return some.length === 1
    ? `the job does not have the label ${some[0]}`
    : `the job has none of the labels ${some.join(', ')}`
}

function metadataFault(wanted: object | undefined, { metadata }: JobFacts): string | undefined {
  const other = Object.entries(wanted ?? {}).find(
    ([name, value]) => !Object.hasOwn(metadata, name) || !isSame(value, metadata[name]),
  )
  return other && `extendedMetadata.${other[0]} is not ${JSON.stringify(other[1])}`
}

/** Also of objects and lists: the order of members does not count. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return one === other
  const [names, others] = [Object.keys(one), Object.keys(other)]
  if (Array.isArray(one) !== Array.isArray(other) || names.length !== others.length) return false
  return names.every((name) => isSame(one[name as keyof object], other[name as keyof object]))
}

const figure = (count: number): string => count.toLocaleString('en')

function wordFault(
  { min, max }: NonNullable<RouteCondition['words']> = {},
  facts: JobFacts,
): string | undefined {
  if (min === undefined && max === undefined) return undefined
  const { words = { because: 'the number of words is not known' } } = facts
  if ('because' in words) return words.because
  if (min !== undefined && words.all < min)
    return `the job has ${figure(words.all)} words, fewer than ${figure(min)}`
  if (max !== undefined && words.all > max)
    return `the job has ${figure(words.all)} words, more than ${figure(max)}`
  return undefined
}

function bandFault(band: RouteCondition['band'], { words }: JobFacts): string | undefined {
  if (!band) return undefined
  if (words && 'because' in words) return words.because
  if (!words?.byLanguage) return 'the words in the band are known only of a job'
  for (const [language, bands] of words.byLanguage) {
    const all = [...bands.values()].reduce((sum, count) => sum + count, 0)
    const share = all === 0 ? 0 : ((bands.get(band.name) ?? 0) / all) * 100
    if (share < band.min)
      return `${share.toFixed(1).replace(/\.0$/, '')}% of the words into ${language} are in the band ${band.name}, less than ${band.min}%`
  }
  return words.byLanguage.size === 0 ? 'the job has no words yet' : undefined
}
