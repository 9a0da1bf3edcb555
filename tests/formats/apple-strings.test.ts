/** Apple strings: what is found, what is written, and what gettext reads in it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { appleStrings } from '../../packages/text/src/formats/strings/apple-strings.ts'
import { answer, bytesOf, holdCases } from './cases.ts'
import { ask, isThere, judged } from './judge.ts'

describe('cases', () => {
  holdCases(appleStrings, [
    { name: 'a text', source: '"a" = "Hello";\n', texts: ['Hello'], written: '"a" = "HELLO";\n' },
    {
      name: 'without blanks',
      source: '"a"="One";"b"="Two";',
      texts: ['One', 'Two'],
      written: '"a"="ONE";"b"="TWO";',
    },
    {
      name: 'comments stay',
      source: '/* "x" = "y"; */\n// "x"\n"a" /* k */ = /* v */ "One" /* e */ ; // end',
      texts: ['One'],
      written: '/* "x" = "y"; */\n// "x"\n"a" /* k */ = /* v */ "ONE" /* e */ ; // end',
    },
    {
      name: 'a bare key',
      source: 'NSName = "One";\n',
      texts: ['One'],
      written: 'NSName = "ONE";\n',
    },
    {
      name: 'a key alone and a bare value stay',
      source: '"a";\nb = c;\n"d" = "One";',
      texts: ['One'],
      written: '"a";\nb = c;\n"d" = "ONE";',
    },
    {
      name: 'escapes',
      source: '"a" = "say \\"hi\\" \\\\ tab\\tend";\n',
      texts: ['say "hi" \\ tab\tend'],
      written: '"a" = "SAY \\"HI\\" \\\\ TAB\\tEND";\n',
    },
    {
      name: 'line ends as \\n',
      source: '"a" = "one\\ntwo\\n";',
      texts: ['one«\\n»two'],
      written: '"a" = "ONE\\nTWO\\n";',
    },
    {
      name: 'line ends as they are',
      source: '"a" = "one\ntwo";',
      texts: ['one«\n»two'],
      written: '"a" = "ONE\nTWO";',
    },
    {
      name: 'characters by number',
      source: '"a" = "caf\\U00e9 \\101";',
      texts: ['café A'],
      written: '"a" = "CAFÉ A";',
    },
    {
      name: 'placeholders',
      source: '"a" = "Hi %@, %1$@ has %lu of %2$d";',
      texts: ['Hi «%@», «%1$@» has «%lu» of «%2$d»'],
      written: '"a" = "HI %@, %1$@ HAS %lu OF %2$d";',
    },
    {
      name: 'the same key twice',
      source: '"a" = "One";\r\n"a" = "Two";\r\n',
      texts: ['One', 'Two'],
      written: '"a" = "ONE";\r\n"a" = "TWO";\r\n',
    },
    {
      name: 'blanks at the ends stay',
      source: '"a" = "  One ";',
      texts: ['One'],
      written: '"a" = "  ONE ";',
    },
    { name: 'nothing at all', source: '', texts: [], written: '' },
  ])
})

test('UTF-16 stays UTF-16', () => {
  const bytes = new Uint8Array(Buffer.from('\ufeff"a" = "One";\r\n', 'utf16le'))
  const written = appleStrings.write(
    bytes,
    new Map([['a', [{ type: 'text', text: '一 "two"' }]]]),
    {
      targetLanguage: 'zh',
    },
  )
  expect(Buffer.from(written).toString('utf16le')).toBe('\ufeff"a" = "一 \\"two\\"";\r\n')
})

test.each([
  ['"a" = "b"', /a semicolon is missing \(line 1\)/],
  ['\n"a" = "b', /never ends \(line 2\)/],
  ['/* a', /a comment never ends/],
  ['"a" = ;', /in quotes is expected/],
  ['{ a = b; }', /in quotes is expected/],
  ['bplist00\xd1\x01\x02Ua', /is a binary property list.*plutil -convert xml1/],
])('%j is refused with a sentence', (source, sentence) => {
  expect(() => appleStrings.read(bytesOf(source))).toThrow(sentence)
})

const header = `"" = "Content-Type: text/plain; charset=UTF-8\\n";\n`
judged('msgcat', isThere('msgcat'), 'gettext reads what was said, whatever it is', () => {
  const texts = fc.sample(
    fc.string({ unit: 'grapheme' }).filter((text) => !/\p{C}|\p{Z}/u.test(text)),
    { numRuns: 200, seed: 3 },
  )
  const said = texts.map((text) => `<${text}>`)
  const written = answer(appleStrings, said.map((_, at) => `"k${at}" = "x";\n`).join(''), ...said)
  const read = ask(
    'msgcat',
    ['--stringtable-input', '--no-wrap', '-t', 'UTF-8', '-'],
    `\ufeff${header}${written}`,
  )
  const found = [...read.matchAll(/^msgstr "(<.*)"$/gm)].map(([, text = '']) =>
    text.replace(/\\(["\\])/g, '$1'),
  )
  expect(found).toEqual(said)
})
