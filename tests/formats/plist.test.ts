/** Apple's property lists: strings as XML, and stringsdict. */
import { describe, expect, test } from 'vitest'
import { type Case, holdCases, shout } from './cases.ts'
import { bytesOf, formatOf, textOf } from './laws.ts'

const plist = (inside: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">\n<plist version="1.0">\n<dict>\n${inside}\n</dict>\n</plist>\n`
const of = (name: string, before: string, texts: readonly string[], after = before): Case => ({
  name,
  source: plist(before),
  texts,
  written: plist(after),
})
const entry = (value: string, key = 'a') => `\t<key>${key}</key>\n\t<string>${value}</string>`

const strings: Case[] = [
  of('a value', entry('hello'), ['hello'], entry('HELLO')),
  of('the key stays', entry('x', 'Open "it"'), ['x'], entry('X', 'Open "it"')),
  of(
    'placeholders',
    entry('%@ of %1$@ and %lld'),
    ['«%@» of «%1$@» and «%lld»'],
    entry('%@ OF %1$@ AND %lld'),
  ),
  of('references', entry('a &amp; b &#8217;'), ['a & b ’'], entry('A &amp; B &#8217;')),
  of('line ends', entry('a\nb'), ['a«\n»b'], entry('A\nB')),
  of('an empty value', entry(''), []),
  of('an empty element', '\t<key>a</key>\n\t<string/>', []),
  of('what is no string', '\t<key>a</key>\n\t<true/>\n\t<key>n</key><integer>5</integer>', []),
  of(
    'lists',
    '<key>a</key><array><string>x</string><string>y</string></array>',
    ['x', 'y'],
    '<key>a</key><array><string>X</string><string>Y</string></array>',
  ),
  of(
    'dictionaries',
    `<key>a</key><dict>${entry('x')}</dict>`,
    ['x'],
    `<key>a</key><dict>${entry('X')}</dict>`,
  ),
  of('the same key twice', entry('x') + entry('y'), ['x', 'y'], entry('X') + entry('Y')),
  of('CDATA', entry('<![CDATA[a & b]]>'), ['a & b'], entry('<![CDATA[A & B]]>')),
  of(
    'data and dates',
    '<key>d</key><date>2020-01-01T00:00:00Z</date><key>e</key><data>aGk=</data>',
    [],
  ),
]
describe('strings as XML', () => holdCases(formatOf('apple-plist'), strings))

const variable = (inside: string, format = '%#@n@') =>
  `\t<key>k</key>
\t<dict>
\t\t<key>NSStringLocalizedFormatKey</key>
\t\t<string>${format}</string>
\t\t<key>n</key>
\t\t<dict>
\t\t\t<key>NSStringFormatSpecTypeKey</key>
\t\t\t<string>NSStringPluralRuleType</string>
\t\t\t<key>NSStringFormatValueTypeKey</key>
\t\t\t<string>lld</string>
${inside}
\t\t</dict>
\t</dict>`
const form = (name: string, text: string) =>
  `\t\t\t<key>${name}</key>\n\t\t\t<string>${text}</string>`
const forms = (...all: [string, string][]) => all.map(([name, text]) => form(name, text)).join('\n')

const dicts: Case[] = [
  of(
    'one and other',
    variable(forms(['one', 'a'], ['other', 'b'])),
    ['a', 'b'],
    variable(forms(['one', 'A'], ['other', 'B'])),
  ),
  of(
    'a format with words',
    variable(forms(['one', 'a'], ['other', 'b']), 'in %#@n@'),
    ['in «%#@n@»', 'a', 'b'],
    variable(forms(['one', 'A'], ['other', 'B']), 'IN %#@n@'),
  ),
  of(
    'a numbered variable',
    variable(forms(['one', 'a'], ['other', 'b']), '%1$#@n@ x'),
    ['«%1$#@n@» x', 'a', 'b'],
    variable(forms(['one', 'A'], ['other', 'B']), '%1$#@n@ X'),
  ),
  of(
    'zero is kept',
    variable(forms(['zero', 'no'], ['one', 'a'], ['other', 'b'])),
    ['no', 'a', 'b'],
    variable(forms(['zero', 'NO'], ['one', 'A'], ['other', 'B'])),
  ),
  of(
    'placeholders',
    variable(forms(['one', '%lld a'], ['other', '%lld b'])),
    ['«%lld» a', '«%lld» b'],
    variable(forms(['one', '%lld A'], ['other', '%lld B'])),
  ),
  of(
    'a variable in a form',
    variable(forms(['one', 'a %#@m@'], ['other', 'b'])),
    ['a «%#@m@»', 'b'],
    variable(forms(['one', 'A %#@m@'], ['other', 'B'])),
  ),
  of('types alone', variable(''), []),
  of('empty forms', variable(forms(['one', ''], ['other', ''])), []),
  of(
    'references',
    variable(forms(['one', 'a &amp; b'], ['other', 'c'])),
    ['a & b', 'c'],
    variable(forms(['one', 'A &amp; B'], ['other', 'C'])),
  ),
  of(
    'widths',
    `<key>k</key><dict><key>NSStringVariableWidthRuleType</key><dict>${entry('short', '20')}${entry('long', '50')}</dict></dict>`,
    ['short', 'long'],
    `<key>k</key><dict><key>NSStringVariableWidthRuleType</key><dict>${entry('SHORT', '20')}${entry('LONG', '50')}</dict></dict>`,
  ),
  of('an "other" that is no form', entry('x', 'other'), ['x'], entry('X', 'other')),
  of(
    'two variables',
    variable(forms(['one', 'a'], ['other', 'b']), '%#@n@ %#@m@'),
    ['a', 'b'],
    variable(forms(['one', 'A'], ['other', 'B']), '%#@n@ %#@m@'),
  ),
]
describe('stringsdict', () => holdCases(formatOf('stringsdict'), dicts))

test('forms that the target language has are added before "other"', () => {
  const before = plist(variable(forms(['one', 'a'], ['other', '%lld b'])))
  expect(textOf(shout(formatOf('stringsdict'), bytesOf(before), 'ar-SA'))).toBe(
    plist(
      variable(
        forms(
          ['one', 'A'],
          ['zero', '%lld B'],
          ['two', '%lld B'],
          ['few', '%lld B'],
          ['many', '%lld B'],
          ['other', '%lld B'],
        ),
      ),
    ),
  )
})
