/**
 * The places that are worked out together are those that one finds who looks for each by itself.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { icuBounds, openBraces } from './braces.ts'

/** Character by character, from the first of the branch. */
function lookFor(text: string, from: number, limit: number, quotes: boolean): number | undefined {
  let depth = 1
  const end = Math.min(text.length, limit)
  for (let at = from; at < end; at++) {
    if (quotes && text[at] === "'" && '{}#'.includes(text[at + 1] || ' ')) {
      const closing = text.indexOf("'", at + 1)
      if (closing < 0 || closing >= end) return undefined
      at = closing
    } else if (text[at] === '{' && ++depth > icuBounds.depth) return undefined
    else if (text[at] === '}' && --depth === 0) return at
  }
  return undefined
}

const texts = fc
  .array(
    fc.oneof(
      ...['{', '}', "'", '#', 'x', "'{", "}'", '{{{{{{{{', '}}}}}}}}', '{x}'].map(fc.constant),
    ),
    {
      maxLength: 200,
    },
  )
  .map((parts) => parts.join(''))

test.each([true, false])(
  'each branch ends where one finds its end alone, with quotes: %s',
  (quotes) => {
    fc.assert(
      fc.property(texts, fc.nat(100), fc.nat(400), (text, first, length) => {
        const braces = openBraces(text, quotes)
        for (let from = first; from < text.length; from++)
          expect(braces.closing(from, from + length)).toBe(
            lookFor(text, from, from + length, quotes),
          )
      }),
      { seed: 10, numRuns: 300 },
    )
  },
)

test('a text longer than a stretch is read in several, and a branch may lie across their border', () => {
  const text = `${'{x}'.repeat(30_000)}}`.repeat(4)
  const braces = openBraces(text, true)
  for (let from = 0; from < text.length; from += 997)
    expect(braces.closing(from, from + icuBounds.length)).toBe(
      lookFor(text, from, from + icuBounds.length, true),
    )
})
