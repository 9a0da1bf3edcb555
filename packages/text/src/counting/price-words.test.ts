/** Minimums and fees, with figures calculated by hand, and every place that rounds. */
import type { PriceList } from '@dragoman/contract'
import { describe, expect, test } from 'vitest'
import { noCounts } from './count-words.ts'
import { writeMoney } from './money.ts'
import { findPriceLine } from './price-lines.ts'
import { priceLine, type Tallies, totalOf } from './price-words.ts'

const list: PriceList = {
  priceListId: 'AAAAAAAAAAAAAAAAAAAAAA',
  version: 3,
  name: 'Golden',
  currency: 'EUR',
  validFrom: '2026-01-01',
  minimumFee: '100',
  managementFeePercent: '7.5',
  bands: [
    { name: 'Repetitions', kind: 'Repetition', factor: '0.1' },
    { name: 'Context', kind: 'Context', factor: '0' },
    { name: '100 %', kind: 'Exact', factor: '0.25' },
    { name: '95-99 %', kind: 'Fuzzy', minPercent: 95, maxPercent: 99, factor: '0.3' },
    { name: '75-94 %', kind: 'Fuzzy', minPercent: 75, maxPercent: 94, factor: '0.65' },
    { name: 'New', kind: 'New', factor: '1' },
  ],
  lines: [
    {
      service: 'Translation',
      sourceLanguage: '*',
      targetLanguage: '*',
      unit: 'Word',
      unitPrice: '0.30',
    },
    {
      service: 'Translation',
      sourceLanguage: '*',
      targetLanguage: 'ja-jp',
      unit: 'Character',
      unitPrice: '0.085',
    },
    {
      service: 'Translation',
      sourceLanguage: 'en-us',
      targetLanguage: '*',
      unit: 'Word',
      unitPrice: '0.21',
      minimumFee: '12.345',
    },
    {
      service: 'Translation',
      sourceLanguage: 'en-us',
      targetLanguage: 'de-de',
      unit: 'Word',
      unitPrice: '0.125',
      minimumFee: '15',
    },
  ],
}

const words = (counts: Record<string, number>): Tallies =>
  new Map(
    Object.entries(counts).map(([name, words]) => [
      name,
      { segments: 1, counts: { ...noCounts, words, characters: words * 5 } },
    ]),
  )

const line = (sourceLanguage: string, targetLanguage: string) => {
  const found = findPriceLine(list.lines, {
    service: 'Translation',
    sourceLanguage,
    targetLanguage,
  })
  if (!found) throw new Error('no line')
  return found
}
const priced = (source: string, target: string, counts: Record<string, number>) => {
  const { bands, amount, minimumApplied } = priceLine(list, line(source, target), words(counts))
  return {
    bands: bands.map((band) => writeMoney(band.amount, 'EUR')),
    amount: writeMoney(amount, 'EUR'),
    minimumApplied,
    exact: amount,
  }
}

/**
 * German, 0.125 a word:
 *   Repetitions  37 words: 37 × 0.125 × 0.1  = 0.4625    → 0.46
 *   Context      20 words: 20 × 0.125 × 0    = 0         → 0.00
 *   100 %        54 words: 54 × 0.125 × 0.25 = 1.6875    → 1.69
 *   95-99 %      11 words: 11 × 0.125 × 0.3  = 0.4125    → 0.41
 *   75-94 %       6 words:  6 × 0.125 × 0.65 = 0.4875    → 0.49
 *   New         113 words: 113 × 0.125       = 14.125    → 14.12 (half to even)
 *   together 17.17, above the minimum of 15.
 * French, 0.21 a word by the line en-us to any:
 * New 50 words: 50 × 0.21 = 10.50; the minimum 12.345 is rounded to 12.34 (half to even) and
 * applies. Japanese from English has the line of the source before that of the target:
 *   New 60 words: 60 × 0.21 = 12.60, above 12.34.
 * Together 17.17 + 12.34 + 12.60 = 42.11; the fee is 42.11 × 7.5 % = 3.15825 → 3.16; 45.27 is below
 * 100: 100.00.
 */
const german = { Repetitions: 37, Context: 20, '100 %': 54, '95-99 %': 11, '75-94 %': 6, New: 113 }

describe('the cascade', () => {
  test('each band is rounded separately, half to even', () => {
    expect(priced('en-us', 'de-de', german)).toMatchObject({
      bands: ['0.46', '0.00', '1.69', '0.41', '0.49', '14.12'],
      amount: '17.17',
      minimumApplied: false,
    })
  })

  test('the minimum of the line is held against the sum of its bands', () => {
    expect(priced('EN_us', 'fr-fr', { New: 50 })).toMatchObject({
      amount: '12.34',
      minimumApplied: true,
    })
    expect(priced('en-us', 'ja-jp', { New: 60 })).toMatchObject({
      amount: '12.60',
      minimumApplied: false,
    })
    expect(priced('en-us', 'de-de', { New: 120 })).toMatchObject({
      amount: '15.00',
      minimumApplied: false,
    })
    expect(priced('en-us', 'de-de', {})).toMatchObject({ amount: '15.00', minimumApplied: true })
  })

  test('then the sum, the fee, and the minimum of the list', () => {
    const amounts = [
      priced('en-us', 'de-de', german).exact,
      priced('en-us', 'fr-fr', { New: 50 }).exact,
      priced('en-us', 'ja-jp', { New: 60 }).exact,
    ]
    const totals = totalOf(list, amounts)
    expect(writeMoney(totals.subtotal, 'EUR')).toBe('42.11')
    expect(writeMoney(totals.managementFee, 'EUR')).toBe('3.16')
    expect([totals.minimumFeeApplied, writeMoney(totals.total, 'EUR')]).toEqual([true, '100.00'])
    const low = totalOf({ ...list, minimumFee: '45.26' }, amounts)
    expect([low.minimumFeeApplied, writeMoney(low.total, 'EUR')]).toEqual([false, '45.27'])
    const none = totalOf(list, [])
    expect([none.minimumFeeApplied, writeMoney(none.total, 'EUR')]).toEqual([false, '0.00'])
  })

  test('characters and currencies of other places', () => {
    // 0.085 × 5 × 7 characters = 2.975 → 2.98 (half to even: 7 is odd)
    expect(priced('fr-fr', 'ja-jp', { New: 7 })).toMatchObject({ amount: '2.98' })
    const yen = { ...list, currency: 'JPY', minimumFee: '0', managementFeePercent: '10' }
    // 5 × 0.30 = 1.5 → 2 yen; 10 % of 2 = 0.2 → 0
    const { amount } = priceLine(yen, line('fr-fr', 'it-it'), words({ New: 5 }))
    const totals = totalOf(yen, [amount])
    expect(
      [totals.subtotal, totals.managementFee, totals.total].map((money) =>
        writeMoney(money, 'JPY'),
      ),
    ).toEqual(['2', '0', '2'])
  })

  test('no sum is ever off by what binary fractions lose', () => {
    // 0.1 + 0.2 and the like, and 1.005 ten thousand times, half to even.
    const odd = { ...list, lines: [{ ...line('fr-fr', 'it-it'), unitPrice: '1.005' }] }
    const [only] = odd.lines
    if (!only) throw new Error('no line')
    const { amount } = priceLine(odd, only, words({ New: 1 }))
    expect(writeMoney(amount, 'EUR')).toBe('1.00')
    const total = totalOf(
      { ...odd, minimumFee: '0', managementFeePercent: '0' },
      Array(10_000).fill(amount),
    )
    expect(writeMoney(total.total, 'EUR')).toBe('10000.00')
  })
})
