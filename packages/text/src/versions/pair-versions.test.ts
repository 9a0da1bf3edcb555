import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pairVersions } from './pair-versions.ts'

/** Texts without names, as in a page: `s1`, `s2` … */
const page = (...texts: string[]) => texts.map((text, at) => ({ id: `s${at + 1}`, text }))
const named = (texts: Readonly<Record<string, string>>) =>
  Object.entries(texts).map(([id, text]) => ({ id, text }))
type Units = ReturnType<typeof page>

const cases: [string, Units, Units, (string | undefined)[]][] = [
  ['nothing changed', page('a', 'b'), page('a', 'b'), ['=0', '=1']],
  ['one came first', page('a', 'b'), page('x', 'a', 'b'), [undefined, '=0', '=1']],
  ['one went', page('a', 'b', 'c'), page('a', 'c'), ['=0', '=2']],
  ['they swapped', page('a', 'b'), page('b', 'a'), ['=1', '=0']],
  ['one was changed in its place', page('a', 'b', 'c'), page('a', 'x', 'c'), ['=0', '~1', '=2']],
  [
    'one was changed and one came',
    page('a', 'Close the valve before you open the lid.', 'c'),
    page('a', 'Something else.', 'Close the valve before you open the cover.', 'c'),
    ['=0', undefined, '~1', '=2'],
  ],
  ['a text stands twice', page('a', 'a'), page('a', 'a', 'a'), ['=0', '=1', undefined]],
  ['a key changed', named({ a: '1', b: '2' }), named({ b: '2', a: '3' }), ['=1', '~0']],
  ['a key was renamed', named({ a: '1' }), named({ b: '1' }), ['=0']],
  ['a key is another one', named({ a: '1' }), named({ b: '2' }), [undefined]],
]
it.each(cases)('%s', (_name, older, newer, pairs) => {
  const found = pairVersions(older, newer).map((pair) =>
    pair ? `${pair.isEqual ? '=' : '~'}${pair.at}` : undefined,
  )
  expect(found).toEqual(pairs)
})

it('uses each older unit once, and pairs all that are equal', () => {
  const texts = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 12 })
  fc.assert(
    fc.property(texts, texts, fc.boolean(), (before, after, hasNames) => {
      const units = (all: string[]) =>
        hasNames ? all.map((text, at) => ({ id: `k.${at}`, text })) : page(...all)
      const pairs = pairVersions(units(before), units(after))
      const used = pairs.flatMap((pair) => (pair ? [pair.at] : []))
      expect(new Set(used).size).toBe(used.length)
      for (const [place, pair] of pairs.entries())
        if (pair) expect(pair.isEqual).toBe(before[pair.at] === after[place])
      for (const text of new Set(after)) {
        const many = (all: string[]) => all.filter((one) => one === text).length
        const paired = pairs.filter((pair, place) => pair?.isEqual && after[place] === text)
        expect(paired).toHaveLength(Math.min(many(before), many(after)))
      }
    }),
  )
})
