import type { Band, NewPriceList, PriceLine } from '@dragoman/contract'
import {
  checkBands,
  decimal,
  findBand,
  findPriceLine,
  placesOf,
  roundMoney,
  writeMoney,
} from '@dragoman/text/counting'
import { describe, expect, it, test } from 'vitest'

describe('money', () => {
  test.each([
    ['0.125', 'EUR', '0.12'],
    ['0.135', 'EUR', '0.14'],
    ['0.1350001', 'EUR', '0.14'],
    ['2.5', 'JPY', '2'],
    ['3.5', 'JPY', '4'],
    ['1.0005', 'KWD', '1.000'],
    ['12', 'EUR', '12.00'],
    ['999999999999.999999', 'EUR', '1000000000000.00'],
  ])('%s %s is shown as %s', (amount, currency, shown) => {
    expect(writeMoney(decimal(amount), currency)).toBe(shown)
    expect(roundMoney(decimal(amount), currency).eq(shown)).toBe(true)
  })

  it('is exact where binary floating point is not', () => {
    expect(decimal('0.1').plus('0.2').eq('0.3')).toBe(true)
    expect(decimal('1.005').times(100).toString()).toBe('100.5')
    expect(() => placesOf('XXQ')).toThrow('not an ISO 4217 currency')
  })
})

const line = (
  service: string,
  sourceLanguage: string,
  targetLanguage: string,
  unitPrice: string,
): PriceLine => ({
  service,
  sourceLanguage,
  targetLanguage,
  unit: 'Word',
  unitPrice,
})
const lines = [
  line('Translation', '*', '*', '1'),
  line('Translation', '*', 'de-de', '2'),
  line('Translation', 'en-us', '*', '3'),
  line('Translation', 'en-us', 'de-de', '4'),
  line('Review', '*', 'fr-fr', '5'),
]

test.each([
  ['Translation', 'en-us', 'de-de', '4'],
  ['translation', 'EN_US', 'DE-DE', '4'],
  ['Translation', 'en-us', 'fr-fr', '3'],
  ['Translation', 'en-gb', 'de-de', '2'],
  ['Translation', 'en-gb', 'fr-fr', '1'],
  ['Review', 'en-gb', 'fr-fr', '5'],
  ['Review', 'en-gb', 'de-de', undefined],
  ['Other', 'en-us', 'de-de', undefined],
])('%s from %s to %s costs %s', (service, sourceLanguage, targetLanguage, price) => {
  expect(findPriceLine(lines, { service, sourceLanguage, targetLanguage })?.unitPrice).toBe(price)
})

const band = (kind: Band['kind'], name: string, ...[minPercent, maxPercent]: number[]): Band => ({
  name,
  kind,
  factor: '1',
  ...(minPercent === undefined ? {} : { minPercent }),
  ...(maxPercent === undefined ? {} : { maxPercent }),
})
const whole = [
  band('Repetition', 'repeated'),
  band('Context', 'context'),
  band('Exact', 'exact'),
  band('Fuzzy', 'high', 85, 99),
  band('Fuzzy', 'low', 75, 84),
  band('New', 'new'),
]

describe('bands', () => {
  test.each<[string, NewPriceList['bands']]>([
    ['all kinds', whole],
    ['one band', [band('New', 'new')]],
    ['a new band with its range', [...whole.slice(0, -1), band('New', 'new', 0, 74)]],
    ['one band with its range', [band('New', 'new', 0, 99)]],
    ['one band with all', [band('New', 'new', 0, 100)]],
    [
      'an exact band with its percent',
      [band('Exact', 'exact', 100, 100), band('New', 'new', 0, 99)],
    ],
    [
      'fuzzy bands upwards',
      [band('Fuzzy', 'low', 50, 74), band('Fuzzy', 'high', 75, 100), band('New', 'new')],
    ],
  ])('%s fit', (_, bands) => expect(checkBands(bands)).toEqual([]))

  test.each<[string, NewPriceList['bands'], RegExp]>([
    [
      'a gap on top',
      [band('Exact', 'exact'), band('Fuzzy', 'f', 75, 94), band('New', 'n')],
      /gap.*95 to 99/,
    ],
    [
      'a gap between',
      [
        band('Exact', 'exact'),
        band('Fuzzy', 'f', 85, 99),
        band('Fuzzy', 'g', 75, 80),
        band('New', 'n'),
      ],
      /gap.*81 to 84/,
    ],
    [
      'a gap below',
      [band('Exact', 'e'), band('Fuzzy', 'f', 75, 99), band('New', 'n', 0, 70)],
      /gap.*71 to 74/,
    ],
    ['a gap at the bottom', [band('Exact', 'e'), band('New', 'n', 10, 99)], /gap.*must begin at 0/],
    [
      'an overlap',
      [
        band('Exact', 'exact'),
        band('Fuzzy', 'f', 85, 99),
        band('Fuzzy', 'g', 75, 85),
        band('New', 'n'),
      ],
      /overlaps.*ends at 85/,
    ],
    [
      'an overlap with exact',
      [band('Exact', 'e'), band('Fuzzy', 'f', 75, 100), band('New', 'n')],
      /overlaps/,
    ],
    [
      'an overlap with new',
      [band('Exact', 'e'), band('Fuzzy', 'f', 75, 99), band('New', 'n', 0, 80)],
      /overlaps/,
    ],
    ['no new band', whole.slice(0, -1), /gap.*must be New/],
    [
      'a kind twice',
      [band('Exact', 'e'), band('Exact', 'f'), band('New', 'n')],
      /Exact is there twice/,
    ],
    [
      'another order',
      [band('Exact', 'e'), band('Repetition', 'r'), band('New', 'n')],
      /order is Repetition/,
    ],
    ['a name twice', [band('Exact', 'n'), band('New', 'n')], /have the name n/],
    ['a fuzzy band without a range', [band('Fuzzy', 'f'), band('New', 'n')], /needs minPercent/],
    [
      'a range upside down',
      [band('Fuzzy', 'f', 99, 75), band('New', 'n')],
      /at most its maxPercent/,
    ],
    ['an exact match of 99', [band('Exact', 'e', 99, 100), band('New', 'n')], /match of 100/],
  ])('%s is refused', (_, bands, says) => {
    expect(checkBands(bands).map(({ message }) => message)).toContainEqual(
      expect.stringMatching(says),
    )
  })

  it('take every match once', () => {
    expect(findBand(whole, { kind: 'Repetition' }).name).toBe('repeated')
    expect(findBand(whole, { kind: 'Context' }).name).toBe('context')
    expect(findBand(whole, { kind: 'Exact' }).name).toBe('exact')
    for (const [percent, name] of [
      [99, 'high'],
      [85, 'high'],
      [84, 'low'],
      [75, 'low'],
      [74, 'new'],
      [0, 'new'],
    ] as const)
      expect(findBand(whole, { percent }).name).toBe(name)
    expect(findBand([band('Fuzzy', 'f', 75, 99), band('New', 'n')], { kind: 'Exact' }).name).toBe(
      'f',
    )
    expect(findBand([band('New', 'n')], { kind: 'Context' }).name).toBe('n')
    expect(findBand([band('Exact', 'e'), band('New', 'n')], { kind: 'Repetition' }).name).toBe('e')
  })
})
