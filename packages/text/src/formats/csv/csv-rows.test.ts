import { describe, expect, it, test } from 'vitest'
import { rowOfCsv, rowsOfCsv } from './csv-rows.ts'

const cellsOf = (text: string) => [...rowsOfCsv(text)].map(({ cells }) => cells)

describe('rows of a table', () => {
  test.each<[string, string[][]]>([
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a;b;c\n1,5;"x;y";\n',
      [
        ['a', 'b', 'c'],
        ['1,5', 'x;y', ''],
      ],
    ],
    [
      'a\tb\rc\td',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      '\ufeffa,b\n"say ""no""","two\nlines"',
      [
        ['a', 'b'],
        ['say "no"', 'two\nlines'],
      ],
    ],
    ['', []],
  ])('%j is read', (text, rows) => expect(cellsOf(text)).toEqual(rows))

  it('know the line where they begin', () => {
    const rows = [...rowsOfCsv('a,b\n"two\nlines",1\nc,d\n')]
    expect(rows.map(({ line }) => line)).toEqual([1, 2, 4])
  })

  it('say whether a cell goes on after its closing quote', () => {
    const rows = [...rowsOfCsv('a,b\n"x"y,2\n')]
    expect(rows.map(({ isOdd }) => isOdd)).toEqual([false, true])
  })

  it('end in an error where a quote is never closed', () => {
    expect(() => cellsOf('a,b\n"1,2')).toThrow('a quote that opens on line 2 is never closed')
  })

  it('are written so that they are read as they were', () => {
    const rows = [
      ['a', ' b ', 'c,d'],
      ['say "no"', 'two\r\nlines', ''],
      ['ä;ö', '\t', 'z'],
    ]
    expect(cellsOf(rows.map(rowOfCsv).join(''))).toEqual(rows)
  })
})
