/**
 * The segments of a content for the desk, with the targets that it, an earlier delivery or the
 * engines of a chain have. Pure, and run in a worker (open-desk.ts).
 */
import { createHash } from 'node:crypto'
import type { MaxLength, TextParts, TextTag } from '@dragoman/contract/wire'
import type { Part } from '@dragoman/text/formats'
import { hasText, targetToWire, toWire } from '@dragoman/text/placeholders'
import { alignSegments } from '@dragoman/text/sentences'
import type { StoredSuggestions } from '../engines/machine-work.ts'
import { type Content, cutOf, type ReadSegment, segmentsIn } from '../jobs/requests/segments-of.ts'

export type DeskSegment = {
  readonly segmentId: string
  /** Its id in the content. */
  readonly unit: string
  readonly key?: string
  readonly source: TextParts
  readonly tags: readonly TextTag[]
  readonly target?: TextParts
  /** `DRAFT` is a suggestion of an engine, for people to work on. */
  readonly origin?: 'FILE' | 'DELIVERY' | 'DRAFT'
  /** The suggestion stays here if something else is the target now. */
  readonly suggested?: TextParts
  /** This says why there is no suggestion. */
  readonly openReason?: string
  readonly isSentence?: true
  /**
   * The delivered paragraph, where its sentences cannot be told apart: the first one has all of it.
   */
  readonly paragraph?: string
  readonly notes?: readonly string[]
  readonly maxLength?: MaxLength
}

/** Undefined if the format is unknown. */
export function readDesk(
  source: Content,
  translation?: Content,
  suggestions?: StoredSuggestions,
): DeskSegment[] | undefined {
  const segments = segmentsIn({ ...source, about: true })?.filter(
    ({ held, parts, target }) => !held && (target || hasText(parts)),
  )
  if (!segments) return undefined
  const after = translation && segmentsIn(translation)
  const { targets, unlike } = alignSegments(segments, after ?? [], cutOf(source))
  const draftOf = suggestions && openSuggestions(segments, suggestions, source)
  return segments.map((segment) => {
    const { id, parts, target, of, about } = segment
    const { parts: suggestion, openReason } = draftOf?.(segment) ?? {}
    const suggested = suggestion && targetToWire(parts, suggestion)
    const { text, tags } = toWire(parts)
    const done = targets.get(id)
    // What a delivery lacks is open, whatever was there before.
    const known = done ?? (after ? undefined : (suggestion ?? target))
    const paragraph = of && unlike.get(of.id)
    return {
      segmentId: segmentIdOf(id),
      unit: id,
      ...(isNamed(segment) && { key: id }),
      source: text,
      tags,
      ...about,
      ...(of && { isSentence: true as const }),
      ...(known && {
        target: targetToWire(parts, known),
        origin: originOf(known, { done, suggestion }),
      }),
      ...(suggested && { suggested }),
      ...(!known && openReason !== undefined && { openReason }),
      ...(paragraph !== undefined && { paragraph }),
    }
  })
}

const originOf = (
  known: readonly Part[],
  {
    done,
    suggestion,
  }: {
    readonly done?: readonly Part[] | undefined
    readonly suggestion?: readonly Part[] | undefined
  },
) => (known === done ? 'DELIVERY' : known === suggestion ? 'DRAFT' : 'FILE')

/**
 * Finds the suggestion for a segment, or why it has none. Engines translate paragraphs; a sentence
 * has its part of one.
 */
function openSuggestions(
  segments: readonly ReadSegment[],
  { texts, open, because }: StoredSuggestions,
  source: Content,
) {
  const after = Object.entries(texts).map(([id, parts]) => ({ id, parts }))
  const { targets, unlike } = alignSegments(segments, after, cutOf(source))
  return ({ id, of }: ReadSegment): { parts?: readonly Part[]; openReason?: string } => {
    const parts = targets.get(id)
    if (parts && parts.length > 0) return { parts }
    if (of && unlike.has(of.id)) return { openReason: wholeParagraph }
    const reason = because ?? open[of?.id ?? id]
    return reason === undefined ? {} : { openReason: reason }
  }
}
const wholeParagraph =
  'The sentences of the machine translation do not pair with those of the source. The first sentence has the whole paragraph.'

/** Fit for a path, and the same for the same content. */
const segmentIdOf = (id: string): string =>
  createHash('sha256').update(id).digest('base64url').slice(0, 16)

/** Without a name a segment has its number: `s12`. */
const isNamed = ({ id }: ReadSegment): boolean => !/^s\d{1,9}(?:~s\d{1,9})?$/.test(id)
