/** TS of Qt Linguist. */
import { describe, expect, test } from 'vitest'
import { type Case, holdCases, shout } from './cases.ts'
import { bytesOf, formatOf, textOf } from './laws.ts'

const file = (inside: string, language = 'de_DE') =>
  `<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n<TS version="2.1" language="${language}">\n<context>\n    <name>Main</name>\n${inside}\n</context>\n</TS>\n`
const message = (source: string, translation: string, attributes = '') =>
  file(
    `    <message${attributes}>\n        <source>${source}</source>\n        ${translation}\n    </message>`,
  )
const unfinished = (
  source: string,
  text: string,
  after: string,
): Pick<Case, 'source' | 'texts' | 'written'> => ({
  source: message(source, '<translation type="unfinished"></translation>'),
  texts: [text],
  written: message(source, `<translation>${after}</translation>`),
})
const numerus = ' numerus="yes"'

const cases: Case[] = [
  { name: 'an unfinished translation is filled', ...unfinished('hello', 'hello', 'HELLO') },
  { name: 'numbered places are codes', ...unfinished('%1 of %L2', '«%1» of «%L2»', '%1 OF %L2') },
  { name: 'a mnemonic', ...unfinished('&amp;Open', '&Open', '&amp;OPEN') },
  {
    name: 'markup that is written as text',
    ...unfinished('&lt;b&gt;x', '«&lt;b&gt;»x', '&lt;b&gt;X'),
  },
  {
    name: 'bytes are codes',
    ...unfinished('a<byte value="x9"/>b', 'a«<byte value="x9"/>»b', 'A<byte value="x9"/>B'),
  },
  { name: 'line ends', ...unfinished('a\nb', 'a«\n»b', 'A\nB') },
  {
    name: 'an empty element',
    source: message('x', '<translation type="unfinished"/>'),
    texts: ['x'],
    written: message('x', '<translation>X</translation>'),
  },
  {
    name: 'no translation at all',
    source: message('x', ''),
    texts: ['x'],
    written: file(
      '    <message>\n        <source>x</source>\n        <translation>X</translation>\n        \n    </message>',
    ),
  },
  {
    name: 'a finished translation stays',
    source: message('x', '<translation>y</translation>'),
    texts: ['x'],
    written: message('x', '<translation>y</translation>'),
  },
  {
    name: 'a finished translation is made anew where that is asked',
    source: message('x', '<translation>y</translation>'),
    options: { xliff: { targets: 'replace' } },
    texts: ['x'],
    written: message('x', '<translation>X</translation>'),
  },
  {
    name: 'an unfinished draft is made anew',
    source: message('x', '<translation type="unfinished">y</translation>'),
    texts: ['x'],
    written: message('x', '<translation>X</translation>'),
  },
  {
    name: 'vanished messages stay',
    source: message('x', '<translation type="vanished">y</translation>'),
    texts: [],
    written: message('x', '<translation type="vanished">y</translation>'),
  },
  {
    name: 'forms of a number',
    source: message(
      '%n file(s)',
      '<translation type="unfinished"><numerusform></numerusform></translation>',
      numerus,
    ),
    texts: ['«%n» file(s)'],
    written: message(
      '%n file(s)',
      '<translation><numerusform>%n FILE(S)</numerusform><numerusform>%n FILE(S)</numerusform></translation>',
      numerus,
    ),
  },
]
describe('cases', () => holdCases(formatOf('qt-ts'), cases))

test('a message for a number has the forms of the target language, in the layout of the file, and the language is said', () => {
  const forms = (all: string[]) =>
    `<translation>\n            ${all.map((one) => `<numerusform>${one}</numerusform>`).join('\n            ')}\n        </translation>`
  const before = message('%n day(s)', forms(['', '']).replace('>', ' type="unfinished">'), numerus)
  const after = message(
    '%n day(s)',
    forms(['%n DAY(S)', '%n DAY(S)', '%n DAY(S)']),
    numerus,
  ).replace('de_DE', 'ru_RU')
  expect(textOf(shout(formatOf('qt-ts'), bytesOf(before), 'ru-RU'))).toBe(after)
})
