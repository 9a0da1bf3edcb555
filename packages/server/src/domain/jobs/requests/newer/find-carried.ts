/**
 * What a newer source takes over from the older one: the targets of equal segments with their
 * state, and for a changed segment what it was. Pure, and run in a worker (carry-over.ts).
 */
import type { SegmentState, TextParts } from '@dragoman/contract/wire'
import { countParts, weightedWords } from '@dragoman/text/counting'
import { hasText, targetToWire, toWire } from '@dragoman/text/placeholders'
import { alignSegments } from '@dragoman/text/sentences'
import { pairVersions } from '@dragoman/text/versions'
import { openPager, type Pages } from '../../../language/worker/pages.ts'
import { type Content, cutOf, type ReadSegment, segmentIdOf, segmentsIn } from '../segments-of.ts'

/** What people wrote in a segment of the older request. */
export type OlderTarget = {
  readonly segmentId: string
  readonly target?: TextParts
  readonly state?: SegmentState
}
export type Carried = {
  readonly segmentId: string
  readonly target: TextParts
  readonly state: SegmentState
  /** The segment of the older request. */
  readonly from: string
  /** Of its source. */
  readonly words: number
}
/** What is stored of it, by the ids of the newer content. */
export type CarriedTexts = {
  readonly before: Readonly<Record<string, TextBefore>>
  readonly known: Readonly<Record<string, TextParts>>
  /** The places, among all segments that are work, of those that need no work any more. */
  readonly done: readonly number[]
}
export type TextBefore = { readonly source: TextParts; readonly target?: TextParts }
export type Found = { readonly texts: Uint8Array; readonly carried: Pages }

/** What else there is of the older request. */
export type OlderWork = {
  readonly written: readonly OlderTarget[]
  /** The state of what was delivered and not touched since. */
  readonly delivered: SegmentState
}

/** Undefined if a format is unknown. */
export function findCarried(
  older: Content,
  newer: Content,
  work: OlderWork,
  translation?: Content,
): Found | undefined {
  const [before, after] = [workIn(older), workIn(newer)]
  const delivered = translation && segmentsIn(translation)
  if (!before || !after) return undefined
  const { targets } = alignSegments(before, delivered ?? [], cutOf(older))
  const written = new Map(work.written.map((one) => [one.segmentId, one]))
  const pairs = pairVersions(before.map(unitOf), after.map(unitOf))
  const pager = openPager<Carried>()
  const texts = { before: {}, known: {}, done: [] } as {
    before: Record<string, TextBefore>
    known: Record<string, TextParts>
    done: number[]
  }
  for (const [place, { id, parts, target: own }] of after.entries()) {
    const pair = pairs[place]
    const was = pair && before[pair.at]
    if (!was) continue
    const from = segmentIdOf(was.id)
    const mine = written.get(from)
    const there = targets.get(was.id)
    const target = mine?.target ?? (there && targetToWire(was.parts, there))
    if (!pair.isEqual) {
      const source = toWire(was.parts).text
      setOwn(texts.before, id, { source, ...(target && { target }) })
      continue
    }
    // What the file itself translates stays as the file has it.
    if (!target || own || !hasText(parts)) continue
    const state = mine?.state ?? work.delivered
    const words = weightedWords(countParts(parts))
    pager.add({ segmentId: segmentIdOf(id), target, state, from, words })
    if (state !== 'TRANSLATED' && state !== 'APPROVED') continue
    setOwn(texts.known, id, target)
    texts.done.push(place)
  }
  return { texts: new TextEncoder().encode(JSON.stringify(texts)), carried: pager.finish() }
}

/** Ids come from files: one may be `__proto__`. */
function setOwn<T>(into: Record<string, T>, id: string, value: T): void {
  Object.defineProperty(into, id, { value, enumerable: true, configurable: true, writable: true })
}

const workIn = (content: Content): ReadSegment[] | undefined =>
  segmentsIn(content)?.filter(({ held }) => !held)

/** Equal where text and codes are. */
const unitOf = ({ id, parts }: ReadSegment) => ({ id, text: JSON.stringify(toWire(parts)) })

/** Some of those texts. */
export function pickBefore(texts: string, ids: readonly string[]): [string, TextBefore][] {
  const { before } = JSON.parse(texts) as CarriedTexts
  return ids.flatMap((id): [string, TextBefore][] => {
    const text = Object.hasOwn(before, id) ? before[id] : undefined
    return text ? [[id, text]] : []
  })
}

/** Which places need no work. */
export const placesDone = (texts: string): readonly number[] =>
  (JSON.parse(texts) as CarriedTexts).done

/** Targets that engines need not make. */
export const knownTargets = (texts: string): [string, TextParts][] =>
  Object.entries((JSON.parse(texts) as CarriedTexts).known)
