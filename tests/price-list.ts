/** A valid price list. */
import type { NewPriceList } from '@dragoman/contract'

export const priceList: NewPriceList = {
  name: 'Standard 2024',
  currency: 'EUR',
  validFrom: '2024-01-01',
  minimumFee: '25',
  managementFeePercent: '10',
  bands: [
    { name: 'Repetitions', kind: 'Repetition', factor: '0.1' },
    { name: 'Context', kind: 'Context', factor: '0' },
    { name: '100 %', kind: 'Exact', factor: '0.2' },
    { name: '85-99 %', kind: 'Fuzzy', minPercent: 85, maxPercent: 99, factor: '0.5' },
    { name: '75-84 %', kind: 'Fuzzy', minPercent: 75, maxPercent: 84, factor: '0.7' },
    { name: 'New', kind: 'New', factor: '1' },
  ],
  lines: [
    {
      service: 'Translation',
      sourceLanguage: 'en-us',
      targetLanguage: 'de-de',
      unit: 'Word',
      unitPrice: '0.145',
      minimumFee: '12.50',
    },
    {
      service: 'Translation',
      sourceLanguage: 'en-us',
      targetLanguage: '*',
      unit: 'Word',
      unitPrice: '0.17',
    },
    {
      service: 'Translation',
      sourceLanguage: '*',
      targetLanguage: '*',
      unit: 'Word',
      unitPrice: '0.21',
    },
  ],
}
