/**
 * Names within the service's limits: at most so many bytes of UTF-8, cut between two user-perceived
 * characters.
 */
import { limits } from '@dragoman/contract/wire'

const encoder = new TextEncoder()

export function cutName(name: string, most: number = limits.jobNameBytes): string {
  const text = name.toWellFormed().replaceAll('\0', '')
  if (encoder.encode(text).length <= most) return text
  let kept = ''
  let left = most
  for (const character of charactersOf(text)) {
    left -= encoder.encode(character).length
    if (left < 0) break
    kept += character
  }
  // A single character may exceed the limit: then it is cut between two code points.
  return kept !== '' ? kept : cutAtCodePoint(text, most)
}

function cutAtCodePoint(text: string, most: number): string {
  let kept = ''
  for (const point of text) {
    if (encoder.encode(kept + point).length > most) break
    kept += point
  }
  return kept
}

/** A letter with its accents, or an emoji sequence, is one character. */
function* charactersOf(text: string): Iterable<string> {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}
