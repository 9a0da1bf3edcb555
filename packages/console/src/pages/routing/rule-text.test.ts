import type { RoutingRule } from '@dragoman/contract/wire'
import { expect, it } from 'vitest'
import { ruleOf, textOf } from './rule-text.ts'

it.each<RoutingRule>([
  { name: 'All', providerId: 'p' },
  { name: 'Pair', when: { source: 'en', target: ['de', 'fr-ca'] }, providerId: 'p' },
  { name: 'Labels', when: { labels: ['legal', 'tier=gold'] }, providerId: 'p' },
  { name: 'Words', when: { words: { min: 0, max: 500 } }, providerId: 'p' },
  { name: 'Band', when: { band: { name: 'Exact', min: 82.5 } }, providerId: 'p' },
  {
    name: 'Metadata',
    when: {
      extendedMetadata: {
        tier: 'gold',
        number: 7,
        text: '7',
        yes: true,
        list: ['a'],
        sum: 'a=b',
        empty: '',
      },
    },
    providerId: 'p',
  },
])('$name is the same again', (rule) => {
  expect(ruleOf(textOf(rule))).toEqual(rule)
})

it('leaves what is no number to the hub', () => {
  const text = textOf({ name: ' A ', providerId: 'p' })
  expect(ruleOf({ ...text, minWords: 'many', labels: ' , ' })).toEqual({
    name: 'A',
    when: { words: { min: 'many' } },
    providerId: 'p',
  })
})
