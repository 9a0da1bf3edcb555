/** Java properties: what is found, what is written, and what another parser reads in it. */
import { parse } from 'dot-properties'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { properties } from '../../packages/text/src/formats/strings/properties.ts'
import { answer, bytesOf, holdCases, shout, textOf } from './cases.ts'

describe('cases', () => {
  holdCases(properties, [
    {
      name: 'a value that begins with a separator, behind a blank',
      source: 'a \\: one\n',
      texts: [': one'],
      written: 'a \\: ONE\n',
    },
    { name: 'a value', source: 'a=Hello\n', texts: ['Hello'], written: 'a=HELLO\n' },
    {
      name: 'every sign between key and value, blanks around it stay',
      source: 'a = One\nb: Two\nc Three\n\td\t=\tFour \n',
      texts: ['One', 'Two', 'Three', 'Four'],
      written: 'a = ONE\nb: TWO\nc THREE\n\td\t=\tFOUR \n',
    },
    {
      name: 'comments, blank lines and keys alone stay',
      source: '# a=One\n! b=Two\n\nkey\nempty=\n  # note\nc=Three',
      texts: ['Three'],
      written: '# a=One\n! b=Two\n\nkey\nempty=\n  # note\nc=THREE',
    },
    {
      name: 'a value over several lines is one text',
      source: 'a = One \\\n    two\\\n three\nb=Four\n',
      texts: ['One twothree', 'Four'],
      written: 'a = ONE TWOTHREE\nb=FOUR\n',
    },
    {
      name: 'a comment does not go on in the next line',
      source: '# note \\\na=One\n',
      texts: ['One'],
      written: '# note \\\na=ONE\n',
    },
    {
      name: 'keys with escapes',
      source: 'a\\ b\\:c = One\nd\\=e=Two\n',
      texts: ['One', 'Two'],
      written: 'a\\ b\\:c = ONE\nd\\=e=TWO\n',
    },
    {
      name: 'escapes in a value',
      source: 'a=tab\\tline\\nback\\\\slash \\z\n',
      texts: ['tab\tline«\\n»back\\slash z'],
      written: 'a=TAB\\tLINE\\nBACK\\\\SLASH Z\n',
    },
    {
      name: 'a file in ASCII stays in ASCII',
      source: 'a=caf\\u00e9 \\uD83D\\ude00\n',
      texts: ['café 😀'],
      written: 'a=CAF\\u00C9 \\uD83D\\uDE00\n',
    },
    {
      name: 'a file in UTF-8 stays in UTF-8',
      source: 'a=café\n',
      texts: ['café'],
      written: 'a=CAFÉ\n',
    },
    {
      name: 'in a message an apostrophe is doubled',
      source: "a=It''s {0}\nb=It's\n",
      texts: ["It's «{0}»", "It's"],
      written: "a=IT''S {0}\nb=IT'S\n",
    },
    {
      name: 'what a message quotes stays',
      source: "a=Braces '{x}' around {0}, it''s '{'\n",
      texts: ["Braces «'{x}'» around «{0}», it's «'{'»"],
      written: "a=BRACES '{x}' AROUND {0}, IT''S '{'\n",
    },
    {
      name: 'a file that never doubles an apostrophe is not taken for messages',
      source: "a=It's {0}\n",
      texts: ["It's «{0}»"],
      written: "a=IT'S {0}\n",
    },
    {
      name: 'line ends of other systems',
      source: 'a=One\r\nb=Two \\\r\n  three\rc=Four',
      texts: ['One', 'Two three', 'Four'],
      written: 'a=ONE\r\nb=TWO THREE\rc=FOUR',
    },
    {
      name: 'a blank at the beginning that is meant stays',
      source: 'a=\\  One \\\n',
      texts: ['One'],
      written: 'a=\\ \\ ONE ',
    },
  ])
})

test('a file in Latin-1 stays so, with escapes for what it lacks', () => {
  const bytes = new Uint8Array(Buffer.from('# f\u00fcr\na=caf\u00e9\n', 'latin1'))
  const write = (text: string) =>
    Buffer.from(
      properties.write(bytes, new Map([['a', [{ type: 'text', text }]]]), { targetLanguage: 'de' }),
    )
  expect(write('\u00fcber \u2014 \u{1f600}').toString('latin1')).toBe(
    '# f\u00fcr\na=\u00fcber \\u2014 \\uD83D\\uDE00\n',
  )
})

test('in a file of messages an apostrophe of the translation is doubled where there are arguments', () => {
  expect(answer(properties, 'a=Hello {0}\nb=Hello\n', "L'{0}", "L'ami")).toBe("a=L''{0}\nb=L'ami\n")
})

test('another parser reads what was said, whatever it is', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' })),
      fc.constantFrom('x', 'x\u00e9', 'x\\u00e9'),
      (texts, sample) => {
        const said = texts.map((text) => `<${text}>`)
        const source = said.map((_, at) => `k${at} = ${sample}\n`).join('')
        expect(Object.values(parse(answer(properties, source, ...said)))).toEqual(said)
      },
    ),
  )
})

test('another parser finds the same values', () => {
  const source = 'a = One \\\n   two\nb:\\u0041\\\n\\\n x\nc\n\\ d = \\ e\n!x\n=nameless\nf=\\'
  const again = parse(textOf(shout(properties, bytesOf(source))))
  expect(again).toEqual({ a: 'ONE TWO', b: 'AX', c: '', ' d': ' E', '': 'NAMELESS', f: '' })
})
