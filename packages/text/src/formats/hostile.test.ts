/**
 * Files made to hurt: each ends, in the same bytes, sound ones, or a sentence. That the work for it
 * grows with the text alone is counted in tests/scanner-growth.test.ts.
 */

import { describe, expect, test } from 'vitest'
import { sampled } from '../../../../tests/draws.ts'
import { pseudoNamedFile } from '../pseudo/pseudo-file.ts'
import { bounds } from './bounds.ts'
import { findFormat } from './find-format.ts'
import { FormatError, type FormatErrorCode } from './format-error.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const pseudo = (fileName: string, text: string): string => {
  const bytes = bytesOf(text)
  return new TextDecoder().decode(pseudoNamedFile(fileName, bytes, 'de'))
}
function refusal(fileName: string, text: string): FormatError {
  try {
    pseudo(fileName, text)
  } catch (error) {
    if (error instanceof FormatError) return error
    throw error
  }
  throw new Error('the file was not refused')
}
const xliff = (unit: string) =>
  `<xliff version="1.2"><file source-language="en"><body>${unit}</body></file></xliff>`

const cue = (number: string): string => `${number}\n00:00:01,000 --> 00:00:02,000\nHello\n\n`

const refused: [string, string, string, FormatErrorCode][] = [
  ['200,000 nested elements', 'a.xml', '<a>'.repeat(200_000) + '</a>'.repeat(200_000), 'TOO_DEEP'],
  ['200,000 elements that never close', 'a.xml', '<a>'.repeat(200_000), 'TOO_DEEP'],
  ['a million nested arrays', 'a.json', '['.repeat(1_000_000), 'TOO_DEEP'],
  ['a million nested objects', 'a.json', '{"a":'.repeat(1_000_000), 'TOO_DEEP'],
  [
    'groups in groups',
    'a.xlf',
    xliff('<group>'.repeat(2_000) + '</group>'.repeat(2_000)),
    'TOO_DEEP',
  ],
  [
    'more lines than segments allowed',
    'a.txt',
    'a\n'.repeat(bounds.segments + 1),
    'TOO_MANY_SEGMENTS',
  ],
  ['an undefined entity', 'a.xml', '<a>&nbsp;</a>', 'MALFORMED'],
  ['a character that XML forbids', 'a.xml', '<a>&#0;</a>', 'MALFORMED'],
  ['a character beyond Unicode', 'a.xml', '<a>&#x110000;</a>', 'MALFORMED'],
  ['a tag in a tag', 'a.xml', '<a <b></a>', 'MALFORMED'],
  ['tags that cross', 'a.xml', '<a><b></a></b>', 'MALFORMED'],
  ['two roots', 'a.xml', '<a>x</a><b>y</b>', 'MALFORMED'],
  ['a comment that never ends', 'a.xml', '<a><!-- x</a>', 'MALFORMED'],
  ['a DOCTYPE that never ends', 'a.xml', '<!DOCTYPE a [ "<a>x</a>', 'MALFORMED'],
  [
    'strings in strings',
    'strings.xml',
    `<resources><string name="a">${'<b>'.repeat(2_000)}`,
    'TOO_DEEP',
  ],
  ['an Android file that breaks off', 'strings.xml', '<resources><string name="a">x', 'MALFORMED'],
  [
    'a RESX file that breaks off',
    'a.resx',
    '<root><resheader name="x"/><data name="a"><value>x',
    'MALFORMED',
  ],
  [
    'dictionaries in dictionaries',
    'a.stringsdict',
    `<plist>${'<dict><key>a</key>'.repeat(2_000)}`,
    'TOO_DEEP',
  ],
  [
    'a property list that breaks off',
    'a.strings',
    '<plist version="1.0"><dict><key>a</key>',
    'MALFORMED',
  ],
  [
    'a string catalogue that breaks off',
    'a.xcstrings',
    '{"sourceLanguage":"en","strings":{',
    'MALFORMED',
  ],
  ['a string catalogue of nests', 'a.xcstrings', '{"strings":'.repeat(200_000), 'TOO_DEEP'],
  ['an ARB file that breaks off', 'a.arb', '{"a": "b', 'MALFORMED'],
  [
    'a TS file with an entity of its own',
    'a.xml',
    '<!DOCTYPE TS [<!ENTITY a "x">]><TS><context>',
    'MALFORMED',
  ],
  ['no JSON at all', 'a.json', 'hello', 'MALFORMED'],
  ['an empty JSON file', 'a.json', '', 'MALFORMED'],
  ['a JSON file that breaks off', 'a.json', '{"a": "b"', 'MALFORMED'],
  ['a JSON text that breaks off', 'a.json', '{"a": "b', 'MALFORMED'],
  ['two JSON values', 'a.json', '{} {}', 'MALFORMED'],
  ['a missing comma', 'a.json', '["a" "b"]', 'MALFORMED'],
  ['a missing value', 'a.json', '{"a":}', 'MALFORMED'],
  ['SRT without times', 'a.srt', '1\nHello\n\n2\nyou\n', 'MALFORMED'],
  ['SRT that is only words', 'a.srt', 'Some words\nand more\n', 'MALFORMED'],
  [
    'SRT with a broken line of times',
    'a.srt',
    `${cue('1')}2\n00:00:03,000 -> 00:00:04,000\nyou\n`,
    'MALFORMED',
  ],
  [
    'SRT with letters in its times',
    'a.srt',
    `${cue('1')}2\n00:0x:03,000 --> 00:00:04,000\nyou\n`,
    'MALFORMED',
  ],
  ['WebVTT without its first line', 'a.vtt', '00:01.000 --> 00:02.000\nHello\n', 'MALFORMED'],
  ['an escape of properties without its digits', 'a.properties', 'a=b\nc=caf\\u00\n', 'MALFORMED'],
  ['a string catalogue that is a list', 'a.xcstrings', '["a"]', 'MALFORMED'],
  ['a string catalogue without strings', 'a.xcstrings', '{"sourceLanguage":"en"}', 'MALFORMED'],
]
test.each(refused)('%s: refused with a sentence', (_, fileName, text, code) => {
  const error = refusal(fileName, text)
  expect(error.code).toBe(code)
  expect(error.message).toMatch(/^The (file|XML|JSON) .+\.$/s)
})

test('a file over the limit is refused before it is read', () => {
  const format = findFormat('a.txt', new Uint8Array())
  expect(() => format?.read(new Uint8Array(bounds.bytes + 1))).toThrow(/bytes; at most/)
})

test('entity bombs and outside entities are neither expanded nor fetched', () => {
  const names = Array.from(
    { length: 20 },
    (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`,
  )
  const doctype = `<!DOCTYPE a [<!ENTITY e0 "lol"><!ENTITY f SYSTEM "file:///etc/passwd">${names.join('')}]>`
  const written = pseudo('a.xml', `${doctype}<a>Boom &e20; and &f; here</a>`)
  expect(written).toBe(`${doctype}<a>Ḃóóḿ &e20; áñď &f; ĥéŕé óñéó</a>`)
})

describe('files that are large but sound', () => {
  const sound: [string, string, string][] = [
    ['500,000 nested divs', 'a.html', `${'<div>'.repeat(500_000)}text`],
    ['200,000 nested bold tags', 'a.html', `${'<b>'.repeat(200_000)}text`],
    [
      'closing tags that were never opened',
      'a.html',
      `${'<i>'.repeat(200_000)}x${'</b>'.repeat(200_000)}`,
    ],
    ['locked elements in locked elements', 'a.html', `${'<p translate=no>'.repeat(50_000)}text`],
    ['an attribute of 20 MB', 'a.xml', `<a b="${'x'.repeat(20_000_000)}">text</a>`],
    [
      '200,000 attributes',
      'a.xml',
      `<a ${Array.from({ length: 200_000 }, (_, at) => `b${at}="c"`).join(' ')}>text</a>`,
    ],
    ['a text of 5 MB', 'a.json', `["${'word '.repeat(1_000_000)}"]`],
    ['blanks of 10 MB', 'a.json', `["${' '.repeat(5_000_000)}x${'\\n'.repeat(2_500_000)}"]`],
    ['one line of 5 MB', 'a.txt', 'word '.repeat(1_000_000)],
    [
      '100,000 duplicate keys',
      'a.json',
      `{${Array.from({ length: 100_000 }, () => '"a":"text"').join(',')}}`,
    ],
    ['20,000 elements in one text', 'a.xml', `<a>${'x<b>y</b>'.repeat(20_000)}</a>`],
    [
      '20,000 units',
      'a.xlf',
      xliff('<trans-unit id="1"><source>text</source></trans-unit>'.repeat(20_000)),
    ],
  ]
  test.each(sampled(sound, 5))('%s', (_, fileName, text) => {
    const written = pseudo(fileName, text)
    expect(written === text).toBe(false)
    expect(written.length).toBeGreaterThanOrEqual(text.length)
  })
})

test('a translation that XML cannot carry is refused', () => {
  const bytes = bytesOf('<a>text</a>')
  const format = findFormat('a.xml', bytes)
  const write = (text: string) => () =>
    format?.write(bytes, new Map([['s1', [{ type: 'text', text }]]]), { targetLanguage: 'de' })
  expect(write('bell \u0007')).toThrow(/U\+0007/)
  expect(write('half \ud800')).toThrow(/lone surrogate/)
  expect(write('fine')).not.toThrow()
})

test('a translation for a segment that is not there is refused', () => {
  const bytes = bytesOf('text')
  const write = () =>
    findFormat('a.txt', bytes)?.write(bytes, new Map([['9', []]]), { targetLanguage: 'de' })
  expect(write).toThrow('The file has no segment "9".')
})
