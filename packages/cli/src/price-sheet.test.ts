import type { PriceList } from '@dragoman/contract'
import { describe, expect, it, test } from 'vitest'
import { readSheet, sayRefusals, writeSheet } from './price-sheet.ts'

const list: PriceList = {
  priceListId: 'x'.repeat(22),
  version: 3,
  name: 'Standard, "2024"',
  currency: 'EUR',
  validFrom: '2024-01-01',
  minimumFee: '25',
  managementFeePercent: '0',
  bands: [
    { name: 'Fuzzy', kind: 'Fuzzy', minPercent: 75, maxPercent: 100, factor: '0.5' },
    { name: 'New', kind: 'New', factor: '1' },
  ],
  lines: [
    {
      service: 'Translation',
      sourceLanguage: '*',
      targetLanguage: 'de-de',
      unit: 'Word',
      unitPrice: '0.1',
      minimumFee: '5',
    },
    { service: 'Review', sourceLanguage: '*', targetLanguage: '*', unit: 'Hour', unitPrice: '40' },
  ],
}

describe('a sheet', () => {
  it('that was written is read as the same list', () => {
    const { priceListId: _, version: __, ...same } = list
    const { list: read, refused } = readSheet(writeSheet(list))
    expect([read, refused]).toEqual([same, []])
  })

  it('names the cell of a field', () => {
    const { placeOf } = readSheet(writeSheet(list))
    expect(
      ['currency', 'bands[1].factor', 'lines[0].unitPrice', 'lines[1]', 'bands', 'validTo'].map(
        placeOf,
      ),
    ).toEqual([
      'row 2, column Currency',
      'row 4, column Factor',
      'row 5, column UnitPrice',
      'row 6',
      'bands',
      'row 2, column ValidTo',
    ])
    expect(sayRefusals([{ path: 'lines[1]', message: 'It overlaps lines[0].' }], placeOf)).toEqual([
      'row 6: It overlaps row 5.',
    ])
  })

  test.each<[string, string, RegExp[]]>([
    ['an unknown column', 'Row,Colour\nList,red\n', [/^row 1, column 2: "Colour" is not a column/]],
    ['a column twice', 'Row,Name,Name\n', [/^row 1, column 3: .*twice/]],
    ['no column Row', 'Name\nx\n', [/the column Row is missing/]],
    [
      'an unknown kind of row',
      'Row,Name\nList,a\nlist,b\n',
      [/^row 3, column Row: "list" is not a kind/],
    ],
    [
      'cells where none belong',
      'Row,Name,Factor,Unit\nList,a,1,\nBand,b,1,Word\n',
      [
        /^row 2, column Factor: a row List has no Factor/,
        /^row 3, column Unit: a row Band has no Unit/,
      ],
    ],
    ['two lists', 'Row,Name\nList,a\n\nList,b\n', [/^row 4, column Row: .*row 2/]],
    ['no list', 'Row,Name\nBand,a\n', [/The row List is missing/]],
    ['a row that is too long', 'Row,Name\nList,a,b\n', [/^row 2, column 3: /]],
    [
      'a quote that is not closed',
      'Row,Name\nList,"a\n',
      [/a quote that opens on line 2 is never closed/],
    ],
    ['nothing', '', [/the column Row is missing/]],
  ])('with %s is refused', (_, text, says) => {
    const { refused } = readSheet(text)
    expect(refused).toHaveLength(says.length)
    for (const [at, pattern] of says.entries()) expect(refused[at]).toMatch(pattern)
  })
})
