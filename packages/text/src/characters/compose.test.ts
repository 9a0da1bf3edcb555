import { expect, test } from 'vitest'
import { compose } from './compose.ts'

const marks = '\u0315\u0300\u0323\u0301'

test.each([
  ['nothing', ''],
  ['letters with marks', `e\u0301 ${'a\u0323\u0302 '.repeat(200)}`],
  ['Hangul in its parts', '\u1112\u1161\u11ab'.repeat(200)],
  ['marks of several classes out of order', `a${marks}b${marks}`.repeat(100)],
  ['marks that are no accents', '\u09c7\u09be'.repeat(200)],
  ['half characters', `\ud800${'e\u0301'.repeat(300)}\udc00`],
  ['as many marks on a letter as are composed at once', `x${marks.repeat(64)}y`],
])('%s: as the engine composes it', (_, text) => {
  expect(compose(text)).toBe(text.normalize('NFC'))
})

test('a run of marks that no script writes is composed in pieces, and everything around it as usual', () => {
  const run = marks.repeat(1_000)
  const composed = compose(`e\u0301${' '.repeat(300)}a${run}e\u0301`)
  expect(composed.startsWith(`\u00e9${' '.repeat(300)}\u1ea1`)).toBe(true)
  expect(composed.endsWith('\u00e9')).toBe(true)
  expect([...composed.normalize('NFD')].sort()).toEqual(
    [...`e\u0301${' '.repeat(300)}a${run}e\u0301`].sort(),
  )
})
