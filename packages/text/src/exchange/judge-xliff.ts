/**
 * Compares a file that comes back with the segments that it was made from: the targets that a
 * translator has written, and in words what is wrong. Pure; run in a worker, because the file is
 * untrusted and may be large.
 */
import { limits, type TextParts, type TextTag } from '@dragoman/contract/wire'
import type { Xml } from '../formats/xml/xml-scan.ts'
import { type LoneEntry, unpackLone } from '../formats/zip/zip-read.ts'
import { spelledLanguage } from '../terms/term-content.ts'
import { fingerprintOf, type Identity, plainParts } from './package-file.ts'
import { readInline } from './read-inline.ts'
import { type FoundUnit, readXliff } from './read-xliff.ts'

export type AwaitedSegment = {
  readonly segmentId: string
  readonly source: TextParts
  readonly tags: readonly TextTag[]
}
export type Awaited = {
  readonly targetLanguage: string
  readonly segments: readonly AwaitedSegment[]
}

export type FoundTarget = {
  readonly segmentId: string
  readonly target: TextParts
  /**
   * Whether it is not what was sent, and what the segment had then. Undefined if the tool dropped
   * the mark that tells.
   */
  readonly sent?: { readonly touched: boolean; readonly own: string }
  /** Still marked as untranslated. */
  readonly open: boolean
}
export type Problem = { readonly segmentId?: string; readonly problem: string }
export type JudgedXliff = {
  readonly targets: readonly FoundTarget[]
  readonly problems: readonly Problem[]
}

/** Whose file it is; undefined if it is not one of a package. */
export const identify = (entry: LoneEntry): Identity | undefined =>
  readXliff(unpackLone(entry)).identity

/** Only the first problems of a file are told: one is enough to refuse it. */
const mostProblems = limits.packageProblems

export function judgeXliff(entry: LoneEntry, { targetLanguage, segments }: Awaited): JudgedXliff {
  const file = readXliff(unpackLone(entry))
  const all: Problem[] = []
  const problems = { push: (one: Problem) => void (all.length < mostProblems && all.push(one)) }
  if (
    file.targetLanguage !== undefined &&
    spelledLanguage(file.targetLanguage) !== spelledLanguage(targetLanguage)
  )
    problems.push({
      problem: `It is marked as a translation into ${file.targetLanguage.slice(0, 40)}, and ${targetLanguage} was asked for.`,
    })
  const known = new Map(segments.map((segment) => [segment.segmentId, segment]))
  const seen = new Set<string>()
  const targets: FoundTarget[] = []
  for (const unit of file.units) {
    const [id, second] = unit.ids
    const segment = known.get(id) ?? known.get(second)
    if (!segment)
      problems.push({ problem: `It has a unit "${id.slice(0, 100)}" that was not sent.` })
    else if (seen.has(segment.segmentId))
      problems.push({ segmentId: segment.segmentId, problem: 'The unit is there twice.' })
    else {
      seen.add(segment.segmentId)
      const judged = judgeUnit(file.xml, unit, segment)
      if ('problem' in judged) problems.push(judged)
      else targets.push(judged)
    }
  }
  for (const { segmentId } of segments)
    if (!seen.has(segmentId))
      problems.push({ segmentId, problem: 'The unit is missing from the file.' })
  return { targets, problems: all }
}

/** The states in which units are sent that are to be translated. */
const openStates: ReadonlySet<string> = new Set(['needs-translation', 'initial', 'new'])

function judgeUnit(
  xml: Xml,
  { sent, state, pairs }: FoundUnit,
  segment: AwaitedSegment,
): FoundTarget | Required<Problem> {
  const { segmentId, tags } = segment
  const [source, target]: [TextParts, TextParts] = [[], []]
  let fault: string | undefined
  for (const pair of pairs) {
    const was = pair.source && readInline(xml, pair.source, tags)
    const is = pair.target && readInline(xml, pair.target, tags)
    if (!was || was.fault !== undefined) return { segmentId, problem: otherSource }
    for (const part of was.text) source.push(part)
    for (const part of is?.text ?? []) target.push(part)
    fault ??= is?.fault
    if (target.length > mostParts) fault ??= tooManyParts
  }
  if (loosely(source) !== loosely(segment.source)) return { segmentId, problem: otherSource }
  if (fault !== undefined) return { segmentId, problem: fault }
  const text = plainParts(target)
  const told = sent && { touched: fingerprintOf(text) !== sent.target, own: sent.own }
  return { segmentId, target: text, open: openStates.has(state ?? ''), ...(told && { sent: told }) }
}

/** As many as a target that is written at the desk. */
const mostParts = limits.textParts
const tooManyParts = `It has more than ${mostParts.toLocaleString('en')} pieces of text and tags.`

const otherSource =
  'Its source text is not the one of this job: the package is of another version, or a tool has changed it. Download a new package.'

/** Layout may differ; words and tags may not. */
const loosely = (text: TextParts): string =>
  JSON.stringify(
    plainParts(text)
      .map((part) => (typeof part === 'string' ? part.replace(/\s+/g, ' ').trim() : part))
      .filter((part) => part !== ''),
  )
