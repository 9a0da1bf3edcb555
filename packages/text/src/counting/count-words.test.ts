/** Test vectors of the rule count/v1, and how codes affect a count. */
import { describe, expect, test } from 'vitest'
import { buildParts } from '../placeholders/parts.ts'
import { countParts, countText, weightedWords } from './count-words.ts'

/** Words, ideographs, base characters of scripts without blanks, characters without blanks. */
const vectors: [text: string, result: string][] = [
  ["The quick brown fox can't jump 32.3 feet, right?", '9/0/0/40'],
  ["It's state-of-the-art; e.g. Dr. Smith's e-mail is a@b.com.", '8/0/0/51'],
  ['one—two – three / four & five', '5/0/0/23'],
  ['and/or https://example.com/a?b=1', '2/0/0/31'],
  ['Die Donaudampfschifffahrtsgesellschaft z. B. fährt am 3. Oktober ab.', '9/0/0/60'],
  ['مرحبا بالعالم، كيف حالك اليوم؟', '5/0/0/26'],
  ['नमस्ते दुनिया, आप कैसे हैं?', '5/0/0/23'],
  ['สวัสดีชาวโลก', '0/0/10/12'],
  ['我们今天去北京大学参观。', '0/11/0/12'],
  ['私は昨日、東京タワーに行きました。', '0/15/0/17'],
  ['Windows 11の新機能', '2/4/0/13'],
  ['안녕하세요 세계, 오늘 날씨가 좋습니다.', '5/0/0/18'],
  ['', '0/0/0/0'],
  ['   ', '0/0/0/0'],
  ['--- *** ...', '0/0/0/9'],
  ['😀 👍🏽 ok', '1/0/0/5'],
  ['e\u0301t\u00e9', '1/0/0/3'],
  ['a\u00a0b\u200bc', '3/0/0/3'],
  ['שלום עולם', '2/0/0/8'],
]

const shown = ({ words, ideographs, unspaced, characters }: ReturnType<typeof countText>): string =>
  `${words}/${ideographs}/${unspaced}/${characters}`

describe('the vectors of count/v1', () => {
  test.each(vectors)('%s', (text, result) => {
    expect(shown(countText(text))).toBe(result)
    // A text split into parts like a file, including its addresses, has the same count.
    expect(shown(countParts(buildParts([{ text }], (spelled) => spelled)))).toBe(result)
  })
})

const codes: [text: string, counted: Partial<ReturnType<typeof countText>>][] = [
  ['Hello {name}, you have %d messages', { words: 4, placeholders: 2, tags: 0, characters: 21 }],
  ['a{0}b', { words: 2, placeholders: 1 }],
  ['un<b>believ</b>able', { words: 1, tags: 2, placeholders: 0 }],
  ['one<br/>two', { words: 2, tags: 1 }],
  ['one&nbsp;two', { words: 2 }],
  ['caf&eacute; noir', { words: 2 }],
  ['12.5 of 3,000 or R2D2', { words: 5, numbers: 2 }],
  ['{n, plural, one {one day} other {# days}}', { words: 3 }],
]
test.each(codes)('codes: %s', (text, counted) => {
  expect(countParts(buildParts([{ text }], (spelled) => spelled))).toMatchObject(counted)
})

test('an ideograph and a base character are each paid as a word', () => {
  expect(weightedWords(countText('Windows 11の新機能'))).toBe(6)
  expect(weightedWords(countText('สวัสดีชาวโลก'))).toBe(10)
})

test('a line of ten million characters takes a steady time, and combining marks alone are no word', () => {
  expect(countText('word '.repeat(2_000_000)).words).toBe(2_000_000)
  expect(countText('\u0301\u0302 \u202a\u202c \u200d').words).toBe(0)
  expect(countText('\ud800 lone \udfff').words).toBe(1)
})
