/**
 * Files of lines made to hurt: each ends, in the same bytes, in sound ones, or in a sentence. That
 * the work for it grows with the text alone is counted in scanner-growth.test.ts.
 */
import { formatRows } from '@dragoman/contract/wire'
import { describe, expect, test } from 'vitest'
import { findFormat } from '../../packages/text/src/formats/find-format.ts'
import { FormatError } from '../../packages/text/src/formats/format-error.ts'
import { pseudoFile } from '../../packages/text/src/pseudo/pseudo-text.ts'
import { sampled } from '../draws.ts'
import { bytesOf, textOf } from './cases.ts'

/** The translated file, or the sentence of its refusal. */
function tried(fileName: string, bytes: Uint8Array): Uint8Array | string {
  try {
    const format = findFormat(fileName, bytes)
    if (!format) throw new Error(`${fileName} is of no format`)
    return pseudoFile(format, bytes, 'pl')
  } catch (error) {
    if (error instanceof FormatError) return error.message
    throw error
  }
}
const said = (fileName: string, text: string): string => {
  const got = tried(fileName, bytesOf(text))
  return typeof got === 'string' ? got : textOf(got)
}

const ids = ['po', 'properties', 'apple-strings', 'yaml', 'markdown', 'csv', 'srt', 'vtt'] as const
const odd: [string, Uint8Array][] = [
  ['nothing', new Uint8Array()],
  ['a BOM alone', bytesOf('\ufeff')],
  ['a BOM and a line end', bytesOf('\ufeff\r\n')],
  ['lone CR', bytesOf('\r\r')],
  ['zeros', new Uint8Array(64)],
  ['one zero in a text', bytesOf('a = "b\0c";\n')],
  ['overlong UTF-8', Uint8Array.from([0x61, 0x3a, 0x20, 0xc0, 0xaf, 0x0a])],
  ['UTF-8 that breaks off', Uint8Array.from([0x61, 0x3a, 0x20, 0xe2, 0x82])],
  ['half a UTF-16', Uint8Array.from([0xff, 0xfe, 0x61])],
  ['half a character by its number', bytesOf('a: "x \\ud800 y"\nb = "z \\ud800 w";\n')],
  ['UTF-16 that is none', Uint8Array.from([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00])],
]
describe.each(ids)('%s', (id) => {
  test.each(odd)('%s', (_, bytes) => {
    const got = tried(`a.${formatRows[id].extensions[0]}`, bytes)
    if (typeof got === 'string') expect(got).toMatch(/^The .+\.$/s)
    else expect(got.length).toBeGreaterThanOrEqual(bytes.length - 2)
  })
})

const refused: [string, string, string, RegExp][] = [
  ['brackets in brackets', 'a.yml', '['.repeat(50_000), /never closed|deeper/],
  ['brackets that close', 'a.yml', '['.repeat(5_000) + ']'.repeat(5_000), /deeper than/],
  ['lists in lists', 'a.yml', '- '.repeat(20_000), /deeper than/],
  [
    'a quote of 6 MB that never closes',
    'a.csv',
    `a,b\n"${'x, '.repeat(2_000_000)}`,
    /opens on line 2 is never closed/,
  ],
  [
    'a catalogue that names another charset',
    'a.po',
    'msgid ""\nmsgstr "Content-Type: text/plain; charset=EUC-JP\\n"\n',
    /EUC-JP/,
  ],
  [
    'a string of 2 MB without its end',
    'a.strings',
    `"a" = "${'x'.repeat(2_000_000)}`,
    /never ends/,
  ],
]
test.each(refused)('%s: refused with a sentence', (_, fileName, text, sentence) => {
  expect(said(fileName, text)).toMatch(sentence)
})

const entry = 'msgid "text"\nmsgstr ""\n'
const sound: [string, string, string, RegExp][] = [
  [
    'a catalogue with domains',
    'a.po',
    `domain "a"\n${entry}domain "b"\n${entry}`,
    /domain "b"\nmsgid "text"\nmsgstr "ţéẋţ/,
  ],
  ['the same msgid again and again', 'a.po', entry.repeat(20_000), /ţéẋţ/],
  [
    'more forms than the rule says',
    'a.po',
    `msgid "a b"\nmsgid_plural "c d"\n${Array.from({ length: 50 }, (_, at) => `msgstr[${at}] ""\n`).join('')}`,
    /msgstr\[2\] ".+"\n$/,
  ],
  ['a line of 1 MB', 'a.po', `msgid "${'word '.repeat(200_000)}"\nmsgstr ""\n`, /ŵóŕď/],
  ['200,000 backslashes', 'a.properties', `a=x${'\\'.repeat(200_000)}\n`, /^a=/],
  ['a value over 50,000 lines', 'a.properties', `a=${'word \\\n'.repeat(50_000)}end\n`, /\\u/],
  ['200,000 comments', 'a.strings', `${'/* a */'.repeat(200_000)}"a" = "text";`, /ţéẋţ/],
  ['50,000 cells', 'a.csv', `a\n${'"text",'.repeat(50_000)}x`, /ţéẋţ/],
  [
    'a cue of 1 MB',
    'a.srt',
    `1\n00:00:01,000 --> 00:00:02,000\n${'word '.repeat(200_000)}\n`,
    /ŵóŕď/,
  ],
  [
    'tags that never close',
    'a.vtt',
    `WEBVTT\n\n00:01.000 --> 00:02.000\nx ${'<c'.repeat(200_000)}\n`,
    /WEBVTT/,
  ],
  [
    'growing runs of backticks',
    'a.md',
    `a ${Array.from({ length: 1_500 }, (_, at) => '`'.repeat(at)).join(' x ')}\n`,
    /^á/,
  ],
  ['links that never close', 'a.md', `a ${'[a]('.repeat(20_000)}\n`, /^á/],
  ['images in images', 'a.md', `a ${'!['.repeat(20_000)}x${'](y)'.repeat(20_000)}\n`, /^á/],
  ['quotes in quotes', 'a.md', `${'> '.repeat(5_000)}text\n`, /text|ţéẋţ/],
  [
    '600 levels of lists',
    'a.md',
    Array.from({ length: 600 }, (_, at) => `${'  '.repeat(at)}- text\n`).join(''),
    /ţéẋţ/,
  ],
  ['stars', 'a.md', `a ${'**a *b '.repeat(40_000)}\n`, /^á/],
  ['a table of 20,000 cells', 'a.md', `|a|\n|-|\n${'|text|\n'.repeat(20_000)}`, /ţéẋţ/],
  [
    'aliases of aliases',
    'a.yml',
    `a: &a text here\n${Array.from({ length: 2_000 }, (_, at) => `b${at}: &b${at} [*a, *a]\n`).join('')}`,
    /ţéẋţ/,
  ],
]
test.each(sampled(sound, 6))('%s: sound', (_, fileName, text, expected) => {
  expect(said(fileName, text).slice(0, 6_000_000)).toMatch(expected)
})
