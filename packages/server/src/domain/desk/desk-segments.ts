/**
 * The segments of a content for the desk, with the targets that it or an earlier delivery has. Pure, and run in a worker
 * (open-desk.ts).
 */
import { createHash } from 'node:crypto'
import type { MaxLength, TextParts, TextTag } from '@dragoman/contract/wire'
import { hasText } from '../formats/placeholders/parts.ts'
import { targetToWire, toWire } from '../formats/placeholders/wire-texts.ts'
import { alignSegments } from '../formats/sentences/align-sentences.ts'
import { type Content, cutOf, type ReadSegment, segmentsIn } from '../requests/segments-of.ts'

export type DeskSegment = {
  readonly segmentId: string
  /** Its id in the content. */
  readonly unit: string
  readonly key?: string
  readonly source: TextParts
  readonly tags: readonly TextTag[]
  readonly target?: TextParts
  readonly origin?: 'FILE' | 'DELIVERY'
  readonly isSentence?: true
  /** The delivered paragraph, where its sentences cannot be told apart: the first one has all of it. */
  readonly paragraph?: string
  readonly notes?: readonly string[]
  readonly maxLength?: MaxLength
}

/** Undefined if the format is unknown. */
export function readDesk(source: Content, translation?: Content): DeskSegment[] | undefined {
  const segments = segmentsIn({ ...source, about: true })?.filter(
    ({ held, parts, target }) => !held && (target || hasText(parts)),
  )
  if (!segments) return undefined
  const after = (translation && segmentsIn(translation)) ?? []
  const { targets, unlike } = alignSegments(segments, after, cutOf(source))
  return segments.map((segment) => {
    const { id, parts, target, of, about } = segment
    const { text, tags } = toWire(parts)
    const done = targets.get(id)
    const known = done ?? target
    const paragraph = of && unlike.get(of.id)
    return {
      segmentId: segmentIdOf(id),
      unit: id,
      ...(isNamed(segment) && { key: id }),
      source: text,
      tags,
      ...about,
      ...(of && { isSentence: true as const }),
      ...(known && { target: targetToWire(parts, known), origin: done ? ('DELIVERY' as const) : ('FILE' as const) }),
      ...(paragraph !== undefined && { paragraph }),
    }
  })
}

/** Fit for a path, and the same for the same content. */
const segmentIdOf = (id: string): string => createHash('sha256').update(id).digest('base64url').slice(0, 16)

/** Without a name a segment has its number: `s12`. */
const isNamed = ({ id }: ReadSegment): boolean => !/^s\d{1,9}(?:~s\d{1,9})?$/.test(id)
