/** Tables: what is found, what is written, and what python reads in it. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csv } from '../../packages/text/src/formats/csv/csv.ts'
import { answer, bytesOf, holdCases, shout, textOf } from './cases.ts'
import { ask, isThere, judged } from './judge.ts'

describe('cases', () => {
  holdCases(csv, [
    {
      name: 'the header stays, texts do not',
      source: 'id,name\n1,spade\n',
      texts: ['spade'],
      written: 'id,name\n1,SPADE\n',
    },
    {
      name: 'without a header',
      options: { csv: { header: false } },
      source: 'spade,rake\n',
      texts: ['spade', 'rake'],
      written: 'SPADE,RAKE\n',
    },
    {
      name: 'quotes stay, and a quote in quotes is doubled',
      source: 'a,b\n"one","say ""hi"", you"\n',
      texts: ['one', 'say "hi", you'],
      written: 'a,b\n"ONE","SAY ""HI"", YOU"\n',
    },
    {
      name: 'a cell of two lines',
      source: 'a\n"one\r\ntwo"\n',
      texts: ['one«\r\n»two'],
      written: 'a\n"ONE\r\nTWO"\n',
    },
    {
      name: 'semicolons',
      source: 'a;b\none, two;three\n',
      texts: ['one, two', 'three'],
      written: 'a;b\nONE, TWO;THREE\n',
    },
    {
      name: 'tabs',
      source: 'a\tb\none, two\tthree\n',
      texts: ['one, two', 'three'],
      written: 'a\tb\nONE, TWO\tTHREE\n',
    },
    { name: 'bars', source: 'a|b\none|two\n', texts: ['one', 'two'], written: 'a|b\nONE|TWO\n' },
    {
      name: 'a first line that names the delimiter',
      source: 'sep=;\na;b\none;two, x\n',
      texts: ['one', 'two, x'],
      written: 'sep=;\na;b\nONE;TWO, X\n',
    },
    {
      name: 'formulas, numbers, dates and addresses stay',
      source: 'a,b,c,d,e,f\n=A1&"x",+1,-(2),@sum,2020-01-01,https://a.b/c\n',
      texts: [],
      written: 'a,b,c,d,e,f\n=A1&"x",+1,-(2),@sum,2020-01-01,https://a.b/c\n',
    },
    {
      name: 'a dash before words is no formula',
      source: 'a\n- one item\n',
      texts: ['- one item'],
      written: "a\n'- ONE ITEM\n",
    },
    {
      name: 'only the columns that are asked for',
      options: { csv: { columns: ['name'] } },
      source: 'id,name,code\nx,spade,y\n',
      texts: ['spade'],
      written: 'id,name,code\nx,SPADE,y\n',
    },
    {
      name: 'columns by number where there is no header',
      options: { csv: { header: false, columns: ['2'] } },
      source: 'x,spade\ny,rake\n',
      texts: ['spade', 'rake'],
      written: 'x,SPADE\ny,RAKE\n',
    },
    {
      name: 'rows of other lengths, blanks and empty lines',
      source: 'a,b\none\n\n two ,three,four\n',
      texts: ['one', 'two', 'three', 'four'],
      written: 'a,b\nONE\n\n TWO ,THREE,FOUR\n',
    },
    {
      name: 'a quote behind a backslash',
      source: 'a,b\n"say \\"hi\\" \\\\ you",two\n',
      texts: ['say "hi" \\ you', 'two'],
      written: 'a,b\n"SAY \\"HI\\" \\\\ YOU",TWO\n',
    },
    {
      name: 'a path at the end of a cell',
      source: 'a,b\n"dir C:\\",two\n',
      texts: ['dir C:\\', 'two'],
      written: 'a,b\n"DIR C:\\",TWO\n',
    },
    {
      name: 'what stands behind a closing quote is left alone',
      source: 'a\n"one" two\nthree\n',
      texts: ['three'],
      written: 'a\n"one" two\nTHREE\n',
    },
    {
      name: 'a quote within a cell is a quote, and brings quotes around what is written',
      source: 'a\n5" pipe\n',
      texts: ['5" pipe'],
      written: 'a\n"5"" PIPE"\n',
    },
    {
      name: 'the keys of the rows stay, whatever their column is called',
      source: 'Key,String ID,text\nmenu.file,save_button,Save it\n',
      texts: ['Save it'],
      written: 'Key,String ID,text\nmenu.file,save_button,SAVE IT\n',
    },
    {
      name: 'a column of keys that is asked for',
      options: { csv: { columns: ['key'] } },
      source: 'key,text\nspade,rake\n',
      texts: ['spade'],
      written: 'key,text\nSPADE,rake\n',
    },
    {
      name: 'dates, times and numbers with letters stay',
      source:
        'a,b,c,d,e,f,g\n2024-03-01T10:00:00Z,3 March 2024,10:30 PM,1.5e10,EUR 12.50,0x1F,Mar 3\n',
      texts: [],
      written:
        'a,b,c,d,e,f,g\n2024-03-01T10:00:00Z,3 March 2024,10:30 PM,1.5e10,EUR 12.50,0x1F,Mar 3\n',
    },
    {
      name: 'words that look a little like them are text',
      source: 'a,b,c,d\nMay I help?,3 marches,10 apples,decade 5\n',
      texts: ['May I help?', '3 marches', '10 apples', 'decade 5'],
      written: 'a,b,c,d\nMAY I HELP?,3 MARCHES,10 APPLES,DECADE 5\n',
    },
    {
      name: 'an apostrophe that guards a text is no part of it',
      source: "a\n'=one\n'tis so\n",
      texts: ['=one', "'tis so"],
      written: "a\n'=ONE\n'TIS SO\n",
    },
  ])
})

test('a cell without quotes gets them where its translation needs them', () => {
  expect(answer(csv, 'a\nx\ny\nz\nw\n', 'one, two', '"q"', 'l\nm', 'fine "here"')).toBe(
    'a\n"one, two"\n"""q"""\n"l\nm"\n"fine ""here"""\n',
  )
})

test('a translation that a spreadsheet would run is guarded, and read back as it was said', () => {
  const said = ['=cmd|x!A1', '+SUM(A1)', '-x', '@SUM(1,2)', '-5', '=a "b"']
  const written = answer(csv, `a\n${'x\n'.repeat(5)}"x"\n`, ...said)
  expect(written).toBe(`a\n'=cmd|x!A1\n'+SUM(A1)\n'-x\n"'@SUM(1,2)"\n-5\n"'=a ""b"""\n`)
  const again = csv
    .read(bytesOf(written))
    .map(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : part.raw)).join(''))
  expect(again).toEqual(said.filter((text) => text !== '-5'))
})

test('a quote that never closes is refused with its line', () => {
  expect(() => csv.read(bytesOf('a,b\nx,"y\nz'))).toThrow(
    'a quote that opens on line 2 is never closed',
  )
})

const program =
  'import sys, csv, json; json.dump([r for r in csv.reader(open(0, newline="", encoding="utf-8"))], sys.stdout)'
judged('python3', isThere('python3'), 'python reads what was said, whatever it is', () => {
  const texts = fc.sample(fc.string({ unit: 'grapheme', minLength: 1 }), { numRuns: 300, seed: 4 })
  const said = texts
    .map((text) => text.trim().replaceAll('\0', ''))
    .map((text, at) => text || `t${at}`)
  const source = `head,b\n${said.map((_, at) => (at % 2 ? 'x,1\n' : '"x",1\n')).join('')}`
  const rows: string[][] = JSON.parse(ask('python3', ['-c', program], answer(csv, source, ...said)))
  const guarded = said.map((text) => (/^[=+\-@]/.test(text) ? `'${text}` : text))
  expect(rows.slice(1).map(([text]) => text)).toEqual(guarded)
})

judged('python3', isThere('python3'), 'python finds the same cells', () => {
  const source = 'a,b\r\n"x ""y"", z",w\r\n"two\nlines",\r\n,"",v\r\n'
  const rows = JSON.parse(ask('python3', ['-c', program], textOf(shout(csv, bytesOf(source)))))
  expect(rows).toEqual([
    ['a', 'b'],
    ['X "Y", Z', 'W'],
    ['TWO\nLINES', ''],
    ['', '', 'V'],
  ])
})
