/**
 * The similarity measure, and the filter checked against brute force: every match is among the
 * candidates.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { distance, likenessOf } from './likeness.ts'
import {
  eachProbe,
  editsAllowed,
  maxTokens,
  minEdits,
  minPercent,
  signatureOf,
  unitKeys,
} from './pieces.ts'
import { tokensOf } from './tokens.ts'

/** Whatever counts as frequent, no match may be missed. */
const queryProbes = (
  tokens: readonly number[],
  common = tokens.map((token) => 1 / (1 + Math.abs(token % 5))),
): Map<number, number> => {
  const edits = new Map<number, number>()
  eachProbe(tokens, common, (key, most) => edits.set(key, most))
  return edits
}
const known = (source: string) => ({ source, tokens: tokensOf(source) })

const pairs: [one: string, other: string, percent: number][] = [
  ['Save the file now', 'Save the file now', 100],
  ['Save the file now', 'save the file now', 99],
  ['Save 3 files', 'Save 12 files', 99],
  ['Save 3 files', 'save 12  files', 97],
  ['Save <b>all</b> files', 'Save all files', 99],
  ['Hello {name}', 'Hello {0}', 99],
  ['Save the file now', 'Save the file later', 75],
  ['Save the file now', 'Save a file later', 0],
  ['one two three four five six seven eight', 'one two three four five six seven nine', 87],
  ['one two three', 'one two three four', 75],
  ['Save file', 'Save files', 0],
  ['', 'word', 0],
  ['我们今天去北京', '我们今天去南京', 85],
]
test.each(pairs)('%s | %s', (one, other, percent) => {
  expect(likenessOf(known(one), known(other))).toBe(percent)
  expect(likenessOf(known(other), known(one))).toBe(percent)
})

test('words, numbers, marks and placeholders are tokens, tags are none', () => {
  const counts = (text: string) => tokensOf(text).length
  expect(counts("Don't pay 1,250.50 to {name}!")).toBe(6)
  expect(counts('<b>Bold</b> https://example.com/a,b')).toBe(2)
  expect(tokensOf('Pay 5')).toEqual(tokensOf('pay 1,000'))
  expect(counts('東京タワー 2')).toBe(6)
})

/** Few different words, so that texts are often similar. */
const tokens = (most: number) =>
  fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: most })

/** A text and a variant: some tokens replaced, removed, added. */
const alike = fc
  .tuple(
    tokens(40),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom('replace', 'remove', 'add'),
        fc.integer({ min: 1, max: 9 }),
      ),
      {
        maxLength: 10,
      },
    ),
  )
  .map(([one, edits]) => {
    const other = [...one]
    for (const [place, edit, token] of edits) {
      const at = place % (other.length + 1)
      if (edit === 'add') other.splice(at, 0, token)
      else if (edit === 'remove') other.splice(at, 1)
      else if (at < other.length) other[at] = token
    }
    return [one, other] as const
  })

/** The full Levenshtein table, for the test only. */
function plainDistance(one: readonly number[], other: readonly number[]): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  one.forEach((token, i) => {
    const next = [i + 1]
    other.forEach((against, j) => {
      next.push(
        Math.min(
          (row[j] ?? 0) + (token === against ? 0 : 1),
          (row[j + 1] ?? 0) + 1,
          (next[j] ?? 0) + 1,
        ),
      )
    })
    row = next
  })
  return row[other.length] ?? 0
}

describe('held against brute force', () => {
  test('signatures never ask for more edits than there are', () => {
    fc.assert(
      fc.property(alike, ([one, other]) => {
        const spread = (tokens: readonly number[]) =>
          tokens.map((token) => Math.imul(token, 0x9e3779b1))
        const least = minEdits(signatureOf(spread(one)), signatureOf(spread(other)))
        expect(least).toBeLessThanOrEqual(plainDistance(one, other))
      }),
      { numRuns: 2_000 },
    )
  })

  test('the banded distance is the plain one, up to its bound', () => {
    fc.assert(
      fc.property(alike, fc.nat({ max: 12 }), ([one, other], most) => {
        const plain = plainDistance(one, other)
        expect(distance(one, other, most)).toBe(plain <= most ? plain : undefined)
      }),
      { numRuns: 2_000 },
    )
  })

  test('every match shares a key, and its signature does not rule it out', () => {
    let matches = 0
    fc.assert(
      fc.property(fc.oneof(alike, fc.tuple(tokens(12), tokens(12))), ([query, unit]) => {
        fc.pre(unit.length > 0)
        const longer = Math.max(query.length, unit.length)
        if (plainDistance(query, unit) > editsAllowed(longer)) return
        matches += 1
        const edits = queryProbes(query)
        const shared = unitKeys(unit).flatMap((key) => edits.get(key) ?? [])
        expect(shared.length).toBeGreaterThan(0)
        expect(minEdits(signatureOf(query), signatureOf(unit))).toBeLessThanOrEqual(
          Math.max(...shared),
        )
      }),
      { numRuns: 5_000 },
    )
    expect(matches).toBeGreaterThan(200)
  })

  test('the least percent is what the allowed edits leave', () => {
    for (let longer = 1; longer <= 200; longer++) {
      const percent = (edits: number) => Math.floor((100 * (longer - edits)) / longer)
      expect(percent(editsAllowed(longer))).toBeGreaterThanOrEqual(minPercent)
      expect(percent(editsAllowed(longer) + 1)).toBeLessThan(minPercent)
    }
  })

  test('a long text asks for itself only, whatever its length', () => {
    const long = Array.from({ length: maxTokens + 1 }, (_, at) => at)
    expect(queryProbes(long).size).toBe(1)
    expect(queryProbes(long.slice(1)).size).toBeLessThan(50_000)
    expect(queryProbes([...Array(5_000).keys()]).size).toBe(1)
  })
})
