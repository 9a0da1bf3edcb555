/** String catalogues of Xcode, and ARB of Flutter. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Case, holdCases, shout } from './cases.ts'
import { bytesOf, formatOf, textOf } from './laws.ts'

const catalogue = formatOf('xcstrings')
const file = (strings: string) =>
  `{\n  "sourceLanguage" : "en",\n  "strings" : {\n${strings}\n  },\n  "version" : "1.0"\n}`
const said = (value: string, indent: number, state = 'translated') => {
  const at = (more: number) => `\n${' '.repeat(indent + more)}`
  return `{${at(2)}"stringUnit" : {${at(4)}"state" : "${state}",${at(4)}"value" : "${value}"${at(2)}}${at(0)}}`
}
const localized = (...all: [string, string, string?][]) =>
  `      "localizations" : {\n${all.map(([language, value, state]) => `        "${language}" : ${said(value, 8, state)}`).join(',\n')}\n      }`
const entry = (inside: string, key = 'hello') => file(`    "${key}" : {\n${inside}\n    }`)
const empty = entry('')
const german = ['de-DE', 'HELLO'] as [string, string]

const cases: Case[] = [
  {
    name: 'a key is its own text',
    source: empty,
    texts: ['hello'],
    written: entry(localized(german)),
  },
  {
    name: 'a comment stays before it',
    source: entry('      "comment" : "x"'),
    texts: ['hello'],
    written: entry(`      "comment" : "x",\n${localized(german)}`),
  },
  {
    name: 'and what comes behind it in order',
    source: entry('      "shouldTranslate" : true'),
    texts: ['hello'],
    written: entry(`${localized(german)},\n      "shouldTranslate" : true`),
  },
  {
    name: 'the text of the source language, before others in order',
    source: entry(localized(['en', 'hi'], ['fr', 'salut'])),
    texts: ['hi'],
    written: entry(localized(['de-DE', 'HI'], ['en', 'hi'], ['fr', 'salut'])),
  },
  {
    name: 'behind all others',
    source: entry(localized(['ar', 'x'], ['en', 'hi'])),
    texts: ['hi'],
    written: entry(localized(['ar', 'x'], ['en', 'hi'], ['ja', 'HI'])),
    target: 'ja',
  },
  {
    name: 'what is not to be translated',
    source: entry('      "shouldTranslate" : false'),
    texts: [],
    written: entry('      "shouldTranslate" : false'),
  },
  {
    name: 'a translation that is there stays',
    source: entry(localized(['de-DE', 'servus'], ['en', 'hi'])),
    texts: ['hi'],
    written: entry(localized(['de-DE', 'servus'], ['en', 'hi'])),
    options: { targetLanguage: 'de-DE' } as Case['options'],
  },
  {
    name: 'one that is new or in doubt is made anew',
    source: entry(localized(['de-DE', 'servus', 'needs_review'], ['en', 'hi'])),
    texts: ['hi'],
    written: entry(localized(['de-DE', 'HI'], ['en', 'hi'])),
    options: { targetLanguage: 'de-DE' } as Case['options'],
  },
  {
    name: 'or where that is asked',
    source: entry(localized(['de-DE', 'servus'], ['en', 'hi'])),
    texts: ['hi'],
    written: entry(localized(['de-DE', 'HI'], ['en', 'hi'])),
    options: { xliff: { targets: 'replace' }, targetLanguage: 'de-DE' } as Case['options'],
  },
  {
    name: 'placeholders and escapes',
    source: entry(localized(['en', '%@ \\"a\\"\\n%lld'])),
    texts: ['«%@» "a"«\\n»«%lld»'],
    written: entry(localized(['de-DE', '%@ \\"A\\"\\n%lld'], ['en', '%@ \\"a\\"\\n%lld'])),
  },
  {
    name: 'a key with a slash',
    source: entry('', 'a/b ~'),
    texts: ['a/b ~'],
    written: entry(localized(['de-DE', 'A/B ~']), 'a/b ~'),
  },
  { name: 'an empty key', source: entry('', ''), texts: [], written: entry('', '') },
]
describe('string catalogues', () => holdCases(catalogue, cases))

test('plural forms are those of the target language, and Xcode could have written it', () => {
  const source = readFileSync(join(import.meta.dirname, '../samples/Localizable.xcstrings'))
  const written = JSON.parse(textOf(shout(catalogue, source, 'ru')))
  const plural = written.strings['%lld ships'].localizations.ru.variations.plural
  expect(Object.keys(plural)).toEqual(['one', 'few', 'many', 'other'])
  expect(plural.few.stringUnit).toEqual({ state: 'translated', value: '%lld SHIPS' })
  expect(written.strings['%lld ships'].localizations.fr.stringUnit.value).toBe('%lld bateaux')
  const text = textOf(shout(catalogue, source, 'ru'))
  expect(text.match(/"\s*:/g)?.every((colon) => colon === '" :')).toBe(true)
  const same = JSON.stringify(JSON.parse(text), null, 2)
    .replaceAll('": ', '" : ')
    .replaceAll('{}', '{\n\n    }')
  expect(text).toBe(`${same}\n`)
})

test('a language is found by its base language where the file has only that', () => {
  const before = entry(localized(['de', 'alt', 'new'], ['en', 'hi']))
  expect(textOf(shout(catalogue, bytesOf(before), 'de-DE'))).toBe(
    entry(localized(['de', 'HI'], ['en', 'hi'])),
  )
})

const arb: Case[] = [
  {
    name: 'messages',
    source: '{"a": "one", "b": "two"}',
    texts: ['one', 'two'],
    written: '{"a": "ONE", "b": "TWO"}',
  },
  {
    name: 'what is said of them stays',
    source: '{"a": "one", "@a": {"description": "no"}}',
    texts: ['one'],
    written: '{"a": "ONE", "@a": {"description": "no"}}',
  },
  {
    name: 'the locale is that of the target',
    source: '{"@@locale": "en", "a": "one"}',
    texts: ['one'],
    written: '{"@@locale": "de_DE", "a": "ONE"}',
  },
  {
    name: 'other facts of the file stay',
    source: '{"@@x-author": "me", "a": "one"}',
    texts: ['one'],
    written: '{"@@x-author": "me", "a": "ONE"}',
  },
  {
    name: 'placeholders',
    source: '{"a": "for {name}"}',
    texts: ['for «{name}»'],
    written: '{"a": "FOR {name}"}',
  },
  {
    name: 'plurals',
    source: '{"a": "{n, plural, one{a day} other{days}}"}',
    texts: ['«{n, plural, one{»a day«} other{»days«}}»'],
    written: '{"a": "{n, plural, one{A DAY} other{DAYS}}"}',
  },
  {
    name: 'choices',
    source: '{"a": "{g, select, male{he} other{they}}"}',
    texts: ['«{g, select, male{»he«} other{»they«}}»'],
    written: '{"a": "{g, select, male{HE} other{THEY}}"}',
  },
  {
    name: 'escapes',
    source: '{"a": "caf\\u00e9 \\"x\\""}',
    texts: ['café "x"'],
    written: '{"a": "CAFÉ \\"X\\""}',
  },
  { name: 'line ends', source: '{"a": "x\\ny"}', texts: ['x«\\n»y'], written: '{"a": "X\\nY"}' },
  {
    name: 'what lies deeper is no message',
    source: '{"a": {"b": "no"}, "l": ["no"]}',
    texts: [],
    written: '{"a": {"b": "no"}, "l": ["no"]}',
  },
  {
    name: 'empty messages',
    source: '{"a": "", "b": " "}',
    texts: [],
    written: '{"a": "", "b": " "}',
  },
  {
    name: 'a key with a slash',
    source: '{"a/b": "one"}',
    texts: ['one'],
    written: '{"a/b": "ONE"}',
  },
]
describe('ARB', () => holdCases(formatOf('arb'), arb))
