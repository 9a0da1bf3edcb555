/**
 * Attributes that hold text, in tags that are codes of a segment around them. The attribute is a
 * segment of its own, so its value cannot be part of the code: the code is the tag with empty
 * values, and they are filled in when the segment is written. The title of a link in Markdown is
 * such a value too: there the code begins with a bracket.
 */
import type { Edit, SegmentPlace } from './define-format.ts'

/** A tag with empty values, and where each value goes. */
export type Hollow = { readonly raw: string; readonly holes: readonly number[] }

/** `from` is where the tag stands in the file, `values` where the values of its attributes do. */
export function hollowOut(
  raw: string,
  from: number,
  values: readonly Pick<Edit, 'start' | 'end'>[],
): Hollow {
  const kept: string[] = []
  const holes: number[] = []
  let [at, length] = [0, 0]
  for (const { start, end } of values) {
    length += start - from - at
    kept.push(raw.slice(at, start - from))
    holes.push(length)
    at = end - from
  }
  return { raw: kept.join('') + raw.slice(at), holes }
}

/**
 * The attributes and the segment around them, which are written together. `hollow` are its tags
 * that have holes for them.
 */
export function placeTogether(
  place: SegmentPlace,
  hollow: readonly Hollow[],
  attributes: readonly SegmentPlace[],
): SegmentPlace[] {
  const { start } = place
  const together = `run ${start}`
  return [
    ...attributes.map(
      (one): SegmentPlace => ({ ...one, start, end: start, together, compose: () => '' }),
    ),
    {
      ...place,
      together,
      compose: (written, target, group) => {
        const filled = fillTags(written, hollow, group)
        return place.compose?.(filled, target, group) ?? filled
      },
    },
  ]
}

/** How many tags to look through for one that the translation has moved. */
const mostMoved = 200

/**
 * Fills in the values; equal tags get theirs in order. `said` has the values, and after them the
 * segment itself.
 */
function fillTags(written: string, hollow: readonly Hollow[], said: readonly string[]): string {
  let next = 0
  const waiting = hollow.map(({ raw, holes }) => {
    const words = said.slice(next, next + holes.length)
    next += holes.length
    return { raw, holes, words, used: false }
  })
  const out: string[] = []
  let [from, head] = [0, 0]
  const mark = hollow[0]?.raw.charAt(0) ?? '<'
  for (let at = written.indexOf(mark), after = 0; at >= 0; at = written.indexOf(mark, after)) {
    const one = waiting
      .slice(head, head + mostMoved)
      .find(({ raw, used }) => !used && written.startsWith(raw, at))
    // Nothing starts inside a tag: the names of its attributes may look like tags.
    after = at + (one?.raw.length ?? 1)
    if (!one) continue
    one.used = true
    while (waiting[head]?.used) head += 1
    one.holes.forEach((hole, nth) => {
      out.push(written.slice(from, at + hole), one.words[nth] ?? '')
      from = at + hole
    })
  }
  return out.join('') + written.slice(from)
}
