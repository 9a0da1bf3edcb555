import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutRuns, fromMarkers, toMarkers, verify } from './markers.ts'
import type { Part } from './part.ts'
import { buildParts } from './parts.ts'

const partsOf = (text: string): readonly Part[] => buildParts([{ text }], (same) => same)
const textOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join('')

const source = partsOf('Save <b>{count} files</b> & go<br/>')
const back = (answer: string, from = source) => {
  const got = fromMarkers(answer, from, 'xml')
  return 'parts' in got ? textOf(got.parts) : `refused: ${got.failure}`
}

test('a segment is sent with numbered markers and its text escaped', () => {
  expect(toMarkers(source, 'xml')).toBe('Save <g id="1"><x id="2"/> files</g> &amp; go<x id="3"/>')
  expect(toMarkers(source, 'brackets')).toBe('Save ⟦1⟧⟦2⟧ files⟦/1⟧ & go⟦3⟧')
})

test('a sound answer is taken, in another order too', () => {
  expect(back('<g id="1">Dateien <x id="2"/></g> sichern &amp; los<x id="3"/>')).toBe(
    '<b>Dateien {count}</b> sichern & los<br/>',
  )
  expect(back('<x id="3"></x>A<g id="1"><x id="2" /></g>&lt;&#39;&quot;')).toBe(
    `<br/>A<b>{count}</b><'"`,
  )
})

test.each([
  ['drops a marker', 'Sichern <g id="1"> Dateien</g><x id="3"/>'],
  ['doubles a marker', '<g id="1"><x id="2"/><x id="2"/></g> a<x id="3"/>'],
  ['makes up a marker', '<g id="1"><x id="2"/></g> a<x id="3"/><x id="4"/>'],
  ['spells a marker otherwise', '<g id="1">< x id = "2" / > a</g><x id="3"/>'],
  ['translates a marker', '<g id="1"><x Nummer="2"/> a</g><x id="3"/>'],
  ['never closes a pair', '<g id="1"><x id="2"/> a<x id="3"/>'],
  ['closes what was not open', '</g><g id="1"><x id="2"/> a<x id="3"/>'],
  ['makes a pair of a single marker', '<g id="1"><g id="2">a</g></g><x id="3"/>'],
  ['gives nothing back but markers', '<g id="1"><x id="2"/></g><x id="3"/>'],
  ['answers with an emoji', '🤖'],
])('an answer that %s is refused', (_, answer) => {
  expect(back(answer)).toMatch(/^refused: /)
})

test('brackets are read as strictly', () => {
  const got = (answer: string) => 'parts' in fromMarkers(answer, source, 'brackets')
  expect(got('⟦1⟧⟦2⟧ Dateien⟦/1⟧ & los⟦3⟧')).toBe(true)
  expect(got('⟦1⟧⟦ 2 ⟧ Dateien⟦/1⟧ & los⟦3⟧')).toBe(false)
  expect(got('⟦1⟧⟦2⟧ Dateien & los⟦3⟧')).toBe(false)
  expect(got('⟦/1⟧⟦2⟧ Dateien⟦1⟧ & los⟦3⟧')).toBe(false)
})

test('crossed pairs are refused', () => {
  const two = partsOf('<b>a</b><i>b</i>')
  expect('failure' in fromMarkers('⟦1⟧a⟦2⟧b⟦/1⟧⟦/2⟧', two, 'brackets')).toBe(true)
})

test('placeholders that are filled by order must keep it; numbered and named ones may move', () => {
  expect(back('<x id="2"/> of <x id="1"/>', partsOf('%s of %d'))).toMatch(/filled by order/)
  expect(back('<x id="2"/> of <x id="1"/>', partsOf('%1$s of %2$d'))).toBe('%2$d of %1$s')
  expect(back('<x id="2"/> of <x id="1"/>', partsOf('{a} of {b}'))).toBe('{b} of {a}')
})

test('blanks around a segment are those of the source', () => {
  const padded = partsOf('  Save all \n')
  expect(toMarkers(padded, 'xml')).toBe('Save all')
  expect(back(' Alles sichern', padded)).toBe('  Alles sichern \n')
})

test('the branches of a message are sent alone, and its structure not at all', () => {
  const parts = partsOf('You: {n, plural, one {# item} other {# items}}!')
  const runs = cutRuns(parts, 'icu')
  expect(runs.map((run) => (run.isSent ? toMarkers(run.parts, 'xml') : null))).toEqual([
    'You:',
    null,
    '<x id="2"/> item',
    null,
    '<x id="4"/> items',
    null,
    '!',
  ])
  expect(runs.flatMap((run) => run.parts)).toEqual(parts)
})

test('cut at every code, no marker is sent', () => {
  const runs = cutRuns(source, 'every-code')
  expect(runs.filter((run) => run.isSent).map((run) => toMarkers(run.parts, 'xml'))).toEqual([
    'Save',
    'files',
    '&amp; go',
  ])
  expect(textOf(runs.flatMap((run) => run.parts))).toBe(textOf(source))
})

describe('any text', () => {
  const texts = fc.array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '{a}',
        '%s',
        '%1$d',
        '<b>',
        '</b>',
        '<br/>',
        '&lt;',
        '<x id="1"/>',
        '</g>',
        '⟦1⟧',
        ' ',
        '\n',
      ),
    ),
  )
  test.each(['xml', 'brackets'] as const)(
    'comes back from an engine that answers the same, with %s',
    (style) => {
      fc.assert(
        fc.property(texts, (all) => {
          const parts = partsOf(all.join(''))
          const got = fromMarkers(toMarkers(parts, style), parts, style)
          expect('parts' in got ? textOf(got.parts) : got.failure).toBe(textOf(parts))
          expect(verify(parts, parts)).toBeUndefined()
        }),
        { numRuns: 300 },
      )
    },
  )
})
