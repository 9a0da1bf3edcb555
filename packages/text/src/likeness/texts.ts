/**
 * The memory holds texts as they stand in files, codes included. These turn the parts that the desk
 * speaks in into such a text, and back for the tags that the caller has told.
 */
import { HubError, type TextParts, type TextTag } from '@dragoman/contract/wire'

/** A tag that was not told shows nothing. */
export function writtenText(
  text: string | TextParts,
  tags: readonly TextTag[] | undefined,
): string {
  if (typeof text === 'string') return text
  const shown = new Map((tags ?? []).map(({ tag, shows }) => [tag, shows]))
  return text
    .map((part) => {
      if (typeof part === 'string') return part
      const shows = shown.get(part.tag)
      if (shows === undefined && tags)
        throw new HubError('INVALID_REQUEST', {
          because: `the text uses tag ${part.tag}, which is not in tags.`,
        })
      return shows ?? ''
    })
    .join('')
}

/** Beyond this, the text stays a string: there are better uses of the time. */
const maxWork = 50_000_000

/** Codes that a tag shows become that tag, each tag once; others stay text. */
export function partsIn(text: string, tags: readonly TextTag[] = []): TextParts {
  const left = new Map<string, number[]>()
  for (const { tag, shows } of tags)
    if (shows !== '') left.set(shows, [...(left.get(shows) ?? []), tag])
  if (left.size * text.length > maxWork) return [text]
  const parts: TextParts = []
  const places = new Map([...left.keys()].map((shows) => [shows, text.indexOf(shows)]))
  for (let at = 0; at < text.length; ) {
    let next: { shows: string; at: number } | undefined
    for (const [shows, place] of places) {
      const from = place >= 0 && place < at ? text.indexOf(shows, at) : place
      places.set(shows, from)
      // Of two at the same place the longer one stands there.
      if (
        from >= 0 &&
        (!next || from < next.at || (from === next.at && shows.length > next.shows.length))
      )
        next = { shows, at: from }
    }
    if (next?.at !== at) parts.push(text.slice(at, next?.at))
    if (!next) break
    const numbers = left.get(next.shows) ?? []
    const tag = numbers.shift()
    if (tag !== undefined) parts.push({ tag })
    if (numbers.length === 0) places.delete(next.shows)
    at = next.at + next.shows.length
  }
  return parts
}
