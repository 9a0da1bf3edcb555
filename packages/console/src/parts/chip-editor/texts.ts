/** Texts of the desk: comparing them, counting them, and what they are as plain text. Pure. */
import type { MaxLength, TextParts, TextTag } from '@dragoman/contract/wire'

export type TextPart = TextParts[number]

/**
 * Without empty strings, and with neighbouring strings as one: the same text always has the same
 * parts.
 */
export function joined(text: readonly TextPart[]): TextParts {
  const out: TextParts = []
  for (const part of text) {
    const last = out.at(-1)
    if (typeof part === 'string' && typeof last === 'string') out[out.length - 1] = last + part
    else if (part !== '') out.push(part)
  }
  return out
}

export function sameText(a: readonly TextPart[], b: readonly TextPart[]): boolean {
  const [one, other] = [joined(a), joined(b)]
  return (
    one.length === other.length &&
    one.every((part, at) => {
      const beside = other[at]
      if (typeof part === 'string' || typeof beside === 'string') return part === beside
      return part.tag === beside?.tag
    })
  )
}

/** The number of each tag in a text, in its order there. */
export const tagsIn = (text: readonly TextPart[]): number[] =>
  text.flatMap((part) => (typeof part === 'string' ? [] : [part.tag]))

export function countTags(text: readonly TextPart[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const tag of tagsIn(text)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return counts
}

/** The tags that the source has and the target does not have yet, in the order of the source. */
export function missingTags(source: readonly TextPart[], target: readonly TextPart[]): number[] {
  const left = countTags(target)
  return tagsIn(source).filter((tag) => {
    const count = left.get(tag) ?? 0
    left.set(tag, count - 1)
    return count <= 0
  })
}

/**
 * As the check `length` counts: a tag has no length, whatever it shows; CHARACTERS are code points,
 * BYTES those of UTF-8.
 */
export function lengthOf(
  text: readonly TextPart[],
  _tags: readonly TextTag[],
  unit: MaxLength['unit'],
): number {
  const letters = text.filter((part) => typeof part === 'string').join('')
  return unit === 'BYTES' ? new TextEncoder().encode(letters).length : [...letters].length
}

/** Writes each tag as it stands in the file, such as `<b>`. */
export function plainOf(text: readonly TextPart[], tags: readonly TextTag[]): string {
  const shows = new Map(tags.map((one) => [one.tag, one.shows]))
  return text
    .map((part) => (typeof part === 'string' ? part : (shows.get(part.tag) ?? '')))
    .join('')
}
