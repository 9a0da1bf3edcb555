/**
 * Sentences of running text: 46 texts, codes at the seams, and laws that hold for any paragraph.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Part } from '../../packages/text/src/placeholders/part.ts'
import { buildParts, sameParts } from '../../packages/text/src/placeholders/parts.ts'
import type { Piece } from '../../packages/text/src/placeholders/protect.ts'
import { cutParts } from '../../packages/text/src/sentences/cut-parts.ts'
import { sentenceStarts, windowLength } from '../../packages/text/src/sentences/find-sentences.ts'
import { draws } from '../draws.ts'
import { english, others } from './sentence-cases.ts'

const rawOf = (parts: readonly Part[]): string =>
  parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join('')

/** The text with a bar where it is cut. */
function cutText(text: string, language: string): string {
  const cut = cutParts([{ type: 'text', text }], language)
  return cut ? cut.sentences.map(rawOf).join('|') : text
}

const cases = [...english.map((text) => ['en-US', text] as const), ...others]
const space = (language: string): string => (/^(?:ja|zh)/.test(language) ? '' : ' ')
/** A quotation inside a Japanese sentence ends it. */
const missed = new Set(['彼は「はい。」と言った。|そして帰った。'])

test('at least 44 of 46 texts are cut as a person would, and the others are known', () => {
  const wrong = cases.filter(
    ([language, text]) => cutText(text.replaceAll('|', space(language)), language) !== text,
  )
  expect(cases.length).toBe(46)
  expect(wrong.map(([, text]) => text)).toEqual([...missed])
})

const open = (raw: string): Piece => ({ kind: 'tag-open', raw, name: raw.slice(1, -1) })
const close = (raw: string): Piece => ({ kind: 'tag-close', raw, name: raw.slice(2, -1) })
const single = (raw: string): Piece => ({ kind: 'tag-empty', raw, name: raw })

describe('codes of a paragraph', () => {
  const [b, _b, i, _i] = [open('<b>'), close('</b>'), open('<i>'), close('</i>')]
  const rows: [
    name: string,
    pieces: Piece[],
    sentences: string[] | undefined,
    between: string[],
  ][] = [
    [
      'what closes stays with its sentence',
      [b, { text: 'One.' }, _b, { text: ' Two here.' }],
      ['<b>One.</b>', 'Two here.'],
      [' '],
    ],
    [
      'what opens goes to the next one',
      [{ text: 'One. ' }, i, { text: 'Two' }, _i, { text: ' here.' }],
      ['One.', '<i>Two</i> here.'],
      [' '],
    ],
    [
      'a blank within a pair stays there',
      [b, { text: 'One. ' }, _b, { text: 'Two here.' }],
      ['<b>One. </b>', 'Two here.'],
      [''],
    ],
    [
      'a pair is never cut apart',
      [{ text: 'So ' }, b, { text: 'one thing. Two things' }, _b, { text: ' here. Then more.' }],
      ['So <b>one thing. Two things</b> here.', 'Then more.'],
      [' '],
    ],
    [
      'a pair around everything stays outside',
      [b, i, { text: 'One thing. Two things.' }, _i, _b],
      ['One thing.', 'Two things.'],
      [' '],
    ],
    [
      'a line break between sentences belongs to none',
      [{ text: 'One thing.' }, single('<br>'), { text: 'Two things.' }],
      ['One thing.', 'Two things.'],
      ['<br>'],
    ],
    [
      'a mark of a note stays with its sentence',
      [{ text: 'One thing.' }, single('<sup/>'), { text: ' Two things.' }],
      ['One thing.<sup/>', 'Two things.'],
      [' '],
    ],
    [
      'a placeholder is a word',
      [{ text: 'Dear {name}. {count} files are here.' }],
      ['Dear {name}.', '{count} files are here.'],
      [' '],
    ],
    [
      'the branches of a message are one text',
      [{ text: '{n, plural, one {One. Two.} other {Many. More.}}' }],
      undefined,
      [],
    ],
    ['one sentence in a pair is left as it is', [b, { text: 'One thing.' }, _b], undefined, []],
  ]
  test.each(rows)('%s', (_, pieces, sentences, between) => {
    const cut = cutParts(
      buildParts(pieces, (text) => text),
      'en',
    )
    expect(cut?.sentences.map(rawOf)).toEqual(sentences)
    expect(cut?.between.slice(1, -1).map(rawOf) ?? []).toEqual(between)
  })
})

const piece: fc.Arbitrary<Piece> = fc.oneof(
  fc
    .constantFrom(
      'One thing. ',
      'Two?',
      ' Mr. X! ',
      ' ',
      '\n',
      '「は。」',
      'é. Ü',
      '{a} ',
      '\u00a0',
      '😀. ',
      '…',
    )
    .map((text) => ({ text })),
  fc.constantFrom(
    open('<b>'),
    close('</b>'),
    open('<i>'),
    close('</i>'),
    single('<br>'),
    single('<x/>'),
  ),
)

test('sentences and what is between them are the paragraph, in any language, and no pair is cut apart', () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 14 }),
      fc.constantFrom('en-US', 'ja', 'xx', ''),
      (pieces, language) => {
        const parts = buildParts(pieces, (text) => text)
        const cut = cutParts(parts, language)
        expect(cutParts(parts, language)).toEqual(cut)
        if (!cut) return
        const all = cut.between.flatMap((between, at) => [...between, ...(cut.sentences[at] ?? [])])
        expect(rawOf(all)).toBe(rawOf(parts))
        expect(sameParts(all, parts)).toBe(true)
        for (const sentence of cut.sentences) {
          const paired = sentence.filter((part) => part.type === 'code' && part.pair)
          const ids = paired.map((part) => (part.type === 'code' ? part.id : 0))
          expect(paired.length).toBe(2 * new Set(ids).size)
          expect(sentence.some((part) => part.type === 'text' && part.text.trim() !== '')).toBe(
            true,
          )
        }
      },
    ),
    { numRuns: draws(300) },
  )
})

test('any blank may stand before a full stop', () => {
  for (const blank of ['\u00a0', '\u202f', '\u2009', '\u3000', '\ufeff', '\n'])
    for (const language of ['en', 'fr', 'de'])
      expect(cutText(`Le point A${blank}. Puis${blank}! Fin.`, language)).toBe(
        `Le point A${blank}. Puis${blank}!|Fin.`,
      )
})

test('a long text is cut in windows, at the same places', () => {
  const sentence = 'The quick brown fox jumps over Mr. Miller and his dog. '
  const long = sentence.repeat(400)
  expect(long.length).toBeGreaterThan(4 * windowLength)
  expect(sentenceStarts(long, 'en')).toEqual(
    Array.from({ length: 399 }, (_, at) => (at + 1) * sentence.length),
  )
  const endless = `${'word '.repeat(3 * windowLength)}. Then the end.`
  expect(sentenceStarts(endless, 'en')).toEqual([endless.indexOf('Then')])
  for (const hostile of ['x', '😀', '. ', 'a. ', '“a. ', '("'])
    expect(Math.max(0, ...sentenceStarts(hostile.repeat(30_000), 'en'))).toBeLessThan(
      hostile.length * 30_000,
    )
})
